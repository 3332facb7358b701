//! From relationships, embedding, variants, uniqueness and copies to links.

use monotable_model::document::{Entity, Model, Relationship, RelationshipKind};
use monotable_plan::cost::number;

use super::diagram::{End, Line, Link};

/// The links of a model: what the relationships say first, then what entities say of each other.
pub(super) fn links(model: &Model) -> Vec<Link> {
    let mut links = Links { model, links: Vec::new() };
    for relationship in &model.relationships {
        links.relationship(relationship);
    }
    for entity in &model.entities {
        links.of_entity(entity);
    }
    links.links
}

struct Links<'m> {
    model: &'m Model,
    links: Vec<Link>,
}

impl Links<'_> {
    /// A relationship. One that items of a third entity join becomes two, as it is stored.
    fn relationship(&mut self, relationship: &Relationship) {
        let Relationship { from, to, kind, through, description, .. } = relationship;
        let label = cardinality(relationship);
        let line = if self.embeds(to) { Line::Dashed } else { Line::Solid };
        let (from_end, to_end) = match kind {
            RelationshipKind::OneToOne => (End::One, End::One),
            RelationshipKind::OneToMany => (End::One, End::Many),
            RelationshipKind::ManyToMany => (End::Many, End::Many),
        };
        let description = description.clone();
        match through {
            None => self.add(from, to, Ends(from_end, to_end), line, label, description),
            Some(joint) => {
                let ends = Ends(End::One, End::Many);
                self.add(from, joint, ends, line, label, description.clone());
                self.add(to, joint, ends, line, String::new(), description);
            }
        }
    }

    /// What an entity says of others, unless a relationship has said it.
    fn of_entity(&mut self, entity: &Entity) {
        for place in &entity.embedded_in {
            if !self.joins(&place.entity, &entity.name) {
                let label = format!("in {}", place.attribute);
                let ends = Ends(End::One, End::Many);
                self.add(&place.entity, &entity.name, ends, Line::Dashed, label, None);
            }
        }
        for unique in &entity.unique {
            if !self.joins(&entity.name, &unique.by) {
                let label = format!("unique {}", unique.attribute);
                let ends = Ends(End::One, End::One);
                self.add(&entity.name, &unique.by, ends, Line::Dashed, label, None);
            }
        }
        if let Some(origin) = &entity.variant_of {
            let ends = Ends(End::One, End::AtMostOne);
            self.add(origin, &entity.name, ends, Line::Dashed, "variant".to_owned(), None);
        }
        if let Some(origin) = &entity.copy_of {
            let ends = Ends(End::One, End::Many);
            self.add(origin, &entity.name, ends, Line::Dashed, "copy".to_owned(), None);
        }
    }

    fn add(
        &mut self,
        from: &str,
        to: &str,
        Ends(from_end, to_end): Ends,
        line: Line,
        label: String,
        description: Option<String>,
    ) {
        if let (Some(from), Some(to)) = (self.place(from), self.place(to)) {
            self.links.push(Link { from, to, from_end, to_end, line, label, description });
        }
    }

    fn place(&self, entity: &str) -> Option<usize> {
        self.model.entities.iter().position(|other| other.name == entity)
    }

    fn embeds(&self, entity: &str) -> bool {
        self.model.entity(entity).is_some_and(Entity::is_embedded)
    }

    /// Returns whether a link leads from one entity to the other already.
    fn joins(&self, from: &str, to: &str) -> bool {
        let (from, to) = (self.place(from), self.place(to));
        self.links.iter().any(|link| Some(link.from) == from && Some(link.to) == to)
    }
}

#[derive(Clone, Copy)]
struct Ends(End, End);

/// How many there are, in a few words: `⌀ 20, ≤ 5,000`.
fn cardinality(relationship: &Relationship) -> String {
    let average = relationship.average.map(|average| format!("⌀ {}", number(average)));
    let max = relationship.max.map(|max| format!("≤ {}", number(max as f64)));
    average.into_iter().chain(max).collect::<Vec<_>>().join(", ")
}
