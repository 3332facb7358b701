//! The commands of the shell itself: lines that begin with `\`.

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use monotable_model::diagnostic::nearest;

use super::result_writer::Format;
use crate::grid::Layout;

/// What `\?` says.
pub(super) const HELP: &str = "Statements end with ; and may go over several lines. -- begins a \
    comment.
  SELECT * FROM \"orders\" WHERE customer = 'alex' AND number > 5;
  SELECT * FROM \"orders\".\"by_state\" WHERE state = 'open';
  INSERT INTO \"orders\" VALUE {'customer': 'alex', 'number': 7};
  UPDATE \"orders\" SET state = 'paid' WHERE customer = 'alex' AND number = 7 RETURNING ALL NEW *;
  DELETE FROM \"orders\" WHERE customer = 'alex' AND number = 7;

\\d              the tables
\\d TABLE        a table: keys, indexes, size, stream, time to live
\\explain STMT   how the endpoint finds the items of a statement, without running it
\\cost STMT      what a statement would read, in one line
\\cost [on|off]  after each statement, say how it found its items and what that cost
\\next           the next rows
\\x [on|off|auto]  one attribute a line: on, off, or when a row is too wide (auto)
\\output FORMAT  table, json, dynamodb-json or csv
\\consistent [on|off]  reads that see all writes before them, at twice the price
\\timing [on|off]  say how long each statement took
\\?              this
\\q              leave; so does Ctrl-D

Tab completes keywords, tables, indexes and attributes. Ctrl-C drops the line, or stops waiting \
    for an answer.";

/// All names of commands.
pub(super) const NAMES: [&str; 10] = [
    "\\d",
    "\\explain",
    "\\cost",
    "\\next",
    "\\x",
    "\\output",
    "\\consistent",
    "\\timing",
    "\\?",
    "\\q",
];

/// A command of the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShellCommand<'t> {
    Help,
    Quit,
    ListTables,
    DescribeTable(&'t str),
    Explain(&'t str),
    EstimateCost(&'t str),
    /// Says what statements cost, or not.
    Cost(Switch),
    /// Says how long statements take, or not.
    Timing(Switch),
    /// Reads consistently, or not.
    Consistency(Switch),
    ToggleLayout,
    SetLayout(Layout),
    SetFormat(Format),
    Next,
}

/// What becomes of a setting that is on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    On,
    Off,
    /// The opposite of what it is.
    Other,
}

impl Switch {
    fn read(text: &str) -> Option<Switch> {
        match text {
            "" => Some(Switch::Other),
            "on" => Some(Switch::On),
            "off" => Some(Switch::Off),
            _ => None,
        }
    }

    /// What a setting becomes that is so.
    pub(super) fn apply(self, is_on: bool) -> bool {
        match self {
            Switch::On => true,
            Switch::Off => false,
            Switch::Other => !is_on,
        }
    }
}

/// Reads a command.
pub(super) fn parse(text: &str) -> Result<ShellCommand<'_>> {
    let text = text.trim().trim_end_matches(';').trim_end();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    Ok(match (name, rest) {
        ("\\?" | "\\h" | "\\help", "") => ShellCommand::Help,
        ("\\q" | "\\quit", "") => ShellCommand::Quit,
        ("\\d", "") => ShellCommand::ListTables,
        ("\\d", table) => ShellCommand::DescribeTable(unquoted(table)),
        ("\\explain", "") => bail!("\\explain needs a statement"),
        ("\\explain", statement) => ShellCommand::Explain(statement),
        ("\\cost", rest) => {
            Switch::read(rest).map_or(ShellCommand::EstimateCost(rest), ShellCommand::Cost)
        }
        ("\\timing", rest) => ShellCommand::Timing(read_switch(name, rest)?),
        ("\\consistent", rest) => ShellCommand::Consistency(read_switch(name, rest)?),
        ("\\next", "") => ShellCommand::Next,
        ("\\x", "") => ShellCommand::ToggleLayout,
        ("\\x", "on") => ShellCommand::SetLayout(Layout::Vertical),
        ("\\x", "off") => ShellCommand::SetLayout(Layout::Table),
        ("\\x", "auto") => ShellCommand::SetLayout(Layout::Automatic),
        ("\\output", format) => ShellCommand::SetFormat(read_format(format)?),
        _ => bail!("{}", unknown(name, rest)),
    })
}

fn read_switch(name: &str, text: &str) -> Result<Switch> {
    Switch::read(text).with_context(|| format!("{name} takes on, off or nothing"))
}

fn read_format(text: &str) -> Result<Format> {
    let choices = "table, json, dynamodb-json or csv";
    Format::from_str(text, true).map_err(|_| anyhow::anyhow!("\\output takes {choices}"))
}

fn unquoted(name: &str) -> &str {
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
}

fn unknown(name: &str, rest: &str) -> String {
    if NAMES.contains(&name) {
        return format!("{name} does not take {rest:?}; \\? has the commands");
    }
    let meant = nearest(name, NAMES).map(|meant| format!(", did you mean {meant}?"));
    format!("there is no command {name}{}", meant.unwrap_or_else(|| "; \\? has all".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words_with_what_they_are_about() {
        for (text, expected) in [
            ("\\d", ShellCommand::ListTables),
            ("\\d \"my-table\" ;", ShellCommand::DescribeTable("my-table")),
            ("\\explain SELECT 1;", ShellCommand::Explain("SELECT 1")),
            ("\\cost", ShellCommand::Cost(Switch::Other)),
            ("\\cost on", ShellCommand::Cost(Switch::On)),
            ("\\cost SELECT 1", ShellCommand::EstimateCost("SELECT 1")),
            ("\\timing", ShellCommand::Timing(Switch::Other)),
            ("\\timing off;", ShellCommand::Timing(Switch::Off)),
            ("\\consistent on", ShellCommand::Consistency(Switch::On)),
            ("\\x auto", ShellCommand::SetLayout(Layout::Automatic)),
            ("\\output dynamodb-json", ShellCommand::SetFormat(Format::DynamodbJson)),
            ("\\q;", ShellCommand::Quit),
        ] {
            assert_eq!(parse(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_meant_is_guessed() {
        for (text, said) in [
            ("\\explian", "did you mean \\explain?"),
            ("\\frobnicate", "\\? has all"),
            ("\\timing 5", "takes on, off or nothing"),
            ("\\next 5", "does not take \"5\""),
            ("\\output xml", "table, json"),
            ("\\explain", "needs a statement"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
