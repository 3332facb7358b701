//! Golden scripts: commands on an engine and what they print.
//!
//! ```text
//! commit OPERATION…            one transaction: 'put k v' 'delete k' 'delete_range from to'
//!                              'delete_prefix p' 'delete_all' 'append log v' 'add counter n'
//!                              'reset counter'
//! transact KEY… [shared=KEY] write=OP
//!                              locks and shares the keys, prints them, commits one operation
//! keep KEY…                    reads the keys in a transaction that writes nothing
//! get KEY… [at=SNAPSHOT]       prints values
//! counter NAME… [at=SNAPSHOT]  prints counters
//! log NAME [direction=backward] [limit=] [at=SNAPSHOT]
//!                              prints the values of a log's entries
//! trim NAME keep=N             removes the oldest entries of a log, all but so many
//! ends NAME…                   reads the ends of logs in a transaction
//! range [from=] … [direction=backward] limit=N
//!                              reads a range in a transaction
//! scan [prefix=] [from=] [after=] [to=] [until=] [direction=backward] [limit=] [at=SNAPSHOT]
//!                              from and until are inclusive, after and to are exclusive
//! snapshot NAME, drop NAME     takes and drops a snapshot
//! close                        closes the engine
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::ops::{Bound, ControlFlow};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use goldenscript::{Command, Runner};

use crate::{Batch, Decision, Direction, Engine, Key, KeyRange, RangeRead, Reads, Snapshot, Wants};

type ScriptResult = Result<String, Box<dyn Error>>;

/// Runs every script under this crate's `testscripts` on an engine of its own.
///
/// # Panics
///
/// Panics if a script prints something else than what it recorded.
pub fn run_all<E: Engine, Keep>(open: impl Fn() -> (E, Keep)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testscripts");
    let scripts = scripts_under(&root);
    assert!(!scripts.is_empty(), "no scripts under {}", root.display());
    for script in scripts {
        let (engine, _keep) = open();
        let mut runner = ScriptRunner { engine, snapshots: BTreeMap::new(), runtime: runtime() };
        goldenscript::run(&mut runner, &script)
            .unwrap_or_else(|error| panic!("{}: {error}", script.display()));
    }
}

/// All scripts in a folder and in those inside of it, in order.
pub fn scripts_under(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the scripts can be listed");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the scripts can be listed").path()).collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|path| if path.is_dir() { scripts_under(&path) } else { vec![path] })
        .collect()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime without I/O starts")
}

struct ScriptRunner<E: Engine> {
    engine: E,
    snapshots: BTreeMap<String, E::Snapshot>,
    runtime: tokio::runtime::Runtime,
}

impl<E: Engine> Runner for ScriptRunner<E> {
    type Command = Command;

    fn run(&mut self, command: &Command, _: &goldenscript::Context) -> ScriptResult {
        match command.name.as_str() {
            "commit" => self.commit(command),
            "transact" => self.transact(command),
            "keep" => self.keep(command),
            "get" => self.get(command),
            "counter" => self.counter(command),
            "log" => self.log(command),
            "trim" => self.trim(command),
            "ends" => self.ends(command),
            "range" => self.range(command),
            "scan" => self.scan(command),
            "snapshot" => self.take_snapshot(command),
            "drop" => self.drop_snapshot(command),
            "close" => self.close(command),
            unknown => Err(format!("unknown command {unknown}").into()),
        }
    }
}

impl<E: Engine> ScriptRunner<E> {
    fn commit(&mut self, command: &Command) -> ScriptResult {
        let mut arguments = command.consume_args();
        let mut batch = Batch::new();
        while let Some(operation) = arguments.next_pos() {
            add_operation(&mut batch, operation)?;
        }
        arguments.reject_next()?;
        self.runtime.block_on(super::commit(&self.engine, &batch))?;
        Ok(String::new())
    }

    fn transact(&mut self, command: &Command) -> ScriptResult {
        let mut arguments = command.consume_args();
        let mut batch = Batch::new();
        add_operation(&mut batch, arguments.take_key("write").ok_or("write= is missing")?)?;
        let shared: Vec<Key> =
            arguments.take_key("shared").iter().map(|key| key.as_bytes().to_vec()).collect();
        let keys = rest_of_keys(&mut arguments)?;
        let decide = |reads: &Reads| {
            let mut output = print_reads(&keys, reads);
            for (index, key) in shared.iter().enumerate() {
                output.push_str(&print_entry(key, reads.shared(index)));
            }
            Decision::Commit(batch.clone(), output)
        };
        let wants = Wants::locked(&keys).and_shared(&shared);
        Ok(self.runtime.block_on(self.engine.transact(wants, decide))?)
    }

