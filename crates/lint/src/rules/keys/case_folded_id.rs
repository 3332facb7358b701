//! An identifier whose upper and lower case differ, written in one case.

use monotable_item::Value;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Attribute, AttributeFormat};
use monotable_model::template::{AttributePart, Form, TextStep};

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "case-folded-id",
    Error,
    Keys,
    Model,
    "an identifier that needs its upper and lower case is written in one case",
    check
);

/// Shorter texts may be words.
const IDENTIFIER_CHARS_MIN: usize = 16;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for site in key_sites(subject.model) {
        let folded = site.parts().filter(|(part, _)| folds(part));
        found.extend(folded.filter_map(|(_, attribute)| finding(subject, &site, attribute)));
    }
    found
}

fn folds(part: &AttributePart) -> bool {
    let Form::Text(form) = part.encoding.form() else { return false };
    form.steps.iter().any(|step| match step {
        TextStep::Fold | TextStep::Upper | TextStep::Slug | TextStep::Snake => true,
        TextStep::Digits(_) | TextStep::Reversed | TextStep::First(_) => false,
    })
}

fn finding(subject: &Subject<'_>, site: &KeySite<'_>, attribute: &Attribute) -> Option<Diagnostic> {
    let name = &attribute.name;
    let is_ksuid = attribute.format == Some(AttributeFormat::Ksuid);
    let seen = || subject.values(site.entity, attribute).find_map(identifier);
    let what = match (is_ksuid, seen()) {
        (true, _) => "a KSUID".to_owned(),
        (false, Some(value)) => format!("such as \"{value}\""),
        (false, None) => return None,
    };
    let message = format!(
        "{} writes {name}, {what}, in one case: two identifiers can become one",
        site.describe()
    );
    let suggestion = format!("write {{{name}}} as it is");
    Some(Diagnostic::error(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}

/// A text of letters of both cases and digits, as base 62 and base 64 write.
fn identifier(value: &Value) -> Option<&str> {
    let Value::String(text) = value else { return None };
    let has = |is: fn(&char) -> bool| text.chars().any(|character| is(&character));
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "+/=_-".contains(character);
    let is_mixed = has(char::is_ascii_lowercase) && has(char::is_ascii_uppercase);
    let is_identifier = text.len() >= IDENTIFIER_CHARS_MIN
        && text.chars().all(is_plain)
        && is_mixed
        && has(char::is_ascii_digit);
    is_identifier.then_some(text.as_str())
}
