//! Families: which entities belong to which others, and by which attributes.

use monotable_model::document::{Attribute, Entity, Model, RelationshipKind};
use monotable_model::template::{Segment, Template};

/// An entity that another one belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Parent<'m> {
    /// The parent.
    pub entity: &'m Entity,
    /// The attributes that the two share.
    pub links: Vec<Link>,
    /// How many children one parent has at most.
    pub children_max: Option<u64>,
}

/// An attribute of a child that has the value of an attribute of its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The attribute of the parent.
    pub parent: String,
    /// The attribute of the child.
    pub child: String,
}

/// The parents of an entity: the one sides of its relationships, both sides of those that it joins,
/// whose unique values it holds, and what it copies. Those that share nothing with it are no
/// parents.
pub fn parents_of<'m>(model: &'m Model, child: &'m Entity) -> Vec<Parent<'m>> {
    let mut parents: Vec<Parent<'m>> = Vec::new();
    let mut add = |name: &str, sharing: Sharing, children_max: Option<u64>| {
        let is_known = parents.iter().any(|parent| parent.entity.name == name);
        let Some(entity) = model.entity(name).filter(|_| !is_known && name != child.name) else {
            return;
        };
        let of_others: Vec<&Link> = parents.iter().flat_map(|parent| &parent.links).collect();
        let links = links(entity, child, sharing, &of_others);
        if entity.key.is_some() && !links.is_empty() {
            parents.push(Parent { entity, links, children_max });
        }
    };
    for owner in &model.entities {
        if owner.unique.iter().any(|unique| unique.by == child.name) {
            add(&owner.name, Sharing::All, Some(1));
        }
    }
    for relationship in &model.relationships {
        if relationship.through.as_deref() == Some(&child.name) {
            add(&relationship.from, Sharing::Key, None);
            add(&relationship.to, Sharing::Key, None);
        }
        match relationship.kind {
            RelationshipKind::OneToOne if relationship.to == child.name => {
                add(&relationship.from, Sharing::Key, Some(1));
            }
            RelationshipKind::OneToMany if relationship.to == child.name => {
                add(&relationship.from, Sharing::Key, relationship.max);
            }
            RelationshipKind::OneToOne
            | RelationshipKind::OneToMany
            | RelationshipKind::ManyToMany => {}
        }
    }
    if let Some(name) = &child.copy_of {
        add(name, Sharing::All, None);
    }
    for attribute in &child.attributes {
        if let Some(original) = &attribute.copy_of {
            add(&original.entity, Sharing::Key, None);
        }
    }
    parents
}

/// What a child has of its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sharing {
    /// What makes up the parent's key.
    Key,
    /// Every attribute of the same name.
    All,
}

/// The attributes that a child has of a parent. What another parent gives is not guessed to come
/// from this one.
fn links(parent: &Entity, child: &Entity, sharing: Sharing, of_others: &[&Link]) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let mut link = |from: &Attribute, to: &str| {
        let fits = child.attribute(to).is_some_and(|to| to.kind == from.kind);
        if fits && !links.iter().any(|link| link.child == to) {
            links.push(Link { parent: from.name.clone(), child: to.to_owned() });
        }
    };
    for attribute in &child.attributes {
        let original = attribute.copy_of.as_ref().filter(|original| original.entity == parent.name);
        if let Some(from) = original.and_then(|original| parent.attribute(&original.attribute)) {
            link(from, &attribute.name);
        }
    }
    for attribute in &parent.attributes {
        let is_shared = match sharing {
            Sharing::All => true,
            // Items of the same key layout that shared their key would be one item.
            Sharing::Key => parent.key != child.key && is_in_key(parent, &attribute.name),
        };
        if is_shared {
            link(attribute, &attribute.name);
        }
    }
    let is_open = |to: &str| !of_others.iter().any(|link| link.child == to);
    let guesses = aligned(parent, child).into_iter().chain(called_after(parent, child));
    for (from, to) in guesses.filter(|(_, to)| is_open(to)) {
        if let Some(from) = parent.attribute(from) {
            link(from, to);
        }
    }
    links
}

/// Where one attribute is all of the parent's key: the attribute of the child's key that is called
/// after the parent,
/// `Username` after `User`.
fn called_after<'m>(parent: &'m Entity, child: &'m Entity) -> Option<(&'m str, &'m str)> {
    let mut of_key = parent.attributes.iter().filter(|one| is_in_key(parent, &one.name));
    let (Some(from), None) = (of_key.next(), of_key.next()) else { return None };
    let stem = parent.name.to_lowercase();
    let is_called = |one: &&Attribute| {
        is_in_key(child, &one.name) && one.name.to_lowercase().starts_with(&stem)
    };
    child.attributes.iter().find(is_called).map(|to| (from.name.as_str(), to.name.as_str()))
}

/// Whether the key of the table is made of an attribute.
pub(super) fn is_in_key(entity: &Entity, attribute: &str) -> bool {
    let templates = entity.key.iter().flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    templates.flat_map(Template::paths).any(|path| path.root == attribute)
}

/// Attributes under other names: a key of the child begins with all that a partition key of the
/// parent is made of, `CUSTOMER#{Username}` and `CUSTOMER#{Owner}#…`.
fn aligned<'m>(parent: &'m Entity, child: &'m Entity) -> Vec<(&'m str, &'m str)> {
    let partitions = parent.key.iter().flat_map(|keys| &keys.partition);
    let of_indexes = child.indexes.iter().map(|index| &index.keys);
    let keys = child.key.iter().chain(of_indexes);
    let templates: Vec<&Template> =
        keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort)).collect();
    // Items of the same key layout have their own place under the same template.
    let is_own = |partition, template| parent.key == child.key && partition == template;
    let mut pairs = Vec::new();
    for partition in partitions {
        for template in templates.iter().filter(|template| !is_own(partition, **template)) {
            pairs.extend(prefix_pairs(partition, template).unwrap_or_default());
        }
    }
    pairs
}

/// The attributes at the same places, if a template begins with all segments of another that has a
/// text of its own.
fn prefix_pairs<'m>(parent: &'m Template, child: &'m Template) -> Option<Vec<(&'m str, &'m str)>> {
    let mut pairs = Vec::new();
    let mut has_literal = false;
    let mut rest = child.segments().iter();
    for segment in parent.segments() {
        match (segment, rest.next()?) {
            (Segment::Literal(left), Segment::Literal(right)) => {
                has_literal = true;
                // The last text of the parent's key may go on in the child's.
                if !right.starts_with(left.as_str()) {
                    return None;
                }
            }
            (Segment::Attribute(left), Segment::Attribute(right)) => {
                pairs.push((left.path.root.as_str(), right.path.root.as_str()));
            }
            (
                Segment::Literal(_) | Segment::Attribute(_) | Segment::Shard(_),
                Segment::Literal(_) | Segment::Attribute(_) | Segment::Shard(_),
            ) => return None,
        }
    }
    has_literal.then_some(pairs)
}
