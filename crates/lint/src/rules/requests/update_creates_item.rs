//! An update that makes a part of an item where there is none.

use monotable_expr::Section;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{ActionKind, Attribute};
use monotable_model::template::Template;

use crate::Subject;
use crate::condition_shape::{condition_of, requires_item};
use crate::pattern_write::{PatternWrite, all_writes};
use crate::rule::{Rule, rule};
use crate::update_clause::{Clause, clauses};

pub(super) const RULE: Rule = rule!(
    "update-creates-item",
    Warning,
    Requests,
    Model,
    "an update without a condition creates an item that lacks required attributes",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let writes = all_writes(subject.model).into_iter();
    let updates = writes.filter(|write| write.kind == ActionKind::Update);
    updates.filter_map(|write| creates(subject, &write)).collect()
}

fn creates(subject: &Subject<'_>, write: &PatternWrite<'_>) -> Option<Diagnostic> {
    let clauses = clauses(&write.change?.text);
    let makes_item = clauses.iter().any(|clause| match clause.section {
        // A sum with an absent attribute fails, and so does a change inside of one.
        Section::Set => clause.summands().is_empty() && clause.target.is_attribute(),
        Section::Add => true,
        Section::Remove | Section::Delete => false,
    });
    let is_guarded = match write.condition {
        None => false,
        Some(condition) => condition_of(condition).is_none_or(|one| requires_item(&one)),
    };
    if !makes_item || is_guarded || clauses.iter().any(fails_without_item) {
        return None;
    }
    let missing = write.entity.attributes.iter().find(|one| is_missing(write, one, &clauses))?;
    let key = subject.model.tables_of(write.entity).next()?;
    let message = format!(
        "if there is no {}, the update creates one without {}",
        write.entity.name, missing.name
    );
    let suggestion = format!("condition = \"attribute_exists({})\"", key.partition_key.name);
    let found = Diagnostic::warning(RULE.code, write.place.clone(), message);
    Some(found.with_suggestion(suggestion))
}

fn fails_without_item(clause: &Clause<'_>) -> bool {
    clause.section == Section::Set
        && (!clause.summands().is_empty() || !clause.target.is_attribute())
}

/// Whether every item has the attribute, and the one that the update makes has not.
fn is_missing(write: &PatternWrite<'_>, attribute: &Attribute, clauses: &[Clause<'_>]) -> bool {
    let is_set = clauses.iter().any(|clause| clause.target.root_name() == attribute.name);
    let templates = write.entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    let in_key = templates.flat_map(Template::paths).any(|path| path.root == attribute.name);
    attribute.required && !is_set && !in_key
}
