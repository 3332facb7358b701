//! Keys that change while items with the old ones are there.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Keys};

use crate::Subject;
use crate::kept::{is_migrated, kept_entities};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "rewriting-change-unannounced",
    Error,
    Evolution,
    Evidence,
    "a key of an entity changes, and nothing moves the items that are stored",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let kept = kept_entities(subject).into_iter();
    let silent = kept.filter(|(before, after)| !is_migrated(subject, before, after));
    silent.flat_map(|(before, after)| changes(before, after)).collect()
}

fn changes(before: &Entity, after: &Entity) -> Vec<Diagnostic> {
    let place = Place::entity(&after.name);
    let own = before.key.as_ref().zip(after.key.as_ref());
    let own = own.filter(|(old, new)| old != new).map(|(old, new)| {
        let message = format!(
            "the key of {} was {} and is {}: items that are stored are not found",
            after.name,
            written(old),
            written(new)
        );
        finding(place.member("key"), message, after)
    });
    let of_indexes = after.indexes.iter().filter_map(|keys| {
        let place = place.member("indexes").member(&keys.index);
        let message = match before.index_key(&keys.index) {
            Some(old) if old == keys => return None,
            Some(old) => format!(
                "the key of {} in {} was {} and is {}: items that are stored keep the old one",
                after.name,
                keys.index,
                written(&old.keys),
                written(&keys.keys)
            ),
            None => format!(
                "{} gets a key in {}, which items that are stored do not have",
                after.name, keys.index
            ),
        };
        Some(finding(place, message, after))
    });
    own.into_iter().chain(of_indexes).collect()
}

fn written(keys: &Keys) -> String {
    let texts: Vec<String> =
        keys.partition.iter().chain(&keys.sort).map(ToString::to_string).collect();
    texts.join(" + ")
}

fn finding(place: Place, message: String, after: &Entity) -> Diagnostic {
    let version = after.version.unwrap_or(1) + 1;
    let suggestion = format!(
        "say version = {version} and move the stored items: `monotable model diff` shows how"
    );
    Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
}
