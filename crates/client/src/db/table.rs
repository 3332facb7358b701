//! Creating and deleting the table.

use std::collections::BTreeMap;

use monotable_item::Type;
use monotable_model::document::{Index, KeyAttribute};
use tracing::Instrument;
use tracing::field::Empty;

use super::Db;
use super::tally::operation_span;
use crate::backend::{
    Billing, CreateTable, DeleteTable, DescribeTable, IndexDescription, KeySchema, TableStatus,
    UpdateTimeToLive,
};
use crate::entity::Table;
use crate::error::Error;

/// How often a table is asked for whether it can be used.
const ATTEMPTS_MAX: u32 = 60;

impl<T: Table> Db<T> {
    /// Creates the table with its indexes, billed by request, and waits until it can be used.
    pub async fn create_table(&self) -> Result<(), Error> {
        let span = operation_span!("create_table", self, Empty, Empty);
        self.create_table_inside().instrument(span).await
    }

    async fn create_table_inside(&self) -> Result<(), Error> {
        let made = self.backend.create_table(self.create_table_request()).await?;
        let mut status = made.status;
        let mut attempt = 0;
        while status != TableStatus::Active {
            attempt += 1;
            if attempt > ATTEMPTS_MAX {
                return Err(Error::TableUnusable { table: self.name.to_string() });
            }
            self.backend.pause(attempt).await;
            let request = DescribeTable { table: self.table() };
            status = self.backend.describe_table(request).await?.status;
        }
        if let Some(attribute) = T::schema().definition.ttl {
            let attribute = attribute.to_owned();
            let request = UpdateTimeToLive { table: self.table(), attribute, enabled: true };
            self.backend.update_time_to_live(request).await?;
        }
        Ok(())
    }

    /// Deletes the table and everything in it.
    pub async fn delete_table(&self) -> Result<(), Error> {
        let span = operation_span!("delete_table", self, Empty, Empty);
        let request = DeleteTable { table: self.table() };
        self.backend.delete_table(request).instrument(span).await?;
        Ok(())
    }

    fn create_table_request(&self) -> CreateTable {
        let table = &T::schema().document;
        let of_indexes = table.indexes.iter().flat_map(Index::key_attributes);
        let attributes: BTreeMap<String, Type> = table
            .key_attributes()
            .chain(of_indexes)
            .map(|key| (key.name.clone(), key.kind.value_type()))
            .collect();
        CreateTable {
            table: self.table(),
            attributes: attributes.into_iter().collect(),
            key: KeySchema {
                partition: vec![table.partition_key.name.clone()],
                sort: table.sort_key.iter().map(|key| key.name.clone()).collect(),
            },
            indexes: table.indexes.iter().map(index).collect(),
            billing: Billing::OnDemand,
            stream: None,
        }
    }
}

fn index(index: &Index) -> IndexDescription {
    let names = |keys: &[KeyAttribute]| keys.iter().map(|key| key.name.clone()).collect();
    IndexDescription {
        name: index.name.clone(),
        kind: index.kind,
        key: KeySchema { partition: names(&index.partition_key), sort: names(&index.sort_key) },
        projection: index.projection.clone(),
    }
}
