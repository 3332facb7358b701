//! The options of a trigger, on the command line and in a file.
//!
//! Every option is defined once, as a flag. A file of triggers holds the same names, and each of
//! its entries is read as the command line it stands for:
//!
//! ```toml
//! [[trigger]]
//! table = "likes"
//! command = "python3 count.py"
//! batch-size = 10
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Parser};
use monotable_trigger::{Destination, Pattern, RetryPolicy, StartAt, TriggerOptions};
use toml::{Table, Value};

use crate::commands::tail::{From, parse_pattern};
use crate::time::parse_duration;

/// What a trigger does.
#[derive(Debug, Args)]
pub(crate) struct TriggerArguments {
    /// Table whose changes to deliver; it needs a stream
    #[arg(long)]
    table: String,

    /// URL to POST each batch to; a 2xx status accepts it
    #[arg(long, value_name = "URL", value_parser = parse_url)]
    #[arg(required_unless_present = "command", conflicts_with = "command")]
    url: Option<Destination>,

    /// Shell command that reads each batch on its standard input; exit code 0 accepts it
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,

    /// Name to keep checkpoints under; by default, made of the table and the destination
    #[arg(long)]
    name: Option<String>,

    /// Where to start the first time; later runs resume where they stopped
    #[arg(long, value_enum, default_value_t = From::TrimHorizon)]
    from: From,

    /// Most records in a batch
    #[arg(long, value_name = "COUNT", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    batch_size: u32,

    /// How long to wait for a batch to fill once it has a record
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = parse_duration)]
    window: Duration,

    /// Deliver only records that match a pattern, in the syntax of AWS Lambda's filter criteria;
    /// with several patterns, one must match
    #[arg(long, value_name = "PATTERN", value_parser = parse_pattern)]
    filter: Vec<Pattern>,

    /// How many times to send a batch, or a part it was split into, before giving it up
    #[arg(long, value_name = "COUNT", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    attempts: u32,

    /// Give up records that are older than this
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    max_age: Option<Duration>,

    /// Do not split a batch that failed; give up all of it
    #[arg(long)]
    no_split: bool,

    /// First delay before a batch is sent again; delays double, up to 30 seconds
    #[arg(long, value_name = "DURATION", default_value = "100ms", value_parser = parse_duration)]
    retry_delay: Duration,

    /// How long the destination may take for a batch
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_duration)]
    timeout: Duration,

    /// File for records that were given up, one line of JSON each
    #[arg(long, value_name = "FILE", default_value = "monotable-dead-letters.jsonl")]
    dead_letters: PathBuf,
}

impl TriggerArguments {
    pub(crate) fn table(&self) -> &str {
        &self.table
    }

    pub(crate) fn into_options(self) -> Result<TriggerOptions> {
        let destination = match (self.url, self.command) {
            (Some(url), None) => url,
            (None, Some(command)) => Destination::Command(command),
            (_, _) => bail!("a trigger has either a url or a command"),
        };
        let name = self.name.unwrap_or_else(|| format!("{} → {destination}", self.table));
        let from = match self.from {
            From::TrimHorizon => StartAt::TrimHorizon,
            From::Latest => StartAt::Latest,
        };
        let retry = RetryPolicy {
            attempts_max: self.attempts,
            age_max: self.max_age,
            split: !self.no_split,
            delay: self.retry_delay,
        };
        Ok(TriggerOptions {
            name,
            table: self.table,
            destination,
            from,
            batch_size: usize::try_from(self.batch_size)?,
            window: self.window,
            filters: self.filter,
            retry,
            timeout: self.timeout,
            dead_letters: self.dead_letters,
        })
    }
}

/// A trigger of a file, read as a command line.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct FileTrigger {
    #[command(flatten)]
    arguments: TriggerArguments,
}

/// Reads a file of triggers.
pub(crate) fn read_file(path: &Path) -> Result<Vec<TriggerOptions>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    parse_file(&text).with_context(|| format!("{} is not a file of triggers", path.display()))
}

