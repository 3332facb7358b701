//! The subcommands, one file each.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod clock;
pub(crate) mod faults;
pub(crate) mod healthcheck;
pub(crate) mod insights;
pub(crate) mod keys;
pub(crate) mod model;
pub(crate) mod policy;
pub(crate) mod serve;
pub(crate) mod sql;
pub(crate) mod store;
pub(crate) mod tail;
pub(crate) mod trigger;

use clap::Subcommand;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(Box<serve::Serve>),
    Sql(Box<sql::SqlCommand>),
    Tail(tail::Tail),
    Trigger(Box<trigger::TriggerCommand>),
    Keys(keys::KeysCommand),
    Clock(clock::ClockCommand),
    Faults(faults::FaultsCommand),
    Insights(insights::InsightsCommand),
    Check(check::CheckCommand),
    Store(store::StoreCommand),
    Healthcheck(healthcheck::HealthcheckCommand),
    Model(model::ModelCommand),
    Policy(policy::PolicyCommand),
    Bench(Box<bench::BenchCommand>),
}
