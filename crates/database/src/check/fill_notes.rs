//! Notes of how far new indexes are filled.

use monotable_storage::{Engine, Result as StorageResult};

use super::catalogue::unreadable;
use super::checker::Checker;
use super::table_check::TableCheck;
use super::{Family, LocationKey, Problem, Repair};
use crate::any_index::AnyIndex;
use crate::keyspace::fill::{self, Filled, SLICES};
use crate::schema::IndexStatus;

impl<E: Engine> Checker<'_, E> {
    /// Reads how far the indexes of a table are filled.
    pub(super) async fn check_fills(&mut self, table: &mut TableCheck<'_>) -> StorageResult<()> {
        for index in table.schema.every_index() {
            match index.status() {
                IndexStatus::Active => self.remove_fills(table, index).await?,
                IndexStatus::Creating => self.read_fills(table, index).await?,
                // What is left of them goes with the index.
                IndexStatus::Deleting => {}
            }
        }
        Ok(())
    }

    /// A complete index has no notes.
    async fn remove_fills(
        &mut self,
        table: &TableCheck<'_>,
        index: AnyIndex<'_>,
    ) -> StorageResult<()> {
        let mut rest = fill::range(table.schema.id, index.id());
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            for (key, value) in chunk.entries {
                let place = table.place().index(index.name()).at(LocationKey::Bytes(key.clone()));
                let repair = Repair::Remove { key, value };
                self.mend(place, Problem::FillOfCompleteIndex, Family::Fill, repair).await?;
            }
        }
        Ok(())
    }

    async fn read_fills(
        &mut self,
        table: &mut TableCheck<'_>,
        index: AnyIndex<'_>,
    ) -> StorageResult<()> {
        let schema = table.schema;
        let mut slices = Some(vec![Filled::Nothing; usize::from(SLICES)]);
        let mut rest = fill::range(schema.id, index.id());
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            for (key, value) in chunk.entries {
                let place = table.place().index(index.name());
                let problem = match read_slice(table, index, &key, &value) {
                    Ok((slice, filled)) => {
                        let slices = slices.iter_mut().flatten();
                        slices
                            .skip(usize::from(slice))
                            .take(1)
                            .for_each(|place| *place = filled.clone());
                        continue;
                    }
                    Err(problem) => problem,
                };
                self.fault(place.at(LocationKey::Bytes(key)), problem);
                slices = None;
            }
        }
        table.fills.insert(index.id(), slices);
        Ok(())
    }
}

/// How far a slice is filled.
fn read_slice(
    table: &TableCheck<'_>,
    index: AnyIndex<'_>,
    key: &[u8],
    value: &[u8],
) -> Result<(u8, Filled), Problem> {
    let id = table.schema.id;
    let slice = (0..SLICES).find(|slice| fill::encode_key(id, index.id(), *slice) == key);
    let slice = slice.ok_or(Problem::MalformedKey(Family::Fill))?;
    let filled = fill::decode_value(Some(value));
    let filled = filled.map_err(|reason| unreadable(Family::Fill, reason))?;
    match &filled {
        Filled::Through(last) if !fill::items(id, slice).contains(last) => {
            Err(Problem::FillOutside { slice })
        }
        Filled::Nothing | Filled::Through(_) | Filled::Everything => Ok((slice, filled)),
    }
}
