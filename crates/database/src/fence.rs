//! What a write stands on.
//!
//! A write is checked against one version of its table. It shares the table's record with all other
//! writes, and so keeps it from changing until it is committed; if the record is not the one it was
//! checked against, it does nothing and is checked again. For an index that is being filled it also
//! shares the note of how far that is, which says whether the item is in the index yet.
//!
//! The shared keys of one item are its table's record and then, for each index that is being
//! filled, the slice of the item.

use std::borrow::Cow;

use monotable_storage::{Key, Reads};

use crate::error::CorruptRecord;
use crate::key::ItemKey;
use crate::keyspace::fill;
use crate::schema::IndexId;
use crate::table::Table;

/// Why a write cannot go on.
#[derive(Debug)]
pub(crate) enum FenceError {
    /// The table is not what it was when the write was checked.
    Changed,
    /// A note cannot be read.
    Corrupt(CorruptRecord),
}

/// The shared keys of one write.
pub(crate) fn keys<'t>(table: &'t Table, key: &ItemKey) -> Cow<'t, [Key]> {
    if table.schema().filling_indexes().next().is_none() {
        return Cow::Borrowed(std::slice::from_ref(table.record_key()));
    }
    let mut keys = vec![table.record_key().clone()];
    push_slices(&mut keys, table, key);
    Cow::Owned(keys)
}

fn push_slices(keys: &mut Vec<Key>, table: &Table, key: &ItemKey) {
    let (schema, slice) = (table.schema(), fill::slice_of(key));
    let slices = schema.filling_indexes();
    keys.extend(slices.map(|index| fill::encode_key(schema.id, index, slice)));
}

/// The shared keys of many writes, and where those of each begin.
#[derive(Debug, Default)]
pub(crate) struct Fences {
    pub(crate) keys: Vec<Key>,
    begins: Vec<usize>,
}

impl Fences {
    /// The fences of writes to these items.
    pub(crate) fn of<'a>(items: impl Iterator<Item = (&'a Table, &'a ItemKey)>) -> Fences {
        let mut fences = Fences::default();
        let mut last: Option<(&Table, usize)> = None;
        for (table, key) in items {
            let is_filling = table.schema().filling_indexes().next().is_some();
            let begin = match last {
                // Without slices, writes to one table stand on the same.
                Some((same, begin)) if std::ptr::eq(same, table) && !is_filling => begin,
                Some(_) | None => fences.keys.len(),
            };
            if begin == fences.keys.len() {
                fences.keys.push(table.record_key().clone());
                push_slices(&mut fences.keys, table, key);
            }
            fences.begins.push(begin);
            last = Some((table, begin));
        }
        fences
    }

    /// Checks the fence of the write at `index`; see [`check`].
    pub(crate) fn check(
        &self,
        index: usize,
        table: &Table,
        key: &ItemKey,
        reads: &Reads,
    ) -> Result<Vec<IndexId>, FenceError> {
        let begin = self.begins.get(index).copied().unwrap_or(usize::MAX);
        check(table, key, reads, begin)
    }
}

/// Checks that the table is what it was, by the shared keys from `begin` on. Returns the indexes
/// that do not hold the item yet, whatever it is.
pub(crate) fn check(
    table: &Table,
    key: &ItemKey,
    reads: &Reads,
    begin: usize,
) -> Result<Vec<IndexId>, FenceError> {
    if !table.stands(reads.shared(begin)) {
        return Err(FenceError::Changed);
    }
    let mut unfilled = Vec::new();
    for (index, place) in table.schema().filling_indexes().zip(begin + 1..) {
        let filled = reads.shared(place).map(|value| &**value);
        let filled = fill::decode_value(filled).map_err(FenceError::Corrupt)?;
        if !filled.holds(key.storage_key()) {
            unfilled.push(index);
        }
    }
    Ok(unfilled)
}
