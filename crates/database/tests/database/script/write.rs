//! The commands that write items.

use std::hash::{DefaultHasher, Hash, Hasher};

use bytes::Bytes;
use goldenscript::{ArgumentConsumer, Command};
use monotable_database::{
    Home, RequestToken, Table, TransactError, TransactOutcome, TransactWrite, Write, WriteError,
    WriteOutcome,
};
use monotable_item::stored;

use super::ScriptResult;
use super::runner::{ScriptRunner, Show, item, key, number};
use crate::support::store::Store;
use crate::support::{expression, json};

/// The family of keys that hold the sizes of item collections.
const COLLECTION: u8 = 0x05;

impl<S: Store> ScriptRunner<S> {
    pub(super) fn write(
        &mut self,
        command: &Command,
        arguments: &mut ArgumentConsumer,
        show: &Show,
    ) -> ScriptResult {
        let table = self.table(arguments)?;
        let write = parse(&table, &command.name, arguments)?;
        if let Some(writes) = &mut self.transaction {
            writes.push((command.to_string(), TransactWrite { table, write }));
            return Ok(String::new());
        }
        let outcome = self.harness.run(self.harness.database().write(&table, &write));
        let outcome = outcome.map_err(|error| print_error(&error))?;
        Ok(self.print_outcome(&table, &outcome, show))
    }

    /// Puts many items that differ in a number.
    pub(super) fn fill(&mut self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let table = self.table(arguments)?;
        let pattern = arguments.next_pos().ok_or("an item is missing")?;
        let count = number(arguments.take_key("count"))?.ok_or("count= is missing")?;
        for at in 0..count {
            let item = json::item(&pattern.replace('$', &at.to_string()))?;
            let write = Write::put(table.schema(), stored::encode(&item).into())?;
            self.harness.run(self.harness.database().write(&table, &write))?;
        }
        Ok(String::new())
    }

    pub(super) fn inflate(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let bytes: i64 = arguments.take_key("bytes").ok_or("bytes= is missing")?.parse()?;
        let mut collections = self.harness.counters();
        collections.retain(|(counter, _)| counter.first() == Some(&COLLECTION));
        let [(counter, _)] = collections.as_slice() else {
            return Err(format!("there are {} item collections", collections.len()).into());
        };
        self.harness.add_to_counter(counter, bytes);
        Ok(String::new())
    }

    pub(super) fn begin(&mut self) -> ScriptResult {
        self.transaction = Some(Vec::new());
        Ok(String::new())
    }

    pub(super) fn commit(&mut self, arguments: &mut ArgumentConsumer, show: &Show) -> ScriptResult {
        let (texts, writes): (Vec<String>, Vec<TransactWrite>) =
            self.transaction.take().ok_or("nothing has begun")?.into_iter().unzip();
        let token = arguments.take_key("token").map(str::to_owned);
        let token = token.map(|token| RequestToken {
            home: Home::default(),
            token,
            digest: digest(&texts),
        });
        let transacting = self.harness.database().transact_write(&writes, token.as_ref());
        match self.harness.run(transacting) {
            Ok(TransactOutcome::Done(outcomes)) => {
                let print = |(write, outcome): (&TransactWrite, &WriteOutcome)| {
                    self.print_outcome(&write.table, outcome, show)
                };
                Ok(writes.iter().zip(&outcomes).map(print).collect())
            }
            Ok(TransactOutcome::Replayed(items)) => {
                let items = items.iter().map(|it| format!("replayed {}\n", print_stored(&it.item)));
                Ok(items.collect())
            }
            Err(TransactError::Cancelled(reasons)) => {
                let print = |reason: &Option<WriteError>| match reason {
                    Some(error) => print_error(error),
                    None => "none".to_owned(),
                };
                let reasons: Vec<String> = reasons.iter().map(print).collect();
                Err(format!("cancelled\n{}", reasons.join("\n")).into())
            }
            Err(other) => Err(other.into()),
        }
    }

    fn print_outcome(&self, table: &Table, outcome: &WriteOutcome, show: &Show) -> String {
        let mut out = String::new();
        if show.values {
            out += &format!("old {}\n", print_stored(&outcome.old));
            out += &format!("new {}\n", print_stored(&outcome.new));
        }
        if show.units {
            out += &self.print_units(table, &outcome.consumed);
        }
        out
    }
}

fn parse(table: &Table, verb: &str, arguments: &mut ArgumentConsumer) -> Result<Write, String> {
    let attributes = item(arguments.next_pos())?;
    let condition = arguments.take_key("if").map(expression::condition).transpose()?;
    let (schema, stored) = (table.schema(), stored::encode(&attributes).into());
    let write = match verb {
        "put" => Write::put(schema, stored).map_err(|error| error.to_string())?,
        "delete" => Write::delete(key(table, &attributes)?),
        "check" => Write::check(key(table, &attributes)?),
        _ => {
            let sections = ["set", "remove", "add", "delete"].into_iter();
            let sections: Vec<String> = sections
                .filter_map(|name| Some(format!("{name} {}", arguments.take_key(name)?)))
                .collect();
            let text = Some(sections.join(" ")).filter(|text| !text.is_empty());
            let update = text.as_deref().map(expression::update).transpose()?;
            Write::update(schema, stored, update).map_err(|error| error.to_string())?
        }
    };
    Ok(write.on_condition(condition))
}

fn print_error(error: &WriteError) -> String {
    match error {
        WriteError::ConditionFailed { existing } => {
            format!("condition failed, existing {}", print_stored(existing))
        }
        other => other.to_string(),
    }
}

pub(super) fn print_stored(item: &Option<Bytes>) -> String {
    match item {
        Some(item) => json::print_item(&stored::decode(item).expect("items read back")),
        None => "none".to_owned(),
    }
}

/// Stands for a request: equal commands are equal requests.
fn digest(texts: &[String]) -> u128 {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    hasher.finish().into()
}
