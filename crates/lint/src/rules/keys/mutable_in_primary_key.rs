//! An attribute that changes, in a key that cannot.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Entity;

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "mutable-in-primary-key",
    Error,
    Keys,
    Model,
    "an attribute that changes is part of the table's key, which cannot change",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let sites = key_sites(subject.model).into_iter().filter(|site| site.index.is_none());
    sites.flat_map(|site| findings(&site)).collect()
}

fn findings(site: &KeySite<'_>) -> Vec<Diagnostic> {
    let mut names: Vec<&str> = site.template.paths().map(|path| path.root.as_str()).collect();
    names.dedup();
    let changing = names.into_iter().filter_map(|name| Some((name, why(site.entity, name)?)));
    changing.map(|(name, why)| finding(site, name, why)).collect()
}

/// Why an attribute changes, if it does.
fn why(entity: &Entity, name: &str) -> Option<&'static str> {
    let is = |member: &Option<String>| member.as_deref() == Some(name);
    if entity.attribute(name)?.mutable == Some(true) {
        return Some("is mutable");
    }
    if is(&entity.touched) {
        return Some("is the time of the last change");
    }
    is(&entity.lock).then_some("is raised by every change")
}

fn finding(site: &KeySite<'_>, name: &str, why: &str) -> Diagnostic {
    let message = format!("{name} {why}, and is part of {}", site.describe());
    let suggestion = format!(
        "put {name} into the key of an index, which follows it, and keep the table's key fixed"
    );
    Diagnostic::error(RULE.code, site.place.clone(), message).with_suggestion(suggestion)
}
