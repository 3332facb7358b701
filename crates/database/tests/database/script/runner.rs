//! Takes the commands of a script to the database.

use std::sync::Arc;
use std::time::Duration;

use goldenscript::{ArgumentConsumer, Command, Context, Runner};
use monotable_database::schema::IndexId;
use monotable_database::{ItemKey, Table, TransactWrite, capacity::Consumed};
use monotable_item::Item;

use super::ScriptResult;
use super::dump::KnownNames;
use crate::support::harness::Harness;
use crate::support::json;
use crate::support::store::Store;

pub(super) struct ScriptRunner<S: Store> {
    pub(super) harness: Harness<S>,
    pub(super) names: KnownNames,
    /// The writes of the transaction that has begun, with the text that they came from.
    pub(super) transaction: Option<Vec<(String, TransactWrite)>>,
}

/// What a command prints beside its result.
pub(super) struct Show {
    pub(super) units: bool,
    pub(super) values: bool,
}

impl<S: Store> ScriptRunner<S> {
    pub(super) fn new() -> ScriptRunner<S> {
        let (harness, names) = (Harness::new(), KnownNames::default());
        ScriptRunner { harness, names, transaction: None }
    }

    pub(super) fn table(&self, arguments: &mut ArgumentConsumer) -> Result<Arc<Table>, String> {
        let name = arguments.next_pos().ok_or("a table is missing")?;
        self.harness.table(name).ok_or(format!("table {name} not found"))
    }

    /// What was consumed, as `3 units: table 1, by_stage 2`.
    pub(super) fn print_units(&self, table: &Table, consumed: &Consumed) -> String {
        let schema = table.schema();
        let name = |id: IndexId| match schema.index_by_id(id) {
            Some(index) => index.name.clone(),
            None => format!("{id:?}"),
        };
        let indexes = consumed.indexes.iter();
        let indexes = indexes.map(|(id, units)| format!(", {} {}", name(*id), units.units()));
        let (total, table) = (consumed.total().units(), consumed.table.units());
        format!("{total} units: table {table}{}\n", indexes.collect::<String>())
    }

    fn clock(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let seconds: u64 = arguments.next_pos().ok_or("seconds are missing")?.parse()?;
        self.harness.clock.advance(Duration::from_secs(seconds));
        Ok(String::new())
    }

    fn background(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        match arguments.next_pos().ok_or("what with it?")? {
            "pause" => self.harness.background().pause(),
            "overtake" => self.harness.background().overtake(),
            "resume" => self.harness.background().resume(),
            steps => self.harness.step(steps.parse()?),
        }
        Ok(String::new())
    }

    fn dispatch(&mut self, command: &Command, show: &Show) -> ScriptResult {
        let arguments = &mut command.consume_args();
        let output = match command.name.as_str() {
            "create" => self.create_table(arguments),
            "update-table" => self.update_table(arguments),
            "delete-table" => self.delete_table(arguments),
            "describe" => self.describe(arguments),
            "tables" => self.table_names(arguments),
            "put" | "update" | "delete" | "check" => self.write(command, arguments, show),
            "fill" => self.fill(arguments),
            "inflate" => self.inflate(arguments),
            "begin" => self.begin(),
            "commit" => self.commit(arguments, show),
            "get" => self.get(arguments, show),
            "query" => self.query(arguments, show),
            "scan" => self.scan(arguments, show),
            "segments" => self.segments(arguments),
            "dump" => return self.dump(arguments),
            "clock" => self.clock(arguments),
            "background" => self.background(arguments),
            "restart" => {
                self.harness.restart();
                Ok(String::new())
            }
            "crash" => {
                self.harness.crash();
                Ok(String::new())
            }
            unknown => Err(format!("no command {unknown}").into()),
        }?;
        arguments.reject_next()?;
        Ok(output)
    }
}

impl<S: Store> Runner for ScriptRunner<S> {
    type Command = Command;

    fn run(&mut self, command: &Command, context: &Context) -> ScriptResult {
        let tagged = |tag: &str| context.tags.contains(tag);
        let show = Show { units: tagged("units"), values: tagged("values") };
        let commits = self.harness.background().commits();
        let mut outcome = self.dispatch(command, &show);
        if tagged("stored") {
            let stored = self.harness.background().commits() - commits;
            outcome = outcome.map(|output| format!("{output}{stored} commits\n"));
        }
        self.names.learn(&self.harness.schemas());
        self.harness.settle();
        self.names.learn(&self.harness.schemas());
        outcome
    }
}

pub(super) fn item(text: Option<&str>) -> Result<Item, String> {
    json::item(text.ok_or("an item is missing")?)
}

pub(super) fn key(table: &Table, attributes: &Item) -> Result<ItemKey, String> {
    ItemKey::of(table.schema(), attributes).map_err(|error| error.to_string())
}

pub(super) fn number(text: Option<&str>) -> Result<Option<usize>, std::num::ParseIntError> {
    text.map(str::parse).transpose()
}
