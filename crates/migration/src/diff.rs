//! The difference of two models, and the migration that it needs.

use monotable_model::diagnostic::Place;
use monotable_model::document::{Model, Tree, inline_tree, relationship_tree, workload_tree};

use super::change::{Change, ChangeKind, Class, Mark};
use super::entity_migration::{EntityMigration, entity_migrations};
use super::step::{Step, steps};
use super::{effect, entity_change, pattern_change, table_change};

/// Everything that differs, and what is to be done about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Diff {
    /// The changes: tables first, then entities, relationships, access patterns and the workload.
    pub changes: Vec<Change>,
    /// What the items of each entity need.
    pub migrations: Vec<EntityMigration>,
    /// What to do, in order. Nothing if nothing has to be done.
    pub steps: Vec<Step>,
}

impl Diff {
    /// Whether the models are the same but for words meant for people, samples and accepted
    /// findings.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The most that a change asks for.
    pub fn class(&self) -> Class {
        self.changes.iter().map(|change| change.class).max().unwrap_or(Class::Additive)
    }

    /// Whether stored items must be written again.
    pub fn touches_items(&self) -> bool {
        self.class().touches_items()
    }
}

/// Lists what differs between two versions of a model.
///
/// Things are the same if their names are: an entity that is called otherwise is one that went and
/// one that came, since nothing says that its items are the same.
pub fn diff(old: &Model, new: &Model) -> Diff {
    let mut changes = Vec::new();
    table_change::compare(old, new, &mut changes);
    entity_change::compare(old, new, &mut changes);
    relationships(old, new, &mut changes);
    pattern_change::compare(old, new, &mut changes);
    workload(old, new, &mut changes);
    effect::note(old, new, &mut changes);
    let migrations = entity_migrations(old, new);
    let steps = steps(old, new, &changes, &migrations);
    Diff { changes, migrations, steps }
}

fn relationships(old: &Model, new: &Model, changes: &mut Vec<Change>) {
    let place = Place::root().member("relationships");
    let trees = |model: &Model| -> Vec<Tree> {
        model.relationships.iter().map(relationship_tree).collect()
    };
    let (before, after) = (trees(old), trees(new));
    for (index, tree) in after.iter().enumerate().filter(|(_, tree)| !before.contains(tree)) {
        let change = Change::new(Mark::Added, ChangeKind::Relationship, place.index(index));
        changes.push(change.between(None, Some(inline_tree(tree))));
    }
    for (index, tree) in before.iter().enumerate().filter(|(_, tree)| !after.contains(tree)) {
        let change = Change::new(Mark::Removed, ChangeKind::Relationship, place.index(index));
        changes.push(change.between(Some(inline_tree(tree)), None));
    }
}

fn workload(old: &Model, new: &Model, changes: &mut Vec<Change>) {
    let place = Place::root().member("workload");
    let trees = (workload_tree(&old.workload), workload_tree(&new.workload));
    for difference in differences(&trees.0, &trees.1) {
        let change =
            Change::new(difference.mark(), ChangeKind::Workload, place.member(&difference.member));
        changes.push(change.between(difference.before, difference.after));
    }
}

/// A member of a table that differs.
pub(super) struct Difference {
    pub(super) member: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

impl Difference {
    /// Whether the member came, went or became something else.
    pub(super) fn mark(&self) -> Mark {
        match (&self.before, &self.after) {
            (None, _) => Mark::Added,
            (Some(_), None) => Mark::Removed,
            (Some(_), Some(_)) => Mark::Changed,
        }
    }
}

/// The members of two tables that differ: those of the new one in their order, then those that
/// went. Descriptions are for people, and no change.
pub(super) fn differences(old: &Tree, new: &Tree) -> Vec<Difference> {
    let (Tree::Map(before), Tree::Map(after)) = (old, new) else { return Vec::new() };
    let find = |members: &[(String, Tree)], name: &str| {
        members.iter().find(|(other, _)| other == name).map(|(_, tree)| written(tree))
    };
    let gone = before.iter().filter(|(name, _)| find(after, name).is_none());
    let names = after.iter().chain(gone).map(|(name, _)| name.as_str());
    names
        .filter(|name| *name != "description")
        .map(|name| Difference {
            member: name.to_owned(),
            before: find(before, name),
            after: find(after, name),
        })
        .filter(|difference| difference.before != difference.after)
        .collect()
}

/// A value as a line shows it: text without quotes.
pub(super) fn written(tree: &Tree) -> String {
    match tree {
        Tree::String(text) => text.clone(),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) | Tree::Map(_) => {
            inline_tree(tree)
        }
    }
}
