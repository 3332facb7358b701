//! `monotable sql`: statements in PartiQL, typed or from a script.

mod access;
mod caret;
mod catalog;
mod columns;
mod completion;
mod connection;
mod consumption;
mod csv;
mod cursor;
mod failure;
mod interactive;
mod line_editor;
mod parsed;
mod plain_json;
mod quantity;
mod result_writer;
mod script;
mod session;
mod shell_command;
mod splitter;
mod table_description;
mod table_view;
mod token;
mod verb;

use std::fs::File;
use std::io::{self, BufReader, Cursor, IsTerminal};
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Context, Result};
use clap::Args;

use self::catalog::Catalog;
use self::connection::Connection;
use self::result_writer::Format;
use self::script::{AfterError, Script, ScriptText};
use self::session::{Question, Session, Settings};
use crate::byte_size::parse_bytes;
use crate::endpoint::EndpointArguments;
use crate::grid::Layout;
use crate::logging::{self, LogFormat};

/// The rows that a statement prints at a terminal before it waits to be asked for more.
const ROWS_AT_ONCE: usize = 100;

const EXAMPLES: &str = "Examples:
  A shell on the server of this machine; \\? in it has the commands, Tab completes names:
      monotable sql

  One statement, or several:
      monotable sql -c \"SELECT * FROM orders WHERE customer = 'alex'\"
      monotable sql -c \"\\explain SELECT * FROM orders WHERE state = 'open'\"

  A script; it ends at the first error, which has its line:
      monotable sql < orders.sql

  All rows for other programs:
      monotable sql --output csv -c \"SELECT customer, total FROM orders\" > orders.csv
      monotable sql --output json -c \"SELECT * FROM orders\" | jq .total

  On AWS:
      monotable sql --endpoint https://dynamodb.eu-west-2.amazonaws.com

Statements end with ; and -- begins a comment. A SELECT that names the partition key of a table or
index reads only that; any other reads everything, and asks first if that is large. Nobody is
asked in scripts: there it is refused without --yes.

Exits with 0, and with 2 if a statement failed.";

/// Run PartiQL statements: a shell, or scripts
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SqlCommand {
    #[command(flatten)]
    endpoint: EndpointArguments,

    /// Run these statements and exit; can be repeated
    #[arg(
        short,
        long,
        value_name = "STATEMENTS",
        conflicts_with = "file",
        allow_hyphen_values = true
    )]
    command: Vec<String>,

    /// Run the statements in a file and exit
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// How to print rows
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    output: Format,

    /// Print at most this many rows of a statement [default: 100 in the shell, all in scripts]
    #[arg(long, value_name = "NUMBER", value_parser = parse_limit)]
    limit: Option<usize>,

    /// Let reads see all writes before them, at twice the price
    #[arg(long)]
    consistent: bool,

    /// After each statement, show how it found its items and what that cost
    #[arg(long)]
    cost: bool,

    /// Show how long each statement took
    #[arg(long)]
    timing: bool,

    /// Continue after a statement that fails; the exit code is still 2
    #[arg(long)]
    keep_going: bool,

    /// Scan without asking
    #[arg(long)]
    yes: bool,

    /// Ask before running statements that may scan more than this
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "10MB")]
    ask_above: u64,

    /// What to log to standard error: error, warn, info, debug, trace
    #[arg(long, value_name = "FILTER", env = "MONOTABLE_LOG", default_value = "warn")]
    log: String,
}

fn parse_limit(text: &str) -> Result<usize, String> {
    let limit = text.parse().ok().filter(|limit| *limit > 0);
    limit.ok_or_else(|| "give a number from 1".to_owned())
}

/// Where statements come from.
enum Source {
    /// Somebody types them.
    Terminal,
    /// They stand in these texts.
    Scripts(Vec<ScriptText>),
}

/// Runs statements until there are no more.
pub(crate) fn run(arguments: &SqlCommand) -> Result<()> {
    logging::start(&arguments.log, LogFormat::Text)?;
    let connection = Rc::new(Connection::new(arguments.endpoint.connect_briefly()?)?);
    let catalog = Rc::new(Catalog::new(connection.clone()));
    let source = arguments.source()?;
    let settings = arguments.settings(&source);
    let mut session = Session::new(connection.clone(), catalog.clone(), settings);
    match source {
        Source::Terminal => interactive::run(&mut session, &catalog, &connection.address()),
        Source::Scripts(scripts) => {
            let after_error =
                if arguments.keep_going { AfterError::GoOn } else { AfterError::Stop };
            Script::new(&mut session, after_error).run(scripts)
        }
    }
}

impl SqlCommand {
    fn source(&self) -> Result<Source> {
        if !self.command.is_empty() {
            return Ok(Source::Scripts(self.arguments()));
        }
        if let Some(path) = &self.file {
            let file =
                File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            return Ok(Source::Scripts(vec![ScriptText::only(BufReader::new(file))]));
        }
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            return Ok(Source::Terminal);
        }
        Ok(Source::Scripts(vec![ScriptText::only(io::stdin().lock())]))
    }

    /// What `--command` says. Errors number the arguments if there are several.
    fn arguments(&self) -> Vec<ScriptText> {
        let texts = self.command.iter().map(|text| Cursor::new(text.clone()));
        if texts.len() == 1 {
            return texts.map(ScriptText::only).collect();
        }
        let numbered = (1..).zip(texts);
        numbered.map(|(at, text)| ScriptText::named(format!("-c {at}"), text)).collect()
    }

    fn settings(&self, source: &Source) -> Settings {
        let (rows_max, question) = match source {
            Source::Terminal => (Some(ROWS_AT_ONCE), Question::Ask),
            Source::Scripts(_) => (None, Question::Refuse),
        };
        Settings {
            format: self.output,
            layout: Layout::Automatic,
            shows_cost: self.cost,
            shows_time: self.timing,
            is_consistent: self.consistent,
            rows_max: self.limit.or(rows_max),
            ask_above_bytes: self.ask_above,
            question: if self.yes { Question::Skip } else { question },
        }
    }
}
