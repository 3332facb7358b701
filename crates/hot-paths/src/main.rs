//! The paths that most requests take, each as a scenario whose instructions can be counted.
//!
//! `hot-paths` lists the scenarios, and `hot-paths SCENARIO ITERATIONS` plays one: it prepares,
//! makes the same calls for a while so that everything has its size, and then makes them
//! `ITERATIONS` times inside the function `counted` of [`repeat`]. `cargo xtask instructions` runs
//! this under callgrind, which counts what is executed inside that function and nothing else, and
//! compares the counts with those in
//! `instructions.txt`.
//!
//! A count is worth comparing because it hardly depends on the moment or the machine. So a scenario
//! has one thread, a clock that stands still, ids that count up, and the same requests in every
//! run.
//!
//! - [`scenario`] names the scenarios,
//! - [`items`], [`expressions`], [`recognition`] and [`signatures`] call the crates below the API,
//! - [`judgement`] is what the language server does after a keystroke,
//! - [`requests`] calls the API as the server does, on [`store`], which is a table in memory with
//!   one index,
//! - [`served`] sends requests to the server over a connection,
//! - [`order`] is the item that all of them use.
#![expect(clippy::print_stdout, reason = "the list of scenarios goes to the terminal")]

mod expressions;
mod items;
mod judgement;
mod order;
mod recognition;
mod repeat;
mod requests;
mod scenario;
mod served;
mod signatures;
mod store;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use mimalloc::MiMalloc;

use crate::scenario::SCENARIOS;

/// The server's allocator, which is part of what a request costs.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => {
            SCENARIOS.iter().for_each(|scenario| println!("{}", scenario.name));
            Ok(())
        }
        [name, iterations] => {
            let iterations = iterations.parse().context("ITERATIONS must be a whole number")?;
            scenario::play(name, iterations)
        }
        _ => bail!("usage: hot-paths [SCENARIO ITERATIONS]"),
    }
}
