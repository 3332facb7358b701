//! The newest of something, read from the oldest on.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Keys, Order, Pattern};
use monotable_model::template::{AttributePart, Form, Identifier};
use monotable_plan::{Plan, PlannedAction, Target};

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "newest-n-ascending",
    Error,
    Requests,
    Model,
    "the newest are wanted, and the read begins with the oldest",
    check
);

/// The words of patterns that want the end of a sequence.
const WORDS: [&str; 4] = ["newest", "latest", "last", "recent"];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.planned().filter_map(|(pattern, plan)| ascending(subject, pattern, plan)).collect()
}

fn ascending(subject: &Subject<'_>, pattern: &Pattern, plan: &Plan) -> Option<Diagnostic> {
    let word = words(&pattern.name).into_iter().find(|word| WORDS.contains(&word.as_str()))?;
    let request = plan.steps.first().filter(|step| step.pattern == pattern.name)?;
    let PlannedAction::Query(query) = &request.action else { return None };
    let limit = query.limit.filter(|_| query.order == Order::Ascending)?;
    let entities = pattern.entities.iter().filter_map(|name| subject.model.entity(name));
    let part = entities.filter_map(|entity| sequence(entity, pattern, &request.target)).next()?;
    if part.encoding.sorts_descending() {
        return None;
    }
    let message =
        format!("\"{word}\" reads {limit} items by ascending {}, which are the oldest", part.path);
    let place = Place::pattern(&pattern.name).member("order");
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion("order = \"descending\""))
}

/// The words of a name in small letters: parted by what is no letter or digit, and before a capital
/// that follows a small letter or a digit.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for character in name.chars() {
        let is_hump = character.is_uppercase() && !before.is_uppercase();
        if is_hump || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
        before = character;
    }
    words
}

/// The part of an entity's sort key that a time or a number orders, and that the caller does not
/// give.
fn sequence<'m>(
    entity: &'m Entity,
    pattern: &Pattern,
    target: &Target,
) -> Option<&'m AttributePart> {
    let keys: &Keys = match &target.index {
        None => entity.key.as_ref()?,
        Some(index) => &entity.index_key(index)?.keys,
    };
    let is_given = |name: &str| pattern.by.iter().any(|known| known.attribute == name);
    let mut parts = keys.sort.iter().flat_map(|template| template.attributes());
    parts.find(|part| !is_given(&part.path.root) && is_sequence(part.encoding.form()))
}

fn is_sequence(form: &Form) -> bool {
    match form {
        Form::Number(_) | Form::Time(_) | Form::YearFirst | Form::NumberKey => true,
        Form::Identifier(identifier) => match identifier {
            Identifier::Ulid | Identifier::Ksuid | Identifier::Uuid7 => true,
            Identifier::Uuid => false,
        },
        Form::Text(_) | Form::Plain | Form::Enumeration(_) | Form::Hash(_) => false,
        Form::Bool | Form::BinaryKey => false,
    }
}
