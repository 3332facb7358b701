//! Two values that become one in a key.

use std::collections::BTreeMap;

use monotable_item::Value;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Attribute;
use monotable_model::template::{Form, TextForm};

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "normalisation-collision",
    Error,
    Keys,
    Model,
    "two values that are stored become the same text in a key",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for site in key_sites(subject.model).iter().filter(|site| site.index.is_none()) {
        for (part, attribute) in site.parts() {
            let Form::Text(form) = part.encoding.form() else { continue };
            // A text that is cut is meant to be shared by all that begin so.
            if !form.is_lossless() && form.first().is_none() {
                found.extend(finding(subject, site, attribute, form));
            }
        }
    }
    found
}

fn finding(
    subject: &Subject<'_>,
    site: &KeySite<'_>,
    attribute: &Attribute,
    form: &TextForm,
) -> Option<Diagnostic> {
    let mut sources: BTreeMap<String, &str> = BTreeMap::new();
    let texts = subject.values(site.entity, attribute).filter_map(|value| match value {
        Value::String(text) => Some(text.as_str()),
        _ => None,
    });
    let mut both = None;
    for text in texts {
        let written = form.normalise(text);
        let earlier = *sources.entry(written.clone()).or_insert(text);
        if earlier != text {
            both = Some((earlier, text, written));
            break;
        }
    }
    let (one, other, written) = both?;
    let name = &attribute.name;
    let message = format!(
        "\"{one}\" and \"{other}\" of {name} both become \"{written}\" in {}",
        site.describe()
    );
    let suggestion = format!("add a part that tells them apart, or write {{{name}}} as it is");
    Some(Diagnostic::error(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}
