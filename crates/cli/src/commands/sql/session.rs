//! Runs statements and commands one after the other, and prints what comes of them.

use std::io::{self, IsTerminal, Write};
use std::rc::Rc;

use anyhow::{Error, Result, bail};

use super::access::Access;
use super::catalog::Catalog;
use super::connection::{Connection, refusal, unless_refused};
use super::cursor::{Cursor, Reading};
use super::failure;
use super::parsed::{self, Parsed};
use super::quantity::{bytes, count, units};
use super::result_writer::{Format, ResultWriter, Style};
use super::shell_command::{self, HELP, ShellCommand, Switch};
use super::splitter::{Piece, PieceKind};
use super::table_description::TableDescription;
use super::table_view;
use super::verb::Verb;
use crate::confirmation::{Confirmation, confirm};
use crate::grid::Layout;
use crate::output;

/// The most tables that `\d` describes; beyond that it has only names.
const DESCRIBED_MAX: usize = 100;

/// What can be set.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) format: Format,
    pub(super) layout: Layout,
    pub(super) shows_cost: bool,
    pub(super) shows_time: bool,
    pub(super) is_consistent: bool,
    /// The most rows that a statement prints.
    pub(super) rows_max: Option<usize>,
    /// Scans of more than this are asked about.
    pub(super) ask_above_bytes: u64,
    pub(super) question: Question,
}

/// What happens before a large scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Somebody at the terminal is asked.
    Ask,
    /// Nobody is there to ask, so it is refused.
    Refuse,
    /// It was said before that it is wanted.
    Skip,
}

/// Whether there is more to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Leave,
}

/// A shell and what it remembers from one statement to the next.
pub(super) struct Session {
    connection: Rc<Connection>,
    catalog: Rc<Catalog>,
    settings: Settings,
    /// The statement that has more rows.
    pending: Option<Pending>,
}

struct Pending {
    cursor: Cursor,
    verb: Verb,
    named: Vec<String>,
    /// The keys of the table, which stand first where the statement names no columns.
    keys: Vec<String>,
    table: Option<String>,
    written: u64,
}

impl Session {
    pub(super) fn new(
        connection: Rc<Connection>,
        catalog: Rc<Catalog>,
        settings: Settings,
    ) -> Session {
        Session { connection, catalog, settings, pending: None }
    }

    /// Runs a statement or a command.
    pub(super) fn run(&mut self, piece: &Piece) -> Result<Flow> {
        match piece.kind {
            PieceKind::Statement => {
                self.run_statement(&piece.text)
                    .map_err(|error| failure::explain(error, Some(&piece.text)))?;
                Ok(Flow::Continue)
            }
            PieceKind::Command => {
                self.run_command(&piece.text).map_err(|error| failure::explain(error, None))
            }
        }
    }

    fn run_command(&mut self, text: &str) -> Result<Flow> {
        match shell_command::parse(text)? {
            ShellCommand::Help => output::line(HELP)?,
            ShellCommand::Quit => return Ok(Flow::Leave),
            ShellCommand::ListTables => self.list_tables()?,
            ShellCommand::DescribeTable(name) => self.describe_table(name)?,
            ShellCommand::Explain(statement) => {
                let access = self.access(statement)?;
                output::line(&access.explanation(self.settings.is_consistent))?;
            }
            ShellCommand::EstimateCost(statement) => {
                let access = self.access(statement)?;
                output::line(&access.summary(self.settings.is_consistent))?;
            }
            ShellCommand::Cost(switch) => set(&mut self.settings.shows_cost, switch, "costs"),
            ShellCommand::Timing(switch) => set(&mut self.settings.shows_time, switch, "timing"),
            ShellCommand::Consistency(switch) => {
                set(&mut self.settings.is_consistent, switch, "consistent reads");
            }
            ShellCommand::ToggleLayout => self.set_layout(match self.settings.layout {
                Layout::Vertical => Layout::Automatic,
                Layout::Automatic | Layout::Table => Layout::Vertical,
            }),
            ShellCommand::SetLayout(layout) => self.set_layout(layout),
            ShellCommand::SetFormat(format) => self.settings.format = format,
            ShellCommand::Next => self.print_next()?,
        }
        Ok(Flow::Continue)
    }

