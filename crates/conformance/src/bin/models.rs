//! Plays the models against an endpoint: `models http://127.0.0.1:8000 [--model NAME]`.
#![expect(clippy::print_stdout, reason = "reports go to the terminal")]

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;
use monotable_conformance::models;

/// Play the models against a DynamoDB endpoint.
#[derive(Parser)]
struct Arguments {
    /// The endpoint, such as http://127.0.0.1:8000
    endpoint: String,
    /// Only this model (repeatable)
    #[arg(long)]
    model: Vec<String>,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let mut chosen = models::load_all()?;
    if !arguments.model.is_empty() {
        chosen.retain(|model| arguments.model.contains(&model.name));
        ensure!(chosen.len() == arguments.model.len(), "no model has this name");
    }
    let mut total = models::Tally::default();
    for model in chosen {
        let report = models::play(&model, &arguments.endpoint)?;
        println!("{report}");
        total += report.tally;
    }
    println!("{total}");
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
