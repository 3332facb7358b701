//! What is to be migrated.

use std::sync::Arc;

use monotable_migration::{EntityMigration, Migration, ScanFilter, scan_filter};
use monotable_model::document::{Format, Model, Table, write};
use monotable_remote::Endpoint;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::table::Described;

/// A table of an endpoint, and the models between which its items change.
#[derive(Clone)]
pub struct Job {
    /// The endpoint.
    pub endpoint: Arc<Endpoint>,
    /// The model as it was.
    pub old: Arc<Model>,
    /// The model as it is to be.
    pub new: Arc<Model>,
    /// The table, as the endpoint calls it.
    pub table: String,
}

/// What is known before the first item is read.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// How many items the table has, as far as the service has counted.
    pub item_count: u64,
    /// What the items of each entity need.
    pub entities: Vec<EntityMigration>,
    pub(crate) described: Described,
    pub(crate) filter: Option<ScanFilter>,
}

impl Job {
    /// Looks at the table: it must have the key of the models, and the indexes of the new one.
    pub async fn prepare(&self) -> Result<Prepared, Error> {
        let migration = self.migration()?;
        let described = Described::read(&self.endpoint, &self.table).await?;
        described.check(migration.table())?;
        Ok(Prepared {
            item_count: described.item_count,
            entities: migration.entities().to_vec(),
            filter: scan_filter(&self.old, &self.new, &migration),
            described,
        })
    }

    /// What becomes of items.
    pub(crate) fn migration(&self) -> Result<Migration<'_>, Error> {
        let (old, new) = (self.model_table(&self.old)?, self.model_table(&self.new)?);
        if old.name != new.name {
            return Err(self.unknown(&self.new));
        }
        Ok(Migration::of_table(&self.old, &self.new, &new.name)?)
    }

    /// The table in a model: of the same name, or the only one.
    fn model_table<'m>(&self, model: &'m Model) -> Result<&'m Table, Error> {
        let mut named = model
            .tables
            .iter()
            .filter(|table| table.name == self.table || table.is_called(&self.table));
        match (named.next(), model.tables.as_slice()) {
            (Some(table), _) | (None, [table]) => Ok(table),
            (None, _) => Err(self.unknown(model)),
        }
    }

    fn unknown(&self, model: &Model) -> Error {
        let known = model.tables.iter().map(|table| table.name.clone()).collect();
        Error::UnknownTable { table: self.table.clone(), known }
    }

    /// A hash of both models: checkpoints of other migrations have another one.
    pub(crate) fn fingerprint(&self) -> String {
        let text = |model: &Model| write(model, Format::Json);
        let both = format!("{}\n{}", text(&self.old), text(&self.new));
        format!("{:016x}", xxh3_64(both.as_bytes()))
    }
}
