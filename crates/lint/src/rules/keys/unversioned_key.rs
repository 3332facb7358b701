//! Items of several versions that do not say which they are.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Entity;
use monotable_model::template::{Segment, Template};

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unversioned-key",
    Warning,
    Keys,
    Model,
    "an entity has several versions, and neither its key nor an attribute says which",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let later = subject.model.entities.iter().filter_map(|entity| {
        let version = entity.version.filter(|version| *version > 1)?;
        (!carries(entity, version)).then(|| finding(entity, version))
    });
    later.collect()
}

/// Whether the key has the version as a part, or an attribute is called so.
fn carries(entity: &Entity, version: u64) -> bool {
    let in_name = |name: &str| name.to_lowercase().contains("version");
    let mut templates = entity.key.iter().flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    entity.attributes.iter().any(|attribute| in_name(&attribute.name))
        || templates.any(|template| has_part(template, version))
}

fn has_part(template: &Template, version: u64) -> bool {
    let delimiter = template.delimiter().character();
    let is_version = |part: &str| {
        let digits = part.trim_start_matches(|character: char| character.is_alphabetic());
        digits.parse() == Ok(version)
    };
    template.segments().iter().any(|segment| match segment {
        Segment::Literal(text) => text.split(delimiter).any(is_version),
        Segment::Attribute(_) | Segment::Shard(_) => false,
    })
}

fn finding(entity: &Entity, version: u64) -> Diagnostic {
    let name = &entity.name;
    let message = format!("nothing in an item of {name} says that it is of version {version}");
    let suggestion = format!(
        "write the version into the key, as in \"{}#{version:02}#\", or add an attribute for it",
        name.to_lowercase()
    );
    let place = Place::entity(name).member("version");
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}
