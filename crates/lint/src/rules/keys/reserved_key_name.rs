//! A key attribute that is called as a word of the expression language.

use monotable_expr::is_reserved;
use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::key_site::{RouteKey, route_keys, routes};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "reserved-key-name",
    Info,
    Keys,
    Model,
    "a key attribute has a reserved word as its name, so that every expression needs a placeholder",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let keys = routes(subject.model).flat_map(|(table, index)| route_keys(table, index));
    keys.filter(|key| is_reserved(&key.attribute.name)).map(|key| finding(&key)).collect()
}

fn finding(key: &RouteKey<'_>) -> Diagnostic {
    let name = &key.attribute.name;
    let message = format!("{name} is a reserved word: a key condition can name it only as #{name}");
    let suggestion = "call it PK or SK, or always write the placeholder";
    Diagnostic::info(RULE.code, key.place.clone(), message).with_suggestion(suggestion)
}
