//! The commands on tables.

use goldenscript::ArgumentConsumer;
use monotable_database::schema::{IndexKind, IndexStatus};
use monotable_database::{DescribedTable, Home, TableChange, TableStatistics};

use super::ScriptResult;
use super::runner::{ScriptRunner, number};
use crate::support::store::Store;
use crate::support::table;

impl<S: Store> ScriptRunner<S> {
    pub(super) fn create_table(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let name = arguments.next_pos().ok_or("a name is missing")?;
        let key = arguments.take_key("key").ok_or("a key is missing")?;
        let mut definition = table::table(name, key)?;
        while let Some((kind, text)) = arguments.next_key() {
            let kind = match kind {
                "gsi" => IndexKind::Global,
                "lsi" => IndexKind::Local,
                other => return Err(format!("no option {other}").into()),
            };
            table::with_index(&mut definition, kind, text)?;
        }
        self.harness.change(self.harness.database().create_table(definition))?;
        Ok(String::new())
    }

    pub(super) fn update_table(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let name = arguments.next_pos().ok_or("a name is missing")?;
        let mut change = TableChange::default();
        if let Some(text) = arguments.take_key("add-index") {
            let index = table::global_index(text)?;
            change.definitions = index.key.attributes().cloned().collect();
            change.create_index = Some(index);
        }
        change.delete_index = arguments.take_key("remove-index").map(str::to_owned);
        change.deletion_protection = arguments.take_key("protected").map(str::parse).transpose()?;
        let table = self.harness.table(name).ok_or("table not found")?;
        self.harness.change(self.harness.database().update_table(&table, change))?;
        Ok(String::new())
    }

    pub(super) fn delete_table(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let name = arguments.next_pos().ok_or("a name is missing")?;
        let table = self.harness.table(name).ok_or("table not found")?;
        self.harness.change(self.harness.database().delete_table(&table))?;
        Ok(String::new())
    }

    pub(super) fn table_names(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let limit = number(arguments.take_key("limit"))?.unwrap_or(100);
        let (home, start) = (Home::default(), arguments.take_key("start"));
        let names = self.harness.database().table_names(&home, start, limit);
        Ok(self.harness.run(names)?.join("\n"))
    }

    pub(super) fn describe(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let table = self.table(arguments)?;
        let database = self.harness.database();
        let described =
            self.harness.run(database.describe(&Home::default(), &table.schema().name))?;
        let DescribedTable { table, statistics } = described.ok_or("table not found")?;
        let (schema, TableStatistics { items, bytes, indexes }) = (table.schema(), statistics);
        let types = schema.definitions.iter().map(|definition| {
            format!(" {}:{}", definition.name, definition.kind.value_type().code())
        });
        let mut out = format!("{}: {items} items, {bytes} bytes;", schema.name);
        out.extend(types);
        for (id, entries, bytes) in indexes {
            let index = schema.index_by_id(id).ok_or("statistics of an unknown index")?;
            let status = match index.status {
                IndexStatus::Creating => "creating",
                IndexStatus::Active => "active",
                IndexStatus::Deleting => "deleting",
            };
            out += &format!("\n{} {status}: {entries} entries, {bytes} bytes", index.name);
        }
        Ok(out)
    }
}
