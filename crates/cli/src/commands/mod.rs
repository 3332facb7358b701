//! The subcommands, one file each.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod clock;
pub(crate) mod healthcheck;
pub(crate) mod model;
pub(crate) mod serve;
pub(crate) mod tail;
pub(crate) mod trigger;

use clap::Subcommand;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(Box<serve::Serve>),
    Tail(tail::Tail),
    Trigger(Box<trigger::TriggerCommand>),
    Clock(clock::ClockCommand),
    Check(check::CheckCommand),
    Healthcheck(healthcheck::HealthcheckCommand),
    Model(model::ModelCommand),
    Bench(Box<bench::BenchCommand>),
}
