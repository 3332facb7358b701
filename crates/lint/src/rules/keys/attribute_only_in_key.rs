//! A part of a key that items do not have as an attribute of its own.

use monotable_item::{Item, Value};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Attribute;
use monotable_model::template::{AttributePart, Meaning, Presence};

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "attribute-only-in-key",
    Warning,
    Keys,
    Model,
    "items have a value in their key, and not as an attribute",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for site in key_sites(subject.model) {
        for (part, attribute) in site.parts() {
            let names = (site.entity.name.as_str(), attribute.item_name());
            if seen.contains(&names) {
                continue;
            }
            seen.push(names);
            let message =
                declared(&site, attribute).or_else(|| lacking(subject, &site, (part, attribute)));
            found.extend(message.map(|message| finding(&site, attribute, message)));
        }
    }
    found
}

/// The attribute is declared not to be stored, and is not the key attribute itself.
fn declared(site: &KeySite<'_>, attribute: &Attribute) -> Option<String> {
    let is_key = site.attribute.name == attribute.item_name();
    (!attribute.stored && !is_key)
        .then(|| format!("{} stands in {} and is not stored", attribute.name, site.describe()))
}

/// Stored items have the attribute in the key, and nowhere else.
fn lacking(
    subject: &Subject<'_>,
    site: &KeySite<'_>,
    (part, attribute): (&AttributePart, &Attribute),
) -> Option<String> {
    let name = attribute.item_name();
    let own = || subject.typed_items().filter(|(entity, _)| entity.name == site.entity.name);
    let is_keyed =
        |item: &Item| item.get(&site.attribute.name).is_some_and(|key| holds(site, key, part));
    let keyed = own().filter(|(_, stored)| is_keyed(&stored.item));
    let count = keyed.filter(|(_, stored)| !stored.item.contains_key(name)).count();
    let of = format!("{count} of {} items of {}", own().count(), site.entity.name);
    let key = &site.attribute.name;
    (count > 0).then(|| format!("{of} have {name} in {key} and not as an attribute"))
}

/// Whether a part of the template stands in a key: one that items may lack may be left out.
fn holds(site: &KeySite<'_>, key: &Value, part: &AttributePart) -> bool {
    if part.presence == Presence::Required {
        return true;
    }
    site.template.read(key).is_ok_and(|reading| {
        reading.parts().iter().any(|read| match &read.meaning {
            Meaning::Attribute { path, .. } | Meaning::Hash { path } => *path == part.path,
            Meaning::Shard(_) => false,
        })
    })
}

fn finding(site: &KeySite<'_>, attribute: &Attribute, message: String) -> Diagnostic {
    let name = attribute.item_name();
    let suggestion = format!("write {name} beside the key, and take it from there");
    Diagnostic::warning(RULE.code, site.place.clone(), message).with_suggestion(suggestion)
}
