//! The `monotable` binary: every part of the product behind one command.
//!
//! `main` turns what a command returns into an exit code: 0 when it did its work, 1 when it did and
//! the answer is no, 2 when it could not. A reader that closes the pipe early has seen enough,
//! which is no error.
//!
//! ```text
//! what is asked for
//!   commands                      the subcommands, one file each
//!   time, byte_size               durations and sizes as people write them
//!   endpoint, admin_request       the server that a command talks to, and its paths of our own
//!   whole_file                    files of people, replaced as a whole
//!   confirmation, signals         a question to the user; Ctrl-C and SIGTERM
//! what a server is started with
//!   postgres                      a store on PostgreSQL, by its address
//!   system                        the real clock and real randomness
//!   access, credentials, tls      which pages may use it, who may, and how it encrypts
//!   limits, open_files            what clients may take, and what the system lets the process have
//!   disk_reserve                  room on the disk that is left free
//!   served_models, console        the models that it watches tables by; what a browser gets
//!   served_triggers, triggers     triggers inside of it, and the options of any trigger
//!   testing, fault_file           what it does on purpose for those who test applications
//! what a server tells
//!   logging                       lines on standard error
//!   monitoring                    counts, logs, audit lines and traces, put together
//!   audit_log, trace_export       lines of JSON for every call, spans for a collector
//!   recording                     calls in a file
//! what people read
//!   output, outcome               plain text or colours, and how a command ends
//!   grid, line_fit, change_line   rows, long lines and changed items, as wide as the terminal
//!   progress_line                 how far a command is
//! ```

mod access;
mod admin_request;
mod audit_log;
mod byte_size;
mod change_line;
mod commands;
mod confirmation;
mod console;
mod credentials;
mod disk_reserve;
mod endpoint;
mod fault_file;
mod grid;
mod limits;
mod line_fit;
mod logging;
mod monitoring;
mod open_files;
mod outcome;
mod output;
mod postgres;
mod progress_line;
mod recording;
mod served_models;
mod served_triggers;
mod signals;
mod system;
mod testing;
mod time;
mod tls;
mod trace_export;
mod triggers;
mod whole_file;

use std::io;
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser};
use mimalloc::MiMalloc;

use crate::commands::Command;
use crate::outcome::Outcome;

/// The exit code of a command whose answer is no.
const EXIT_NEGATIVE: u8 = 1;

/// A request makes dozens of small values and drops them, which this allocator does in fewer
/// instructions than the system's (`docs/design/0005-hot-paths.md` has the figures).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The exit code of a command that could not do its work.
const EXIT_ERROR: u8 = 2;

/// A DynamoDB-compatible database in one binary
#[derive(Debug, Parser)]
#[command(name = "monotable", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The widest that help gets, for those who read it.
const HELP_CELLS_MAX: usize = 100;

/// What was asked for. Help texts are fitted to the terminal before anything is printed.
fn arguments() -> Arguments {
    let cells = output::terminal_width().unwrap_or(HELP_CELLS_MAX).min(HELP_CELLS_MAX);
    let matches = with_fitted_help(Arguments::command(), cells).get_matches();
    Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

fn with_fitted_help(command: clap::Command, cells: usize) -> clap::Command {
    let after =
        command.get_after_help().map(|text| line_fit::fitted_help(&text.to_string(), cells));
    let command = match after {
        Some(after) => command.after_help(after),
        None => command,
    };
    command.mut_subcommands(|command| with_fitted_help(command, cells))
}

fn main() -> ExitCode {
    match run(arguments()) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Negative) => ExitCode::from(EXIT_NEGATIVE),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&error);
            ExitCode::from(EXIT_ERROR)
        }
    }
}

fn run(arguments: Arguments) -> Result<Outcome> {
    match arguments.command {
        Command::Serve(serve) => commands::serve::run(*serve)?,
        Command::Tail(tail) => commands::tail::run(tail)?,
        Command::Trigger(trigger) => commands::trigger::run(trigger)?,
        Command::Keys(keys) => commands::keys::run(keys)?,
        Command::Clock(clock) => commands::clock::run(clock)?,
        Command::Sql(sql) => commands::sql::run(&sql)?,
        Command::Healthcheck(healthcheck) => return commands::healthcheck::run(&healthcheck),
        Command::Faults(faults) => commands::faults::run(faults)?,
        Command::Insights(insights) => commands::insights::run(&insights)?,
        Command::Check(check) => return commands::check::run(check),
        Command::Store(store) => return commands::store::run(store),
        Command::Model(model) => return commands::model::run(model),
        Command::Policy(policy) => return commands::policy::run(&policy),
        Command::Bench(bench) => commands::bench::run(*bench)?,
    }
    Ok(Outcome::Done)
}

pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().filter_map(|cause| cause.downcast_ref()).any(is_closed)
}
