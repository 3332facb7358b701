//! A key that lacks an attribute, or has one too many.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Tree;

use crate::Subject;
use crate::request_part::{PartKind, RequestPart, request_parts};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "partial-key",
    Error,
    Requests,
    Evidence,
    "a request about one item gives only a part of its key",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    request_parts(subject).iter().filter_map(partial).collect()
}

fn partial(part: &RequestPart<'_>) -> Option<Diagnostic> {
    let (table, given) = (part.table?, part.key.map_or(&[][..], Tree::members));
    if matches!(part.kind, PartKind::Query | PartKind::Scan) {
        return None;
    }
    let has = |name: &str| given.iter().any(|(other, _)| other == name);
    let keys: Vec<&str> = table.key_attributes().map(|key| key.name.as_str()).collect();
    let member = if part.kind == PartKind::Put { "Item" } else { "Key" };
    let place = part.place.member(member);
    if let Some(missing) = keys.iter().find(|name| !has(name)) {
        let message =
            format!("the key lacks {missing}: the key of {} is {}", table.name, keys.join(" and "));
        let suggestion = if part.kind == PartKind::Get {
            format!(
                "give {missing} as well, or query by {} if several items are meant",
                table.partition_key.name
            )
        } else {
            format!("give {missing} as well")
        };
        return Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion));
    }
    let is_foreign = |(name, _): &&(String, Tree)| !keys.contains(&name.as_str());
    let (foreign, _) = given.iter().find(is_foreign).filter(|_| part.kind != PartKind::Put)?;
    let message = format!("{foreign} is no part of the key of {}", table.name);
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion("leave it out"))
}
