//! What there is to draw: boxes and links.

use monotable_item::Type;
use monotable_model::document::{Attribute, Entity, IndexKeys, Model};
use monotable_model::template::Template;

use super::link::links;

/// The entities and what relates them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// A box for each entity, in the order of the file.
    pub boxes: Vec<EntityBox>,
    /// The links between them.
    pub links: Vec<Link>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityBox {
    /// The entity.
    pub entity: String,
    /// What it is.
    pub description: Option<String>,
    /// Whether it lies inside other items.
    pub is_embedded: bool,
    /// Its attributes: those of the key first.
    pub attributes: Vec<BoxAttribute>,
}

/// An attribute in a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxAttribute {
    /// The name in the model.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// Whether every item has it.
    pub is_required: bool,
    /// Whether the partition key of the table is built from it.
    pub in_partition_key: bool,
    /// Whether the sort key of the table is built from it.
    pub in_sort_key: bool,
    /// The indexes whose keys are built from it.
    pub in_indexes: Vec<String>,
}

/// A link between two entities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The box that it begins at, by its place among the boxes.
    pub from: usize,
    /// The box that it ends at.
    pub to: usize,
    /// What stands at its beginning.
    pub from_end: End,
    /// What stands at its end.
    pub to_end: End,
    /// What the line looks like.
    pub line: Line,
    /// A few words beside it.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
}

/// How many there are at the end of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Exactly one.
    One,
    /// None or one.
    AtMostOne,
    /// Any number.
    Many,
}

/// What the line of a link looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A relationship between items.
    Solid,
    /// Something that is not: one lies inside the other, repeats it, or is another form of it.
    Dashed,
}

impl Diagram {
    /// The diagram of a model.
    pub(crate) fn of(model: &Model) -> Diagram {
        Diagram { boxes: model.entities.iter().map(entity_box).collect(), links: links(model) }
    }
}

impl BoxAttribute {
    /// What key it is part of, if any: `PK`, `SK`, `PK SK`, or `IX` for an index alone.
    pub fn mark(&self) -> &'static str {
        match (self.in_partition_key, self.in_sort_key) {
            (true, true) => "PK SK",
            (true, false) => "PK",
            (false, true) => "SK",
            (false, false) if !self.in_indexes.is_empty() => "IX",
            (false, false) => "",
        }
    }

    /// What key it is part of, in words.
    pub fn key_words(&self) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        if self.in_partition_key {
            parts.push("the partition key".to_owned());
        }
        if self.in_sort_key {
            parts.push("the sort key".to_owned());
        }
        parts.extend(self.in_indexes.iter().map(|index| format!("the key of {index}")));
        (!parts.is_empty()).then(|| format!("in {}", parts.join(", ")))
    }
}

fn entity_box(entity: &Entity) -> EntityBox {
    let mut attributes: Vec<BoxAttribute> =
        entity.attributes.iter().map(|attribute| box_attribute(entity, attribute)).collect();
    // Stable: the order of the file is kept among attributes of the same kind of key.
    attributes.sort_by_key(|attribute| match attribute.mark() {
        "PK" | "PK SK" => 0,
        "SK" => 1,
        "IX" => 2,
        _ => 3,
    });
    EntityBox {
        entity: entity.name.clone(),
        description: entity.description.clone(),
        is_embedded: entity.is_embedded(),
        attributes,
    }
}

fn box_attribute(entity: &Entity, attribute: &Attribute) -> BoxAttribute {
    let name = &attribute.name;
    let key = entity.key.as_ref();
    let in_index =
        |keys: &&IndexKeys| uses(&keys.keys.partition, name) || uses(&keys.keys.sort, name);
    let indexes = entity.indexes.iter().filter(in_index);
    BoxAttribute {
        name: name.clone(),
        kind: attribute.kind,
        is_required: attribute.required,
        in_partition_key: key.is_some_and(|key| uses(&key.partition, name)),
        in_sort_key: key.is_some_and(|key| uses(&key.sort, name)),
        in_indexes: indexes.map(|keys| keys.index.clone()).collect(),
    }
}

/// Returns whether keys are built from an attribute.
fn uses(templates: &[Template], attribute: &str) -> bool {
    templates.iter().any(|template| template.paths().any(|path| path.root == attribute))
}
