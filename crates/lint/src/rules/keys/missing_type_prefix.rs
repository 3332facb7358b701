//! A key that begins with a value, in a table with several entities.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{KeySide, Profile};
use monotable_model::template::{Form, Segment, Template};

use crate::Subject;
use crate::key_site::{KeySite, Resident, is_same_family, key_sites, residents};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "missing-type-prefix",
    Warning,
    Keys,
    Model,
    "a key begins with a value, although several entities share the table",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    if subject.profile == Profile::MultiTable {
        return Vec::new();
    }
    let sites = key_sites(subject.model).into_iter().filter(|site| site.index.is_none());
    let bare = sites.filter(|site| match site.side {
        KeySide::Partition => begins_with_value(site.template),
        KeySide::Sort => begins_with_value(site.template) && !has_word(site.template),
    });
    bare.filter(|site| has_company(subject, site)).map(|site| finding(&site)).collect()
}

/// Whether another entity's keys can lie among these: in the table, or for a sort key in a
/// partition.
fn has_company(subject: &Subject<'_>, site: &KeySite<'_>) -> bool {
    let own = Resident { entity: site.entity, keys: site.keys };
    let others = residents(subject.model, site.table, None).into_iter();
    let mut others = others.filter(|other| !is_same_family(other.entity, site.entity));
    match site.side {
        KeySide::Partition => others.next().is_some(),
        KeySide::Sort => others.any(|other| match (own.entity_keys(), other.entity_keys()) {
            (Some(own), Some(other)) => !own.same_collection(&other).is_never(),
            (None, _) | (_, None) => true,
        }),
    }
}

fn finding(site: &KeySite<'_>) -> Diagnostic {
    let message = format!("{}, {}, begins with a value", site.describe(), site.template);
    let suggestion = match site.template.key_type() {
        monotable_item::Type::String => {
            let prefix = site.entity.name.to_uppercase();
            format!("begin it with what it is: \"{prefix}#{}\"", site.template)
        }
        _ => "make the key a text that begins with what it is".to_owned(),
    };
    Diagnostic::warning(RULE.code, site.place.clone(), message).with_suggestion(suggestion)
}

/// Whether a literal says what the item is, wherever it stands: in a sort key the place of the
/// prefix is a choice.
fn has_word(template: &Template) -> bool {
    template.segments().iter().any(|segment| match segment {
        Segment::Literal(text) => text.contains(char::is_alphabetic),
        Segment::Attribute(_) | Segment::Shard(_) => false,
    })
}

/// Whether neither a literal nor one of a few tokens comes first.
fn begins_with_value(template: &Template) -> bool {
    match template.segments().first() {
        Some(Segment::Attribute(part)) => !matches!(part.encoding.form(), Form::Enumeration(_)),
        Some(Segment::Shard(_)) => true,
        Some(Segment::Literal(_)) | None => false,
    }
}
