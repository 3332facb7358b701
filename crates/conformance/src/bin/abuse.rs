//! Attacks an endpoint in ten ways, and says how a good client fares: `abuse
//! http://127.0.0.1:8000`.
#![expect(clippy::print_stdout, reason = "reports go to the terminal")]

use std::time::Duration;

use anyhow::Result;
use clap::Parser;
use monotable_conformance::abuse::{self, ATTACKS, Latencies, Size};

/// Attack an endpoint, and measure a good client beside the attacks.
#[derive(Parser)]
struct Arguments {
    /// The endpoint, such as http://127.0.0.1:8000; it gets a table
    endpoint: String,
    /// Connections of an attack that holds them
    #[arg(long, default_value_t = 2000)]
    connections: usize,
    /// Milliseconds between two blows
    #[arg(long, default_value_t = 10)]
    rest: u64,
    /// Requests of the good client, each
    #[arg(long, default_value_t = 3000)]
    requests: usize,
    /// Only attacks whose names contain this
    #[arg(long, default_value = "")]
    only: String,
}

fn main() -> Result<()> {
    let Arguments { endpoint, connections, rest, requests, only } = Arguments::parse();
    let size = Size { connections, rest: Duration::from_millis(rest), requests };
    abuse::prepare(&endpoint)?;
    abuse::measure(&endpoint, None, size)?;
    let alone = abuse::measure(&endpoint, None, size)?;
    println!(
        "| The good client beside | p50 | p99 | max | p99 to alone | on a sink |\n\
         |---|---:|---:|---:|---:|---:|"
    );
    print_row("nobody", &alone, &alone, &alone);
    for attack in ATTACKS.iter().filter(|attack| attack.name.contains(&only)) {
        let floor = abuse::measure_floor(&endpoint, attack, size)?;
        let latencies = abuse::measure(&endpoint, Some(attack), size)?;
        print_row(attack.name, &latencies, &floor, &alone);
        abuse::settle();
    }
    Ok(())
}

fn print_row(name: &str, latencies: &Latencies, floor: &Latencies, alone: &Latencies) {
    let micros = |share| latencies.quantile(share).as_micros();
    let p99_to_alone =
        |found: &Latencies| found.quantile(0.99).as_secs_f64() / alone.quantile(0.99).as_secs_f64();
    let (ratio, floor) = (p99_to_alone(latencies), p99_to_alone(floor));
    println!(
        "| {name} | {} µs | {} µs | {} µs | {ratio:.1} | {floor:.1} |",
        micros(0.5),
        micros(0.99),
        micros(1.0)
    );
}