    fn set_layout(&mut self, layout: Layout) {
        self.settings.layout = layout;
        say(match layout {
            Layout::Automatic => "one attribute a line when a row is too wide",
            Layout::Table => "one attribute a line is off",
            Layout::Vertical => "one attribute a line is on",
        });
    }

    fn run_statement(&mut self, statement: &str) -> Result<()> {
        self.pending = None;
        let started_millis = self.connection.now_millis();
        let verb = Verb::of(statement);
        let parsed = parsed::parse(statement).ok();
        let wants_access = verb == Verb::Select || self.settings.shows_cost;
        let known = parsed.as_ref().filter(|_| wants_access);
        let table = known.map(|parsed| self.table_of(parsed, verb)).transpose()?.flatten();
        let access = known.zip(table.as_ref()).and_then(|(known, table)| known.access(table).ok());
        if let Some(access) = access.as_ref().filter(|access| access.is_scan()) {
            self.ask_before(access)?;
        }
        let reading = Reading {
            is_consistent: self.settings.is_consistent,
            wants_all: self.settings.rows_max.is_none(),
        };
        let mut pending = Pending {
            cursor: Cursor::new(statement, verb, reading),
            verb,
            named: parsed.as_ref().map(Parsed::column_names).unwrap_or_default(),
            keys: table.iter().flat_map(|table| table.keys.names()).map(str::to_owned).collect(),
            table: parsed.as_ref().map(|parsed| parsed.table().to_owned()),
            written: 0,
        };
        self.print(&mut pending)?;
        if let Some(access) = access.filter(|_| self.settings.shows_cost) {
            say(&format!("{} · {}", access.title(), pending.cursor.consumption().parts()));
        }
        if self.settings.shows_time {
            let millis = self.connection.now_millis().saturating_sub(started_millis);
            say(&format!("{millis} ms"));
        }
        self.pending = Some(pending).filter(|pending| !pending.cursor.has_ended());
        Ok(())
    }

    fn print_next(&mut self) -> Result<()> {
        let Some(mut pending) = self.pending.take() else { bail!("there are no more rows") };
        self.print(&mut pending)?;
        self.pending = Some(pending).filter(|pending| !pending.cursor.has_ended());
        Ok(())
    }

    /// Prints rows up to the limit.
    fn print(&self, pending: &mut Pending) -> Result<()> {
        let mut stdout = io::stdout().lock();
        let style = self.style(pending);
        let before = pending.written;
        let mut writer = ResultWriter::new(style, &mut stdout).after(before);
        loop {
            let printed = usize::try_from(writer.written() - before).unwrap_or(usize::MAX);
            let room = self.settings.rows_max.map_or(usize::MAX, |max| max.saturating_sub(printed));
            if room == 0 {
                break;
            }
            let rows = pending.cursor.rows(&self.connection, writer.block_rows().min(room))?;
            if let Some(table) = &pending.table {
                self.catalog.note_attributes(table, &rows);
            }
            writer.write(&rows)?;
            if pending.cursor.has_ended() {
                break;
            }
        }
        pending.written = writer.written();
        drop(stdout);
        self.print_summary(pending)
    }

    fn print_summary(&self, pending: &Pending) -> Result<()> {
        let total = pending.cursor.consumption().total();
        let cost = if total > 0.0 {
            format!(", {}", units(total, pending.verb.units()))
        } else {
            String::new()
        };
        let rows = count(pending.written, "row");
        let text = match pending.verb {
            Verb::Select if pending.cursor.has_ended() => format!("({rows}{cost})"),
            Verb::Select => format!("({rows}{cost}; more: \\next)"),
            Verb::Insert | Verb::Update | Verb::Delete | Verb::Other => {
                format!("({}{cost})", pending.verb.done())
            }
        };
        match self.settings.format {
            Format::Table => Ok(output::line(&text)?),
            // Programs read standard output.
            Format::Json | Format::DynamodbJson | Format::Csv => {
                if io::stdout().is_terminal() {
                    say(&text);
                }
                Ok(())
            }
        }
    }

    fn style(&self, pending: &Pending) -> Style {
        let is_bounded = io::stdout().is_terminal() || std::env::var_os("COLUMNS").is_some();
        Style {
            format: self.settings.format,
            layout: self.settings.layout,
            cells: output::terminal_width().filter(|_| is_bounded),
            named: pending.named.clone(),
            keys: self.leading_columns(pending),
        }
    }

