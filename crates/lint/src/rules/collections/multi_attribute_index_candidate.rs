//! An index whose composed key could be several attributes.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Entity, Index, IndexKind, Keys, Table};
use monotable_model::template::{Segment, Template};

use crate::Subject;
use crate::key_site::route_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "multi-attribute-index-candidate",
    Info,
    Collections,
    Model,
    "an index for one entity joins attributes into its keys, which could be its keys as they are",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for table in &subject.model.tables {
        let global = table.indexes.iter().filter(|index| index.kind == IndexKind::Global);
        found.extend(global.filter_map(|index| judge(subject, table, index)));
    }
    found
}

fn judge(subject: &Subject<'_>, table: &Table, index: &Index) -> Option<Diagnostic> {
    let mut entities = subject.model.entities_in_index(table, index);
    let (entity, None) = (entities.next()?, entities.next()) else { return None };
    let keys = entity.index_key(&index.name).filter(|keys| keys.when.is_none())?;
    let sides = [&keys.keys.partition, &keys.keys.sort];
    let is_joined =
        sides.iter().any(|templates| templates.iter().any(|one| one.attributes().count() > 1));
    if !is_joined || !is_plain(entity, &keys.keys) {
        return None;
    }
    let list = |templates: &[Template]| -> String {
        let parts = templates.iter().flat_map(|template| template.attributes());
        let names = parts.filter_map(|part| entity.attribute(&part.path.root));
        names.map(|one| format!("\"{}\"", one.item_name())).collect::<Vec<_>>().join(", ")
    };
    let message = format!(
        "{} holds {} alone: its keys can be attributes of the item, without a copy that has to be \
         kept",
        index.name, entity.name
    );
    let sort = if keys.keys.sort.is_empty() {
        String::new()
    } else {
        format!(", sort_key = [{}]", list(&keys.keys.sort))
    };
    let suggestion = format!("partition_key = [{}]{sort}", list(&keys.keys.partition));
    Some(
        Diagnostic::info(RULE.code, route_place(table, Some(index)), message)
            .with_suggestion(suggestion),
    )
}

/// Whether each side is one to four attributes that every item has, with nothing but delimiters
/// between them. A prefix says what an item is, and a form how it sorts: both would be lost.
fn is_plain(entity: &Entity, keys: &Keys) -> bool {
    let is_side = |templates: &Vec<Template>| {
        let segments: Vec<&Segment> = templates.iter().flat_map(Template::segments).collect();
        let attributes = segments.iter().filter(|segment| segment.attribute().is_some()).count();
        (1..=4).contains(&attributes)
            && templates.len() == 1
            && segments.iter().all(|one| is_plain_segment(entity, one))
    };
    is_side(&keys.partition) && (keys.sort.is_empty() || is_side(&keys.sort))
}

fn is_plain_segment(entity: &Entity, segment: &Segment) -> bool {
    match segment {
        Segment::Literal(text) => text.chars().count() == 1,
        Segment::Shard(_) => false,
        Segment::Attribute(part) => {
            let attribute = entity.attribute(&part.path.root);
            part.path.is_attribute()
                && part.encoding.is_lossless()
                && !part.encoding.sorts_descending()
                && attribute.is_some_and(|one| one.required)
        }
    }
}
