//! A list that is sent for an attribute that is a set.

use monotable_item::Type;
use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::request_part::request_parts;
use crate::rule::{Rule, rule};
use crate::sent_value::{SentRole, declared_type, sent_values};

pub(super) const RULE: Rule = rule!(
    "set-sent-as-list",
    Error,
    Requests,
    Evidence,
    "a list is sent for an attribute that is a set",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for part in request_parts(subject) {
        let Some(table) = part.table else { continue };
        for sent in sent_values(&part) {
            let declared = declared_type(subject.model, table, &sent.attribute);
            let Some(set) = declared.and_then(set_code) else { continue };
            if sent.role == SentRole::Same && sent.value.kind() == Type::List {
                let message =
                    format!("{} is a set ({set}), and the request sends a list", sent.attribute);
                let error = Diagnostic::error(RULE.code, sent.place, message);
                found.push(error.with_suggestion(format!("send {{\"{set}\": […]}}")));
            }
        }
    }
    found
}

fn set_code(kind: Type) -> Option<&'static str> {
    matches!(kind, Type::StringSet | Type::NumberSet | Type::BinarySet).then(|| kind.code())
}
