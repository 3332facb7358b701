//! A part of a key that items do not have as an attribute of its own.

use crate::diagnostic::Diagnostic;
use crate::lint::Subject;
use crate::lint::key_site::{KeySite, key_sites};
use crate::lint::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "attribute-only-in-key",
    Warning,
    Keys,
    "items have a value in their key, and not as an attribute",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for site in key_sites(subject.model) {
        for (_, attribute) in site.parts() {
            let name = attribute.item_name();
            if seen.contains(&(site.entity.name.as_str(), name)) {
                continue;
            }
            seen.push((&site.entity.name, name));
            found.extend(finding(subject, &site, name));
        }
    }
    found
}

fn finding(subject: &Subject<'_>, site: &KeySite<'_>, name: &str) -> Option<Diagnostic> {
    let own = || subject.typed_items().filter(|(entity, _)| entity.name == site.entity.name);
    let keyed = own().filter(|(_, stored)| stored.item.contains_key(&site.attribute.name));
    let lacking = keyed.filter(|(_, stored)| !stored.item.contains_key(name)).count();
    if lacking == 0 {
        return None;
    }
    let of = format!("{lacking} of {} items of {}", own().count(), site.entity.name);
    let message = format!("{of} have {name} in {} and not as an attribute", site.attribute.name);
    let suggestion = format!("write {name} beside the key, and take it from there");
    Some(Diagnostic::warning(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}
