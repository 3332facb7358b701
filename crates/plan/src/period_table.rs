//! Tables of which there is one for each period: which of them a pattern asks.

use monotable_model::document::{Entity, Known, Range, RangeComparison, Table};

use super::bindings::Bindings;
use super::key_text::{KeyText, Piece};
use super::partition::{Missing, partition_text};
use super::reason::Reason;
use super::request_plan::FanOut;

/// The name of the table that a request goes to, and why it goes to several.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PeriodTable {
    /// The name; nothing for a table that has one name.
    pub(super) name: Option<KeyText>,
    pub(super) fan_out: Option<FanOut>,
}

/// The table of an entity's items of which these attributes and this range are known.
pub(super) fn period_table(
    table: &Table,
    entity: &Entity,
    known: &[Known],
    range: Option<&Range>,
) -> Result<PeriodTable, Reason> {
    named_table(table, entity, &Bindings::of_entity(entity, known), range)
}

/// The table of an entity's items of which this is bound.
pub(super) fn named_table(
    table: &Table,
    entity: &Entity,
    bindings: &Bindings,
    range: Option<&Range>,
) -> Result<PeriodTable, Reason> {
    let Some(name) = &table.period_name else { return Ok(PeriodTable::default()) };
    let text = partition_text(name.template(), bindings, range).map_err(|missing| {
        let entity = entity.name.clone();
        match missing {
            Missing::Attribute(attribute) => Reason::UnknownTable { entity, attribute },
            Missing::OpenPeriod(attribute) => Reason::OpenTables { entity, attribute },
        }
    })?;
    let is_each = text.pieces().iter().any(|piece| matches!(piece, Piece::EachPeriod { .. }));
    let fan_out = match range.map(|range| &range.comparison) {
        Some(RangeComparison::Between(from, to)) if is_each => Some(FanOut::PeriodTables {
            part: name.part().clone(),
            from: from.clone(),
            to: to.clone(),
        }),
        Some(_) | None => None,
    };
    Ok(PeriodTable { name: Some(text), fan_out })
}