    fn keep(&mut self, command: &Command) -> ScriptResult {
        let keys = rest_of_keys(&mut command.consume_args())?;
        let decide = |reads: &Reads| Decision::Keep(print_reads(&keys, reads));
        Ok(self.runtime.block_on(self.engine.transact(Wants::locked(&keys), decide))?)
    }

    fn range(&mut self, command: &Command) -> ScriptResult {
        let mut arguments = command.consume_args();
        let direction = direction_named(arguments.take_key("direction"))?;
        let limit = arguments.take_key("limit").ok_or("limit= is missing")?.parse()?;
        let range = range_of(&mut arguments);
        arguments.reject_next()?;
        let wanted = [RangeRead { range, direction, limit }];
        let decide = |reads: &Reads| {
            let lines = reads.range(0).iter().map(|(key, value)| print_entry(key, Some(value)));
            Decision::Keep(lines.collect())
        };
        let wants = Wants::nothing().and_ranges(&wanted);
        Ok(self.runtime.block_on(self.engine.transact(wants, decide))?)
    }

    fn ends(&mut self, command: &Command) -> ScriptResult {
        let logs = rest_of_keys(&mut command.consume_args())?;
        let decide = |reads: &Reads| {
            let ends: Vec<u64> = (0..logs.len()).map(|index| reads.end(index)).collect();
            Decision::Keep(ends)
        };
        let wants = Wants::nothing().and_ends(&logs);
        let ends = self.runtime.block_on(self.engine.transact(wants, decide))?;
        let mut output = String::new();
        for (log, end) in logs.iter().zip(ends) {
            let last = self.log_entries(log)?.last().map(|(position, _)| *position);
            let end = match last {
                None if end == 0 => "nothing",
                Some(last) if end == last => "the last entry",
                Some(_) | None => "something else",
            };
            writeln!(output, "{} = {end}", log.escape_ascii())?;
        }
        Ok(output)
    }

    fn log(&mut self, command: &Command) -> ScriptResult {
        let mut arguments = command.consume_args();
        let snapshot = self.snapshot_named(arguments.take_key("at"))?;
        let direction = direction_named(arguments.take_key("direction"))?;
        let limit = arguments.take_key("limit").map_or(Ok(usize::MAX), str::parse)?;
        let mut output = String::new();
        for log in rest_of_keys(&mut arguments)? {
            let entries = super::log_entries(&snapshot, &log, direction, limit);
            for (_, value) in self.runtime.block_on(entries)? {
                writeln!(output, "{}", value.escape_ascii())?;
            }
        }
        Ok(output)
    }

    fn trim(&mut self, command: &Command) -> ScriptResult {
        let mut arguments = command.consume_args();
        let keep: usize = arguments.take_key("keep").ok_or("keep= is missing")?.parse()?;
        for log in rest_of_keys(&mut arguments)? {
            let entries = self.log_entries(&log)?;
            let Some((through, _)) = entries.iter().rev().nth(keep) else { continue };
            let mut batch = Batch::new();
            batch.trim(log, *through);
            self.runtime.block_on(super::commit(&self.engine, &batch))?;
        }
        Ok(String::new())
    }

    fn log_entries(&self, log: &[u8]) -> crate::Result<Vec<(u64, Bytes)>> {
        self.runtime.block_on(async {
            let snapshot = self.engine.snapshot().await?;
            super::log_entries(&snapshot, log, Direction::Forward, usize::MAX).await
        })
    }

    fn get(&mut self, command: &Command) -> ScriptResult {
        let mut arguments = command.consume_args();
        let snapshot = self.snapshot_named(arguments.take_key("at"))?;
        let keys = rest_of_keys(&mut arguments)?;
        let values = self.runtime.block_on(snapshot.get_many(&keys))?;
        for (key, value) in keys.iter().zip(&values) {
            assert_eq!(self.runtime.block_on(snapshot.get(key))?, *value, "get and get_many");
        }
        let reads = Reads::new(values, keys.len());
        Ok(print_reads(&keys, &reads))
    }

    fn counter(&mut self, command: &Command) -> ScriptResult {
        let mut arguments = command.consume_args();
        let snapshot = self.snapshot_named(arguments.take_key("at"))?;
        let mut output = String::new();
        for key in rest_of_keys(&mut arguments)? {
            let value = self.runtime.block_on(snapshot.counter(&key))?;
            writeln!(output, "{} = {value}", key.escape_ascii())?;
        }
        Ok(output)
    }

