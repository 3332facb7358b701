//! Consumed capacity as responses show it.

use std::collections::BTreeMap;

use monotable_database::capacity::{Consumed, HalfUnits};
use monotable_database::schema::{IndexId, IndexKind, TableSchema};
use monotable_protocol::shapes::{Capacity, ConsumedCapacity, VectorCapacity};

use crate::observation;
use crate::validate::enums::ReturnConsumed;
use crate::validate::table_name::TableName;

/// Whether the response splits the units into reads and writes, as transactions do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Split {
    /// Only the sum.
    None,
    /// All units are reads.
    Reads,
    /// All units are writes.
    Writes,
}

/// What a call consumed, as much of it as was asked for. The table is called what the request calls
/// it.
pub(crate) fn render(
    table_name: TableName<'_>,
    schema: &TableSchema,
    consumed: &Consumed,
    wanted: ReturnConsumed,
    split: Split,
) -> Option<ConsumedCapacity> {
    observation::note_consumed(schema, consumed);
    if wanted == ReturnConsumed::None {
        return None;
    }
    let total = units(consumed.total(), split);
    let mut rendered = ConsumedCapacity {
        table_name: Some(table_name.as_sent().to_owned()),
        capacity_units: total.capacity_units,
        read_capacity_units: total.read_capacity_units,
        write_capacity_units: total.write_capacity_units,
        ..ConsumedCapacity::default()
    };
    if wanted == ReturnConsumed::Indexes {
        rendered.table = Some(units(consumed.table, split));
        rendered.local_secondary_indexes = arms(schema, consumed, IndexKind::Local, split);
        rendered.global_secondary_indexes = arms(schema, consumed, IndexKind::Global, split);
        rendered.vector_indexes = vector_arms(schema, consumed);
    }
    Some(rendered)
}

fn arms(
    schema: &TableSchema,
    consumed: &Consumed,
    kind: IndexKind,
    split: Split,
) -> Option<BTreeMap<String, Capacity>> {
    let arm = |(id, amount): &(IndexId, HalfUnits)| {
        let index = schema.index_by_id(*id).filter(|index| index.kind == kind)?;
        Some((index.name.clone(), units(*amount, split)))
    };
    let arms: BTreeMap<String, Capacity> = consumed.indexes.iter().filter_map(arm).collect();
    (!arms.is_empty()).then_some(arms)
}

/// Vector indexes are charged for bytes, which are no part of the sum.
fn vector_arms(
    schema: &TableSchema,
    consumed: &Consumed,
) -> Option<BTreeMap<String, VectorCapacity>> {
    let arm = |(id, bytes): &(IndexId, u64)| {
        let index = schema.vector_index_by_id(*id)?;
        let capacity = VectorCapacity {
            vector_search_request_bytes: None,
            vector_write_request_bytes: Some(*bytes as f64),
        };
        Some((index.name().to_owned(), capacity))
    };
    let arms: BTreeMap<String, VectorCapacity> =
        consumed.vector_bytes.iter().filter_map(arm).collect();
    (!arms.is_empty()).then_some(arms)
}

fn units(amount: HalfUnits, split: Split) -> Capacity {
    let units = Some(amount.units());
    Capacity {
        capacity_units: units,
        read_capacity_units: units.filter(|_| split == Split::Reads),
        write_capacity_units: units.filter(|_| split == Split::Writes),
    }
}
