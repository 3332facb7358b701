//! Placeholders that are used and not defined, or defined and not used.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Tree;

use crate::Subject;
use crate::request_part::{RequestPart, request_parts, used_placeholders};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "placeholder-mismatch",
    Error,
    Requests,
    Evidence,
    "a placeholder is used and not defined, or defined and not used",
    check
);

const NAMES: &str = "ExpressionAttributeNames";
const VALUES: &str = "ExpressionAttributeValues";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    request_parts(subject).iter().flat_map(mismatches).collect()
}

fn mismatches(part: &RequestPart<'_>) -> Vec<Diagnostic> {
    let expressions = part.expressions();
    let used: Vec<&str> = expressions.iter().flat_map(|one| used_placeholders(one.text)).collect();
    let mut found = Vec::new();
    for expression in &expressions {
        let mut placeholders = used_placeholders(expression.text);
        placeholders.sort_unstable();
        placeholders.dedup();
        for placeholder in placeholders.into_iter().filter(|one| !is_defined(part, one)) {
            let member = if placeholder.starts_with('#') { NAMES } else { VALUES };
            let message = format!("{placeholder} is used and not defined");
            let error = Diagnostic::error(RULE.code, expression.place.clone(), message);
            found.push(error.with_suggestion(format!("define it in {member}")));
        }
    }
    for member in [NAMES, VALUES] {
        for name in defined(part, member).filter(|name| !used.contains(name)) {
            let message = format!("{name} is defined and no expression uses it");
            let place = part.place.member(member).member(name);
            let error = Diagnostic::error(RULE.code, place, message);
            found.push(error.with_suggestion("leave it out: the service refuses the request"));
        }
    }
    found
}

fn is_defined(part: &RequestPart<'_>, placeholder: &str) -> bool {
    let member = if placeholder.starts_with('#') { NAMES } else { VALUES };
    defined(part, member).any(|name| name == placeholder)
}

fn defined<'a>(part: &RequestPart<'a>, member: &str) -> impl Iterator<Item = &'a str> {
    let members = part.body.member(member).map_or(&[][..], Tree::members);
    members.iter().map(|(name, _)| name.as_str())
}
