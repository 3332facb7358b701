//! What an entity had in ElectroDB besides: its service, the options of attributes, and its indexes
//! as they were written, as far as they still mean what the model says.

use monotable_model::document::{Attribute, Entity, Model, Table, Tree};

use super::ENTITY_STAMP;
use super::attribute::padding;
use super::composition::{Composed, Owner, Part, definition};
use super::source::value;
use crate::extension::kept_for;
use crate::foreign::At;

/// What is kept of an entity.
pub(super) struct Restoration<'m> {
    kept: Option<&'m Tree>,
    pub(super) owner: Owner,
    pub(super) indexes: Vec<RestoredIndex<'m>>,
}

/// An index as it was written.
pub(super) struct RestoredIndex<'m> {
    /// The name of the access pattern.
    pub(super) name: &'m str,
    /// The index of DynamoDB; nothing for the table itself.
    pub(super) index: Option<&'m str>,
    tree: &'m Tree,
    composed: Option<Composed>,
}

impl<'m> Restoration<'m> {
    /// What a model keeps of an entity.
    pub(super) fn of(model: &'m Model, table: &Table, entity: &'m Entity) -> Restoration<'m> {
        let kept = kept_for(model, "electrodb").and_then(|kept| kept.member(&entity.name));
        let text = |name: &str| kept.and_then(|kept| kept.member(name)).and_then(Tree::text);
        let is_stamped = table.type_attribute.as_deref() == Some(ENTITY_STAMP);
        let name = if is_stamped { entity.type_value() } else { &entity.name };
        let version = entity.version.unwrap_or(1).to_string();
        let owner = Owner {
            service: text("service").unwrap_or(&model.name).to_owned(),
            entity: name.to_owned(),
            version: text("version").map_or(version, str::to_owned),
            parts: entity
                .attributes
                .iter()
                .map(|one| part(one, options(kept, &one.name)))
                .collect(),
        };
        let mut known = Vec::new();
        let indexes = kept.and_then(|kept| kept.member("indexes"));
        let indexes = indexes.map(Tree::members).unwrap_or_default().iter().map(|(name, tree)| {
            let read = definition(&At::root(tree)).ok();
            RestoredIndex {
                name,
                index: tree.member("index").and_then(Tree::text),
                tree,
                composed: read.and_then(|read| read.compose(&owner, &mut known).ok()),
            }
        });
        let indexes = indexes.collect();
        Restoration { kept, owner, indexes }
    }

    /// The options of an attribute that a model has no place for.
    pub(super) fn options(&self, name: &str) -> &'m [(String, Tree)] {
        options(self.kept, name)
    }

    /// The attributes that are no part of the model, each as it was.
    pub(super) fn other_attributes(&self, entity: &Entity) -> Vec<(&'m str, String)> {
        let all = self.kept.and_then(|kept| kept.member("attributes"));
        let all = all.map(Tree::members).unwrap_or_default().iter();
        let others = all
            .filter(|(name, own)| entity.attribute(name).is_none() && own.member("type").is_some());
        others.map(|(name, own)| (name.as_str(), value(own))).collect()
    }

    /// The index of this name as it was written.
    pub(super) fn index(&self, name: Option<&str>) -> Option<&RestoredIndex<'m>> {
        self.indexes.iter().find(|one| one.index == name)
    }
}

impl RestoredIndex<'_> {
    /// The lines of the definition, if it still means these templates.
    pub(super) fn lines(&self, means: &Composed) -> Option<Vec<String>> {
        self.composed.as_ref().filter(|own| *own == means)?;
        let line = |(name, own): &(String, Tree)| format!("{name}: {},", value(own));
        Some(self.tree.members().iter().filter(|(name, _)| name != "index").map(line).collect())
    }
}

fn options<'m>(kept: Option<&'m Tree>, name: &str) -> &'m [(String, Tree)] {
    let attributes = kept.and_then(|kept| kept.member("attributes"));
    attributes.and_then(|all| all.member(name)).map(Tree::members).unwrap_or_default()
}

fn part(attribute: &Attribute, options: &[(String, Tree)]) -> Part {
    let option = |name: &str| options.iter().find(|(own, _)| own == name).map(|(_, tree)| tree);
    Part {
        name: attribute.name.clone(),
        field: attribute.item_name().to_owned(),
        kind: attribute.kind,
        label: option("label").and_then(Tree::text).map(str::to_owned),
        padding: option("padding").and_then(|tree| padding(&At::root(tree)).ok()),
        source: None,
    }
}
