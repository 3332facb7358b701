//! A value that can hold the delimiter.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::template::{Escaping, Form, Meaning, Reading, Segment};

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};
use crate::wording::value_text;

pub(super) const RULE: Rule = rule!(
    "delimiter-in-value",
    Error,
    Keys,
    Model,
    "a value in a key can hold the delimiter, so that the key reads in two ways",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let sites = key_sites(subject.model).into_iter();
    sites.filter_map(|site| in_token(&site).or_else(|| ambiguous(&site))).collect()
}

/// A token that a reader who splits at the delimiter would split.
fn in_token(site: &KeySite<'_>) -> Option<Diagnostic> {
    let delimiter = site.template.delimiter().character();
    let splits = |segment: &Segment| match segment {
        Segment::Literal(text) => text.contains(delimiter),
        Segment::Attribute(_) | Segment::Shard(_) => false,
    };
    if !site.template.segments().iter().any(splits) {
        return None;
    }
    site.parts().find_map(|(part, _)| {
        let Form::Enumeration(tokens) = part.encoding.form() else { return None };
        let (value, token) = tokens.tokens().find(|(_, token)| token.contains(delimiter))?;
        let message = format!(
            "{} is divided by {delimiter}, and {token} of {} has one inside",
            site.describe(),
            part.path
        );
        let without: String = token.chars().filter(|character| *character != delimiter).collect();
        let suggestion =
            format!("write another token: enum({value}={without}), or choose another delimiter");
        Some(Diagnostic::error(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
    })
}

/// A key that has two readings although something stands between its values.
fn ambiguous(site: &KeySite<'_>) -> Option<Diagnostic> {
    let segments = site.template.segments();
    let is_value = |segment: &Segment| !matches!(segment, Segment::Literal(_));
    let mut pairs = segments.iter().zip(segments.iter().skip(1));
    if pairs.any(|(first, second)| is_value(first) && is_value(second)) {
        return None;
    }
    if !can_be_ambiguous(site) {
        return None;
    }
    let verdict = site.key_set().ambiguity();
    let ambiguity = verdict.example()?;
    let readings: Vec<String> = ambiguity.readings.iter().map(described).collect();
    let message = format!(
        "{} can be \"{}\", which means {}",
        site.describe(),
        ambiguity.key,
        readings.join(" or ")
    );
    let suggestion = "leave out raw, so that the delimiter is escaped, or say with charset that \
                      values have none";
    Some(Diagnostic::error(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}

/// Whether a text is written as it is, or something else than the delimiter stands between two
/// values.
fn can_be_ambiguous(site: &KeySite<'_>) -> bool {
    let delimiter = site.template.delimiter().character();
    let segments = site.template.segments();
    let inner = segments.len().saturating_sub(1);
    segments.iter().take(inner).skip(1).any(|segment| match segment {
        Segment::Literal(text) => !text.contains(delimiter),
        Segment::Attribute(_) | Segment::Shard(_) => false,
    }) || segments.iter().take(inner).any(|segment| match segment {
        Segment::Attribute(part) => match part.encoding.form() {
            Form::Text(form) => form.escaping == Escaping::Verbatim,
            _ => false,
        },
        Segment::Literal(_) | Segment::Shard(_) => false,
    })
}

fn described(reading: &Reading) -> String {
    let parts = reading.parts().iter().filter_map(|part| match &part.meaning {
        Meaning::Attribute { path, value, .. } => Some(format!("{path} = {}", value_text(value))),
        Meaning::Hash { .. } | Meaning::Shard(_) => None,
    });
    parts.collect::<Vec<_>>().join(", ")
}