fn parse_file(text: &str) -> Result<Vec<TriggerOptions>> {
    let file: Table = text.parse().map_err(|error: toml::de::Error| anyhow!("{error}"))?;
    if let Some(unknown) = file.keys().find(|key| *key != "trigger") {
        bail!("{unknown} is not a member: every trigger is a [[trigger]]");
    }
    let Some(Value::Array(entries)) = file.get("trigger") else {
        bail!("there is no [[trigger]]");
    };
    let mut triggers: Vec<TriggerOptions> = Vec::new();
    for (number, entry) in (1..).zip(entries) {
        let options = parse_entry(entry).with_context(|| format!("trigger {number}"))?;
        if triggers.iter().any(|other| other.name == options.name) {
            bail!("two triggers have the name {:?}; give one another name", options.name);
        }
        triggers.push(options);
    }
    Ok(triggers)
}

fn parse_entry(entry: &Value) -> Result<TriggerOptions> {
    let Value::Table(entry) = entry else { bail!("it is not a table of options") };
    let mut flags = Vec::new();
    for (key, value) in entry {
        flags.extend(flags_of(key, value)?);
    }
    let parsed = FileTrigger::try_parse_from(flags).map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().next().unwrap_or_default();
        anyhow!("{}", reason.trim_start_matches("error: "))
    })?;
    parsed.arguments.into_options()
}

/// The flags that an option stands for.
fn flags_of(key: &str, value: &Value) -> Result<Vec<String>> {
    Ok(match value {
        Value::String(text) => vec![format!("--{key}={text}")],
        Value::Integer(number) => vec![format!("--{key}={number}")],
        Value::Boolean(true) => vec![format!("--{key}")],
        Value::Boolean(false) => Vec::new(),
        Value::Array(values) => {
            let flags: Result<Vec<Vec<String>>> =
                values.iter().map(|value| flags_of(key, value)).collect();
            flags?.into_iter().flatten().collect()
        }
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => {
            bail!("{key} takes a text, a whole number, true, false, or a list of texts")
        }
    })
}

fn parse_url(text: &str) -> Result<Destination, String> {
    Destination::url(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_options_of_the_command_line() {
        let text = r#"
            [[trigger]]
            table = "likes"
            command = "python3 count.py"

            [[trigger]]
            name = "fan-out"
            table = "deals"
            url = "http://localhost:3000/deals"
            from = "latest"
            batch-size = 10
            window = "5s"
            filter = ['{"eventName":["INSERT"]}', '{"eventName":["REMOVE"]}']
            attempts = 3
            max-age = "1h"
            no-split = true
            dead-letters = "dead.jsonl"
        "#;
        let triggers = parse_file(text).unwrap();
        let [likes, deals] = triggers.as_slice() else { panic!("{triggers:?}") };
        assert_eq!(likes.name, "likes → python3 count.py");
        assert_eq!((likes.batch_size, likes.from), (100, StartAt::TrimHorizon));
        assert!(likes.retry.split && likes.retry.age_max.is_none());
        assert_eq!(deals.name, "fan-out");
        assert_eq!((deals.batch_size, deals.filters.len()), (10, 2));
        assert_eq!((deals.retry.attempts_max, deals.retry.split), (3, false));
        assert_eq!(deals.retry.age_max, Some(Duration::from_secs(3600)));
    }

    #[test]
    fn what_is_wrong_in_a_file_is_said_with_its_place() {
        for (text, said) in [
            ("", "there is no [[trigger]]"),
            ("[x]", "x is not a member"),
            ("trigger = 1", "there is no [[trigger]]"),
            ("[[trigger]]\ntable = 'a'", "trigger 1: the following required arguments"),
            ("[[trigger]]\ntable = 'a'\ncommand = 'b'\nbatch-size = 0", "0 is not in 1..=10000"),
            ("[[trigger]]\ntable = 'a'\ncommand = 'b'\nsize = 1", "unexpected argument '--size'"),
            ("[[trigger]]\ntable = 'a'\ncommand = 'b'\nwindow = 1.5", "window takes a text"),
            ("[[trigger]]\ntable = 'a'\nurl = 'ftp://b'", "is not an address"),
            (
                "[[trigger]]\ntable = 'a'\ncommand = 'b'\n[[trigger]]\ntable = 'a'\ncommand = 'b'",
                "two triggers have the name",
            ),
        ] {
            let error = format!("{:#}", parse_file(text).unwrap_err());
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
