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
    bare.filter(|site| has_company(subject, site)).map(|site| finding(subject, &site)).collect()
}

/// Whether another entity's keys can lie among these: in the table, or for a sort key in a
/// partition.
fn has_company(subject: &Subject<'_>, site: &KeySite<'_>) -> bool {
    let own = Resident { entity: site.entity, keys: site.keys };
    let others = residents(subject.model, site.table, None).into_iter();
    let mut others = others.filter(|other| !is_same_family(other.entity, site.entity));
    match site.side {
        // Entities that share a partition on purpose are told apart by their sort keys.
        KeySide::Partition => others.any(|other| !has_same_partition(site, &other)),
        KeySide::Sort => others.any(|other| match (own.entity_keys(), other.entity_keys()) {
            (Some(own), Some(other)) => !own.same_collection(&other).is_never(),
            (None, _) | (_, None) => true,
        }),
    }
}

/// Whether another entity builds the same partition keys, from attributes of whatever names.
fn has_same_partition(site: &KeySite<'_>, other: &Resident<'_>) -> bool {
    let (own, other) = (&site.keys.partition, &other.keys.partition);
    own.len() == other.len() && own.iter().zip(other).all(|(own, other)| is_same(own, other))
}

fn is_same(own: &Template, other: &Template) -> bool {
    let (own, other) = (own.segments(), other.segments());
    own.len() == other.len()
        && own.iter().zip(other).all(|pair| match pair {
            (Segment::Attribute(own), Segment::Attribute(other)) => own.encoding == other.encoding,
            (own, other) => own == other,
        })
}

fn finding(subject: &Subject<'_>, site: &KeySite<'_>) -> Diagnostic {
    let message = format!("{}, {}, begins with a value", site.describe(), site.template);
    let suggestion = match site.template.key_type() {
        monotable_item::Type::String => prefix_advice(subject, site),
        _ => "make the key a text that begins with what it is".to_owned(),
    };
    Diagnostic::warning(RULE.code, site.place.clone(), message).with_suggestion(suggestion)
}

/// Entities in one partition must go on to share it, so that they take one prefix together.
fn prefix_advice(subject: &Subject<'_>, site: &KeySite<'_>) -> String {
    let prefix = site.entity.name.to_uppercase();
    let others = residents(subject.model, site.table, None).into_iter();
    let sharing: Vec<&str> = others
        .filter(|other| site.side == KeySide::Partition && has_same_partition(site, other))
        .map(|other| other.entity.name.as_str())
        .collect();
    match sharing.as_slice() {
        [first, .., _] => {
            let prefix = first.to_uppercase();
            let names = sharing.join(", ");
            format!(
                "begin it with one word for all that share it ({names}): \"{prefix}#{}\"",
                site.template
            )
        }
        [] | [_] => format!("begin it with what it is: \"{prefix}#{}\"", site.template),
    }
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
