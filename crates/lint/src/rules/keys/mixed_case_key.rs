//! Text in a key whose upper and lower case nobody settles.

use monotable_item::Value;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Attribute, AttributeFormat, Entity};
use monotable_model::template::{AttributePart, CharSet, Form, TextStep};

use crate::Subject;
use crate::attribute_domain::characters_of;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "mixed-case-key",
    Warning,
    Keys,
    Model,
    "text that people type is in a key as they type it, in upper and lower case",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for site in key_sites(subject.model) {
        for (part, attribute) in site.parts() {
            let is_new = !seen.contains(&(site.entity.name.as_str(), attribute.name.as_str()));
            if is_new && !has_case(part) && !is_of_one_case(attribute) {
                seen.push((&site.entity.name, &attribute.name));
                found.extend(finding(subject, &site, attribute));
            }
        }
    }
    found
}

/// Whether the part is no text, or settles the case.
fn has_case(part: &AttributePart) -> bool {
    let Form::Text(form) = part.encoding.form() else { return true };
    let settles = |step: &TextStep| match step {
        TextStep::Fold | TextStep::Upper | TextStep::Slug | TextStep::Snake => true,
        TextStep::Digits(_) | TextStep::Reversed | TextStep::First(_) => false,
    };
    form.steps.iter().any(settles)
}

fn is_of_one_case(attribute: &Attribute) -> bool {
    let lacks = |characters: &CharSet, range| {
        characters.intersection(&CharSet::from_ranges([range])).is_empty()
    };
    let by_characters = characters_of(attribute)
        .is_some_and(|characters| lacks(&characters, ('a', 'z')) || lacks(&characters, ('A', 'Z')));
    !attribute.values.is_empty() || by_characters
}

fn finding(subject: &Subject<'_>, site: &KeySite<'_>, attribute: &Attribute) -> Option<Diagnostic> {
    let name = &attribute.name;
    let message = match (attribute.format, two_cases(subject, site.entity, attribute)) {
        (_, Some((one, other))) => {
            format!(
                "{} holds {name} as it is, once \"{one}\" and once \"{other}\"",
                site.describe()
            )
        }
        (Some(AttributeFormat::Email), None) => {
            format!(
                "{} holds the address {name} in the case in which it was typed",
                site.describe()
            )
        }
        (_, None) => return None,
    };
    let suggestion = format!("write {{{name}:fold}}: all of it in lower case");
    let finding =
        Diagnostic::warning(RULE.code, site.place.clone(), message).with_suggestion(suggestion);
    // Addresses differ in case by accident only; other text may mean it.
    match attribute.format {
        Some(AttributeFormat::Email) => {
            Some(finding.with_fix(format!("{{{name}}}"), format!("{{{name}:fold}}")))
        }
        Some(_) | None => Some(finding),
    }
}

/// Two stored values of which one is in lower case, or in upper case, and the other is not. Values
/// with digits are identifiers rather than words.
fn two_cases(
    subject: &Subject<'_>,
    entity: &Entity,
    attribute: &Attribute,
) -> Option<(String, String)> {
    let identifies = attribute.format.is_some_and(|format| format != AttributeFormat::Email);
    if identifies {
        return None;
    }
    let mut first: Option<(String, Case)> = None;
    for value in subject.values(entity, attribute) {
        let Value::String(text) = value else { continue };
        let Some(case) = Case::of(text) else { continue };
        match &first {
            Some((one, earlier)) if *earlier != case => return Some((one.clone(), text.clone())),
            Some(_) => {}
            None => first = Some((text.clone(), case)),
        }
    }
    None
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Lower,
    Upper,
    Mixed,
}

impl Case {
    fn of(text: &str) -> Option<Case> {
        if text.contains(|character: char| character.is_ascii_digit()) {
            return None;
        }
        let has = |is: fn(char) -> bool| text.chars().any(is);
        match (has(char::is_lowercase), has(char::is_uppercase)) {
            (true, true) => Some(Case::Mixed),
            (true, false) => Some(Case::Lower),
            (false, true) => Some(Case::Upper),
            (false, false) => None,
        }
    }
}
