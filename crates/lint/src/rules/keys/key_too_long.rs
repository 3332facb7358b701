//! A key that can be longer than the service takes.

use monotable_item::Type;
use monotable_item::limits::{PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Entity, KeySide};
use monotable_model::template::{AttributePart, Form, Segment};

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "key-too-long",
    Error,
    Keys,
    Model,
    "a key can have more bytes than the service takes",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    key_sites(subject.model).iter().filter_map(finding).collect()
}

fn finding(site: &KeySite<'_>) -> Option<Diagnostic> {
    let most = match site.side {
        KeySide::Partition => PARTITION_KEY_BYTES_MAX,
        KeySide::Sort => SORT_KEY_BYTES_MAX,
    };
    let segments = site.template.segments().iter();
    let longest: usize =
        segments.map(|segment| bytes_max(site.entity, segment)).sum::<Option<_>>()?;
    if longest <= most {
        return None;
    }
    let message =
        format!("{} can have {longest} bytes, and at most {most} are taken", site.describe());
    let suggestion =
        "lower max_bytes where the values are checked, or put a hash of the value into the key";
    Some(Diagnostic::error(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}

/// The most bytes of a segment, if the model says so.
fn bytes_max(entity: &Entity, segment: &Segment) -> Option<usize> {
    match segment {
        Segment::Literal(text) => Some(text.len()),
        Segment::Attribute(part) => part_bytes_max(entity, part),
        Segment::Shard(shard) => Some(shard.width()),
    }
}

fn part_bytes_max(entity: &Entity, part: &AttributePart) -> Option<usize> {
    let form = part.encoding.form();
    if let Some(width) = form.fixed_width() {
        return Some(width);
    }
    let attribute = entity.attribute(&part.path.root).filter(|_| part.path.is_attribute())?;
    match (form, attribute.kind) {
        (Form::Enumeration(tokens), _) => tokens.tokens().map(|(_, token)| token.len()).max(),
        (_, Type::Number) => Some(usize::from(monotable_model::template::DIGITS_MAX)),
        _ => usize::try_from(attribute.max_bytes?).ok(),
    }
}
