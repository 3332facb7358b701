//! A number that is wider than its place in the key, or soon will be.

use monotable_item::Value;
use monotable_model::diagnostic::{Diagnostic, Severity};
use monotable_model::document::Attribute;
use monotable_model::template::{AttributePart, Form, NumberForm};

use crate::Subject;
use crate::attribute_domain::greatest;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};
use crate::threshold::PAD_SHARE;

pub(super) const RULE: Rule = rule!(
    "pad-overflow",
    Error,
    Keys,
    Model,
    "a number has more digits than its place in a key, or nearly as many",
    check
);

/// How many digits should be left above the largest number that was seen.
const SPARE_DIGITS: usize = 2;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for site in key_sites(subject.model) {
        for (part, attribute) in site.parts() {
            let Form::Number(form) = part.encoding.form() else { continue };
            found.extend(finding(subject, &site, (part, attribute), form));
        }
    }
    found
}

fn finding(
    subject: &Subject<'_>,
    site: &KeySite<'_>,
    (part, attribute): (&AttributePart, &Attribute),
    form: &NumberForm,
) -> Option<Diagnostic> {
    let most = capacity(form);
    let width = usize::from(form.whole_digits());
    let (severity, message) = match greatest(attribute) {
        Some(declared) if declared > most => {
            (Severity::Error, format!("{} can be {declared}, and only {most} fits", part.path))
        }
        Some(_) => return None,
        None if is_numbered(site, attribute) => return None,
        None => seen(subject, site, attribute, most, width)?,
    };
    let message = format!("{message} into {}", site.describe());
    let wider = format!("{{{}:0{}}}", part.path, width + SPARE_DIGITS);
    let suggestion = format!("write {wider}, and rewrite the keys that are there; or declare max");
    let place = site.place.clone();
    let found = match severity {
        Severity::Error => Diagnostic::error(RULE.code, place, message),
        Severity::Warning => Diagnostic::warning(RULE.code, place, message),
        Severity::Info => Diagnostic::info(RULE.code, place, message),
    };
    Some(found.with_suggestion(suggestion))
}

/// What the largest stored number says.
fn seen(
    subject: &Subject<'_>,
    site: &KeySite<'_>,
    attribute: &Attribute,
    most: i64,
    width: usize,
) -> Option<(Severity, String)> {
    let numbers = subject.values(site.entity, attribute).filter_map(|value| match value {
        Value::Number(number) => number.to_i64(),
        _ => None,
    });
    let largest = numbers.max()?;
    let share = subject.threshold(&PAD_SHARE);
    let name = &attribute.name;
    let is_past = |largest: i64| largest as f64 > most as f64 * share;
    if largest > most {
        Some((Severity::Error, format!("{name} is {largest} already, and only {most} fits")))
    } else if is_past(largest) {
        Some((
            Severity::Warning,
            format!("{name} is {largest} already, and no more than {most} fits"),
        ))
    } else if largest.to_string().len() + SPARE_DIGITS > width {
        Some((Severity::Info, format!("{name} is {largest}, and no more than {most} fits")))
    } else {
        None
    }
}

/// The largest number that fits.
fn capacity(form: &NumberForm) -> i64 {
    let by_digits = 10_i64.checked_pow(u32::from(form.whole_digits())).map_or(i64::MAX, |n| n - 1);
    form.total().map_or(by_digits, |total| total.min(by_digits))
}

/// Whether the attribute numbers copies, of which the model says how many there are.
fn is_numbered(site: &KeySite<'_>, attribute: &Attribute) -> bool {
    let copies = site.entity.copies.as_ref();
    copies.is_some_and(|copies| copies.attribute == attribute.name)
}
