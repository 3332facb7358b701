//! `monotable store`: stores on PostgreSQL, which any number of servers share.

mod copy;
mod copy_report;
mod copy_target;
mod fingerprint;
mod status;

use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use monotable_storage_postgres::{self as storage_postgres, Initialized, PostgresOptions};
use serde_json::json;

use crate::commands::check;
use crate::outcome::Outcome;
use crate::output;
use crate::postgres::{StoreAddress, explain};

/// A server that was silent for longer has stopped.
const SILENCE_MAX: Duration = Duration::from_secs(15);

const EXAMPLES: &str = "Examples:
  Make a store in a database, and start as many servers on it as you like:
      createdb monotable
      monotable store init postgres://monotable@db1/monotable
      monotable serve --store postgres://monotable@db1/monotable

  Which servers are there, how large is it, who does what in the background?
      monotable store status postgres://monotable@db1/monotable

  Before servers of a newer version are started, one by one; the old ones go on meanwhile:
      monotable store migrate postgres://monotable@db1/monotable

  Move a data directory into PostgreSQL, or back. No server may use either of them:
      monotable store copy ./monotable-data postgres://monotable@db1/monotable
      monotable store copy postgres://monotable@db1/monotable ./monotable-data

  Is everything in it as it should be? No server may use it:
      monotable store check postgres://monotable@db1/monotable

Addresses:
  postgres://user:password@host1:port,host2/database?sslmode=verify-full&sslrootcert=ca.pem

  Of several hosts, the one that accepts writes is used. The password can also be in PGPASSWORD,
  and the address in MONOTABLE_STORE. sslmode is disable, prefer, require, verify-ca or
  verify-full; sslcert and sslkey name a certificate of your own. schema=NAME keeps the store in
  a schema other than monotable.

Exits with 0 if it is done, with 1 if check finds faults or copy a difference, and with 2 if it
could not be done.";

/// Create, inspect, check, upgrade and copy stores on PostgreSQL
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StoreCommand {
    #[command(subcommand)]
    action: Action,

    /// How to print
    #[arg(long, value_enum, default_value_t = Output::Text, global = true)]
    output: Output,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Create a store, unless it exists
    Init(AddressArgument),
    /// Show the version, the size, the servers and what they do
    Status(AddressArgument),
    /// Check the consistency of a store that no server is using
    Check {
        #[command(flatten)]
        address: AddressArgument,

        /// Repair what can be derived from the items
        #[arg(long)]
        repair: bool,
    },
    /// Upgrade a store to the format of this version
    Migrate(AddressArgument),
    /// Copy a store that no server is using into an empty one, and compare the two
    Copy {
        /// A data directory, or the address of a store
        from: String,

        /// A new or empty data directory, or the address of an empty store
        to: String,
    },
}

/// The address of a store.
#[derive(Debug, Args)]
struct AddressArgument {
    /// The address, such as postgres://user@host1,host2/database
    #[arg(env = "MONOTABLE_STORE", hide_env_values = true)]
    address: StoreAddress,
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// For people
    Text,
    /// For programs: JSON with stable members
    Json,
}

/// Does what was asked for.
pub(crate) fn run(arguments: StoreCommand) -> Result<Outcome> {
    let StoreCommand { action, output } = arguments;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match action {
            Action::Init(AddressArgument { address }) => init(&address.options()?, output).await,
            Action::Status(AddressArgument { address }) => {
                status::run(&address.options()?, output).await
            }
            Action::Check { address: AddressArgument { address }, repair } => {
                let options = address.options()?;
                refuse_servers(&options).await?;
                let output = match output {
                    Output::Text => check::Output::Text,
                    Output::Json => check::Output::Json,
                };
                check::run_on_database(&options, repair, output).await
            }
            Action::Migrate(AddressArgument { address }) => {
                migrate(&address.options()?, output).await
            }
            Action::Copy { from, to } => copy::run(&from, &to, output).await,
        }
    })
}

async fn init(options: &PostgresOptions, output: Output) -> Result<Outcome> {
    let made = storage_postgres::init(options).await.map_err(|error| explain(&error))?;
    let (format, is_new) = (storage_postgres::FORMAT_VERSION, made == Initialized::Made);
    match (output, made) {
        (Output::Text, Initialized::Made) => output::line(&format!(
            "made the store {options}; start servers with monotable serve --store"
        ))?,
        (Output::Text, Initialized::WasThere) => {
            output::line(&format!("the store {options} is there already; nothing was changed"))?;
        }
        (Output::Json, _) => {
            let store = options.to_string();
            output::line(&json!({ "store": store, "made": is_new, "format": format }).to_string())?;
        }
    }
    Ok(Outcome::Done)
}

async fn migrate(options: &PostgresOptions, output: Output) -> Result<Outcome> {
    let migrated = storage_postgres::migrate(options).await.map_err(|error| explain(&error))?;
    let (from, to) = (migrated.from, migrated.to);
    match output {
        Output::Text if from == to => {
            output::line(&format!("{options} has format {to}; nothing was to be done"))?;
        }
        Output::Text => output::line(&format!("{options}: format {from} became format {to}"))?,
        Output::Json => {
            let store = options.to_string();
            output::line(&json!({ "store": store, "from": from, "to": to }).to_string())?;
        }
    }
    Ok(Outcome::Done)
}

/// Refuses a store that servers use.
async fn refuse_servers(options: &PostgresOptions) -> Result<()> {
    let status = storage_postgres::status(options).await.map_err(|error| explain(&error))?;
    let servers = status.servers.iter().filter(|server| server.silence < SILENCE_MAX);
    let names: Vec<&str> = servers.map(|server| server.name.as_str()).collect();
    if !names.is_empty() {
        bail!("{options} is used by {}; stop all servers first", names.join(", "));
    }
    Ok(())
}
