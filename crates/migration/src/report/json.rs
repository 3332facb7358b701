//! A difference as a tree whose members stay as they are.

use monotable_model::document::Tree;

use crate::{Change, Diff, EntityMigration, Readers, Step};

/// The difference for programs.
pub fn render_json(diff: &Diff) -> Tree {
    map([
        ("equal", Tree::Bool(diff.is_empty())),
        ("class", text(diff.class().word())),
        ("touches_items", Tree::Bool(diff.touches_items())),
        ("changes", Tree::List(diff.changes.iter().map(change).collect())),
        ("migrations", Tree::List(diff.migrations.iter().map(migration).collect())),
        ("steps", Tree::List(diff.steps.iter().map(step).collect())),
    ])
}

fn change(change: &Change) -> Tree {
    map([
        ("mark", text(change.mark.word())),
        ("kind", text(change.kind.word())),
        ("path", text(change.place.as_str())),
        ("before", optional(change.before.as_deref())),
        ("after", optional(change.after.as_deref())),
        ("class", text(change.class.word())),
        ("old_readers_break", Tree::Bool(change.readers == Readers::Break)),
        ("old_writers_break", Tree::Bool(change.readers == Readers::WritersBreak)),
        ("notes", texts(&change.notes)),
    ])
}

fn migration(migration: &EntityMigration) -> Tree {
    map([
        ("entity", text(&migration.entity)),
        ("was", text(&migration.source)),
        ("table", text(&migration.table)),
        ("class", text(migration.class.word())),
        ("sets", texts(&migration.sets)),
        ("removes", texts(&migration.removes)),
    ])
}

fn step(step: &Step) -> Tree {
    map([("kind", text(step.kind.word())), ("text", text(&step.text))])
}

fn map<const N: usize>(members: [(&str, Tree); N]) -> Tree {
    Tree::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn text(text: &str) -> Tree {
    Tree::String(text.to_owned())
}

fn texts(texts: &[String]) -> Tree {
    Tree::List(texts.iter().map(|one| text(one)).collect())
}

fn optional(value: Option<&str>) -> Tree {
    value.map_or(Tree::Null, text)
}