    /// The keys of the table, where the statement does not say which columns come first.
    fn leading_columns(&self, pending: &Pending) -> Vec<String> {
        let orders_columns = match self.settings.format {
            Format::Table | Format::Csv => pending.named.is_empty() && pending.verb == Verb::Select,
            Format::Json | Format::DynamodbJson => false,
        };
        if orders_columns { pending.keys.clone() } else { Vec::new() }
    }

    fn access(&self, statement: &str) -> Result<Access> {
        let parsed = parsed::parse(statement)?;
        let table = self.catalog.table(parsed.table())?;
        parsed.access(&table)
    }

    /// The table of a statement that is to be run, if the endpoint describes it. A read of a table
    /// that it does not describe may read anything, so that is asked about.
    fn table_of(&self, parsed: &Parsed, verb: Verb) -> Result<Option<Rc<TableDescription>>> {
        let error = match self.catalog.table(parsed.table()) {
            Ok(table) => return Ok(Some(table)),
            Err(error) => error,
        };
        match refusal(&error) {
            None => Err(error),
            // The statement will be refused as well, with its place.
            Some("ResourceNotFoundException") => Ok(None),
            Some(_) if verb == Verb::Select => self.ask_blindly(parsed, &error).map(|()| None),
            Some(_) => Ok(None),
        }
    }

    /// Asks before a scan that reads much: one with a filter may read everything for a single row,
    /// and one without reads no more than the rows that are printed.
    fn ask_before(&self, access: &Access) -> Result<()> {
        let may_read_all = self.may_read_all(!access.filtered.is_empty());
        if !may_read_all || access.size.bytes <= self.settings.ask_above_bytes {
            return Ok(());
        }
        let cost = units(access.scan_units(self.settings.is_consistent), "read");
        let (title, size) = (access.title(), bytes(access.size.bytes));
        match self.settings.question {
            Question::Skip => Ok(()),
            Question::Refuse => bail!(
                "{title} reads {size}, about {cost}: give --yes if that is meant, or \\explain has \
                 what to ask instead"
            ),
            Question::Ask => ask(&format!("{title} may read {size}, about {cost}. Go on?")),
        }
    }

    /// Asks before a read of a table that the endpoint does not describe.
    fn ask_blindly(&self, parsed: &Parsed, error: &Error) -> Result<()> {
        if !self.may_read_all(parsed.has_condition()) {
            return Ok(());
        }
        match self.settings.question {
            Question::Skip => Ok(()),
            Question::Refuse => bail!(
                "cannot tell what this reads ({error}): give --yes if it may read the whole table"
            ),
            Question::Ask => ask(&format!("cannot tell what this reads ({error}). Go on?")),
        }
    }

    fn may_read_all(&self, is_filtered: bool) -> bool {
        self.settings.rows_max.is_none() || is_filtered
    }

    fn list_tables(&self) -> Result<()> {
        let names = self.catalog.list()?;
        let width = names.iter().map(String::len).max().unwrap_or_default();
        for name in names.iter() {
            let described = if names.len() <= DESCRIBED_MAX {
                unless_refused(self.catalog.describe(name))?
            } else {
                None
            };
            let line = described.map(|table| table_view::render_line(&table, width));
            output::line(&line.unwrap_or_else(|| name.clone()))?;
        }
        let number = u64::try_from(names.len()).unwrap_or(u64::MAX);
        Ok(output::line(&format!("({})", count(number, "table")))?)
    }

    fn describe_table(&self, name: &str) -> Result<()> {
        let mut table = (*self.catalog.describe(name)?).clone();
        table.expires_by = self.catalog.expires_by(name)?;
        Ok(output::line(&table_view::render(&table))?)
    }
}

/// Fails unless somebody at the terminal says yes.
fn ask(question: &str) -> Result<()> {
    match confirm(question)? {
        Confirmation::Yes => Ok(()),
        Confirmation::No | Confirmation::NobodyToAsk => bail!("not run"),
    }
}

fn set(setting: &mut bool, switch: Switch, name: &str) {
    *setting = switch.apply(*setting);
    say(&format!("{name}: {}", if *setting { "on" } else { "off" }));
}

/// Says something to whoever sits there, and not to programs that read standard output.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
