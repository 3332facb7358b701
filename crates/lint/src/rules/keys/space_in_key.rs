//! White space in a key.

use monotable_item::Value;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::template::{Form, Segment};

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule =
    rule!("space-in-key", Info, Keys, Model, "a key holds white space", check);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let sites = key_sites(subject.model).into_iter();
    sites.filter_map(|site| finding(subject, &site)).collect()
}

fn finding(subject: &Subject<'_>, site: &KeySite<'_>) -> Option<Diagnostic> {
    let example = in_template(site).or_else(|| in_items(subject, site))?;
    let message = format!("{} holds white space: \"{example}\"", site.describe());
    let suggestion =
        "write the part with :slug, which leaves white space out, or :snake, which writes _";
    Some(Diagnostic::info(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}

/// A literal or a token with white space.
fn in_template(site: &KeySite<'_>) -> Option<String> {
    let spaced = |text: &str| text.contains(char::is_whitespace).then(|| text.to_owned());
    site.template.segments().iter().find_map(|segment| match segment {
        Segment::Literal(text) => spaced(text),
        Segment::Attribute(part) => match part.encoding.form() {
            Form::Enumeration(tokens) => tokens.tokens().find_map(|(_, token)| spaced(token)),
            _ => None,
        },
        Segment::Shard(_) => None,
    })
}

/// The key of a stored item with white space.
fn in_items(subject: &Subject<'_>, site: &KeySite<'_>) -> Option<String> {
    let mut own = subject.typed_items().filter(|(entity, _)| entity.name == site.entity.name);
    own.find_map(|(_, stored)| match stored.item.get(&site.attribute.name)? {
        Value::String(key) => key.contains(char::is_whitespace).then(|| key.clone()),
        _ => None,
    })
}