    fn scan(&mut self, command: &Command) -> ScriptResult {
        let mut arguments = command.consume_args();
        let snapshot = self.snapshot_named(arguments.take_key("at"))?;
        let direction = direction_named(arguments.take_key("direction"))?;
        let limit = arguments.take_key("limit").map_or(Ok(usize::MAX), str::parse)?;
        let range = range_of(&mut arguments);
        arguments.reject_next()?;
        let mut lines = Vec::new();
        let visit = |key: &[u8], value: Bytes| {
            lines.push(print_entry(key, Some(&value)));
            if lines.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.runtime.block_on(snapshot.visit(&range, direction, limit, visit))?;
        Ok(lines.concat())
    }

    fn take_snapshot(&mut self, command: &Command) -> ScriptResult {
        let name = command.consume_args().next_pos().ok_or("a name is missing")?.to_owned();
        let snapshot = self.runtime.block_on(self.engine.snapshot())?;
        self.snapshots.insert(name, snapshot);
        Ok(String::new())
    }

    fn drop_snapshot(&mut self, command: &Command) -> ScriptResult {
        let name = command.consume_args().next_pos().ok_or("a name is missing")?;
        self.snapshots.remove(name).ok_or("no such snapshot")?;
        Ok(String::new())
    }

    fn close(&mut self, command: &Command) -> ScriptResult {
        command.consume_args().reject_next()?;
        self.runtime.block_on(self.engine.close())?;
        Ok(String::new())
    }

    /// The snapshot with this name, or one of this moment.
    fn snapshot_named(&self, name: Option<&str>) -> Result<E::Snapshot, Box<dyn Error>> {
        match name {
            Some(name) => Ok(self.snapshots.get(name).ok_or("no such snapshot")?.clone()),
            None => Ok(self.runtime.block_on(self.engine.snapshot())?),
        }
    }
}

fn add_operation(batch: &mut Batch, operation: &str) -> Result<(), Box<dyn Error>> {
    let words: Vec<&str> = operation.split(' ').collect();
    match words.as_slice() {
        ["put", key, value] => batch.put(key.as_bytes().to_vec(), value.as_bytes().to_vec()),
        ["delete", key] => batch.delete(key.as_bytes().to_vec()),
        ["delete_range", from, to] => {
            batch.delete_range(KeyRange::half_open(
                from.as_bytes().to_vec(),
                to.as_bytes().to_vec(),
            ));
        }
        ["delete_prefix", prefix] => batch.delete_range(KeyRange::prefix(prefix.as_bytes())),
        ["delete_all"] => batch.delete_range(KeyRange::all()),
        ["append", log, value] => batch.append(log.as_bytes().to_vec(), value.as_bytes().to_vec()),
        ["reset", counter] => batch.reset(counter.as_bytes().to_vec()),
        ["add", counter, delta] => batch.add(counter.as_bytes().to_vec(), delta.parse()?),
        unknown => return Err(format!("unknown operation {unknown:?}").into()),
    }
    Ok(())
}

fn rest_of_keys(
    arguments: &mut goldenscript::ArgumentConsumer,
) -> Result<Vec<Key>, Box<dyn Error>> {
    let keys =
        std::iter::from_fn(|| arguments.next_pos()).map(|key| key.as_bytes().to_vec()).collect();
    arguments.reject_next()?;
    Ok(keys)
}

fn range_of(arguments: &mut goldenscript::ArgumentConsumer) -> KeyRange {
    if let Some(prefix) = arguments.take_key("prefix") {
        return KeyRange::prefix(prefix.as_bytes());
    }
    let mut bound = |inclusive: &str, exclusive: &str| {
        let included = arguments.take_key(inclusive).map(|key| Bound::Included(key.into()));
        let excluded = arguments.take_key(exclusive).map(|key| Bound::Excluded(key.into()));
        included.or(excluded).unwrap_or(Bound::Unbounded)
    };
    KeyRange::new(bound("from", "after"), bound("until", "to"))
}

fn direction_named(name: Option<&str>) -> Result<Direction, Box<dyn Error>> {
    match name {
        None | Some("forward") => Ok(Direction::Forward),
        Some("backward") => Ok(Direction::Backward),
        Some(unknown) => Err(format!("unknown direction {unknown}").into()),
    }
}

fn print_reads(keys: &[Key], reads: &Reads) -> String {
    keys.iter().zip(reads.iter()).map(|(key, value)| print_entry(key, value)).collect()
}

fn print_entry(key: &[u8], value: Option<&Bytes>) -> String {
    let value = value.map_or_else(|| "none".to_owned(), |value| value.escape_ascii().to_string());
    format!("{} = {value}\n", key.escape_ascii())
}
