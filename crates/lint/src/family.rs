//! Parents and children that one query returns together.

use monotable_model::document::{Entity, Model, Order, Relationship, RelationshipKind};
use monotable_plan::{Collection, Member};

use super::Subject;
use super::planned_query::{PlannedQuery, queries};

/// A query that wants a parent and its children.
#[derive(Debug, Clone)]
pub(super) struct Family<'s> {
    /// The query.
    pub(super) query: PlannedQuery<'s>,
    /// The parent: several if it has variants.
    pub(super) parents: Vec<&'s str>,
    /// Its children.
    pub(super) children: Vec<&'s str>,
    /// How many children a parent has at most, if the model says so.
    pub(super) children_max: Option<u64>,
}

impl Family<'_> {
    /// Whether the first item that is read is a child for certain, because all children come before
    /// the parent.
    pub(super) fn meets_child_first(&self) -> bool {
        let members = &self.query.query.collection.members;
        let of = |names: &[&str]| -> Vec<&Member> {
            members.iter().filter(|member| names.contains(&member.entity.as_str())).collect()
        };
        let (parents, children) = (of(&self.parents), of(&self.children));
        let comes_first = |child: &&Member, parent: &&Member| match self.query.query.order {
            Order::Ascending => Collection::lies_before(child, parent),
            Order::Descending => Collection::lies_before(parent, child),
        };
        let is_last = |parent: &&Member| children.iter().any(|child| comes_first(child, parent));
        !parents.is_empty() && parents.iter().all(is_last)
    }
}

/// The queries that want a parent and its children.
pub(super) fn families<'s>(subject: &'s Subject<'_>) -> Vec<Family<'s>> {
    queries(subject).into_iter().filter_map(|query| family(subject.model, query)).collect()
}

fn family<'s>(model: &Model, query: PlannedQuery<'s>) -> Option<Family<'s>> {
    let wanted = &query.pattern.entities;
    let names = |is_meant: &dyn Fn(&Entity) -> bool| -> Vec<&'s str> {
        let found = wanted.iter().filter(|name| model.entity(name).is_some_and(is_meant));
        found.map(String::as_str).collect()
    };
    let binding = model.relationships.iter().find(|relationship| {
        let has = |name: &str| wanted.iter().any(|other| other == name);
        is_many(relationship) && has(&relationship.from) && has(relationship.counted())
    })?;
    let parents = names(&|entity| base(entity) == binding.from);
    let children = names(&|entity| base(entity) != binding.from);
    (!children.is_empty()).then_some(Family { query, parents, children, children_max: binding.max })
}

fn is_many(relationship: &Relationship) -> bool {
    relationship.kind != RelationshipKind::OneToOne && relationship.from != relationship.to
}

/// The entity that one is a variant of, or itself.
pub(super) fn base(entity: &Entity) -> &str {
    entity.variant_of.as_deref().unwrap_or(&entity.name)
}
