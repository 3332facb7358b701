//! `monotable serve`: the server, from its first line to its clean end.

mod place;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use monotable_database::stream::StreamOptions;
use monotable_database::{Clock, DatabaseOptions, Home, Ids, ManualClock};
use monotable_identity::DEFAULT_ACCOUNT;
use monotable_node::{Node, Serving};
use monotable_remote::Identity;
use monotable_server::{BindError, DatabaseClock, Options};
use monotable_storage::Engine;
use monotable_storage_postgres::Registration;

use self::place::{DataArguments, DataLocation};
use crate::access::AccessArguments;
use crate::console::ConsoleArguments;
use crate::credentials::{CredentialsArguments, ServedCredentials};
use crate::limits::LimitArguments;
use crate::monitoring::MonitoringArguments;
use crate::output::{self, Style};
use crate::recording::Recording;
use crate::served_models::ModelArguments;
use crate::served_triggers::ServedTriggers;
use crate::signals::Signals;
use crate::system::{SystemClock, SystemIds};
use crate::testing::TestingArguments;
use crate::time::{parse_duration, parse_interval, parse_time_millis};
use crate::tls::TlsArguments;
use crate::{logging, signals, system, triggers};

/// More open shards than this would make each table's stream slow to follow.
const STREAM_SHARDS_MAX: i64 = 64;

const EXAMPLES: &str = "\
Examples:
  Listen on http://127.0.0.1:8000, with the data in ./monotable-data:
      monotable serve

  A throw-away database on any free port, for tests (the first line says which port):
      monotable serve --in-memory --port 0

  Faster writes that a power cut may undo, up to a tenth of a second of them:
      monotable serve --data /var/lib/monotable --durability interval

  One of several servers on one PostgreSQL database, behind any load balancer:
      monotable store init postgres://monotable@db1,db2/monotable
      monotable serve --store postgres://monotable@db1,db2/monotable

  A clock that stands still until it is moved, to test what takes a week:
      monotable serve --in-memory --clock manual
      monotable clock advance 7d

  Record what an application asks, to look for mistakes in it:
      monotable serve --in-memory --record requests.jsonl
      monotable model lint shop.toml --requests requests.jsonl

  Keep a record of who did what, log calls that take long, and count everything:
      monotable serve --audit audit.jsonl --slow-requests 100ms --log-format json
      curl http://127.0.0.1:8000/_monotable/metrics

  Know the design: which access pattern each call is, what it costs, which writes do not fit:
      monotable serve --model shop.toml --model-check reject
      monotable insights

  Every tenth write is throttled, to see how an application retries:
      monotable serve --in-memory --fault 'throttle rate=0.1 operation=PutItem' --fault-seed 7

  Look at tables, items and designs in a browser, without changing anything:
      monotable serve --console read-only
      open http://127.0.0.1:8000/

  Let a web application that is served from port 3000 call it from the browser:
      monotable serve --allow-origin http://localhost:3000

  Let other machines use it, with keys that you hand out:
      monotable keys create alice --policy AdministratorAccess --credentials keys.toml
      monotable serve --host 0.0.0.0 --credentials keys.toml

  Encrypt, with a certificate that clients trust or with one that is made for development:
      monotable serve --tls-cert server.pem --tls-key server.key
      monotable serve --tls self-signed

  Point a client at it; without --credentials any key will do:
      export AWS_ENDPOINT_URL=http://127.0.0.1:8000 AWS_DEFAULT_REGION=us-east-1
      export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local
      aws dynamodb list-tables

Ctrl-C finishes requests in flight and closes the data; a second Ctrl-C ends at once.";

/// Run the server
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Address or name to listen on; any but loopback needs --credentials or --insecure
    #[arg(long, default_value = "127.0.0.1")]
    host: String,

    /// Port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8000)]
    port: u16,

    #[command(flatten)]
    credentials: CredentialsArguments,

    #[command(flatten)]
    access: AccessArguments,

    #[command(flatten)]
    console: ConsoleArguments,

    #[command(flatten)]
    place: DataArguments,

    /// What to log to standard error: error, warn, info, debug, trace, or a filter such as
    /// info,monotable_server=debug
    #[arg(long, value_name = "FILTER", env = "MONOTABLE_LOG", default_value = "warn")]
    log: String,

    #[command(flatten)]
    monitoring: MonitoringArguments,

    /// Region to show in Amazon resource names and in the health text
    #[arg(long, default_value = "us-east-1", value_parser = parse_region)]
    region: String,

    /// Where the database takes the time from
    #[arg(long, value_enum, default_value_t = ClockKind::System)]
    clock: ClockKind,

    /// Where the manual clock starts: a time in UTC such as 2026-01-01T00:00:00Z, or seconds since
    /// 1970. It starts at the time of this machine otherwise
    #[arg(long, value_name = "TIME", value_parser = parse_time_millis)]
    clock_start: Option<u64>,

    /// How often to look for expired items
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = parse_interval)]
    ttl_interval: Duration,

    /// How long tables and indexes are shown as being created, changed or deleted, as on AWS; with
    /// 0 they are ready at once
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = parse_duration)]
    control_plane_delay: Duration,

    /// Number of open shards in a table's stream; by default, as many as AWS would split the table
    /// into
    #[arg(long, value_name = "COUNT",
          value_parser = clap::value_parser!(u32).range(1..=STREAM_SHARDS_MAX))]
    stream_shards: Option<u32>,

    /// How long a stream shard accepts records before a child replaces it
    #[arg(long, value_name = "DURATION", default_value = "4h", value_parser = parse_interval)]
    stream_shard_age: Duration,

    /// Record every call and its answer in this file, one JSON object per line, for monotable model
    /// lint --requests. The file is appended to, and contains the data of the calls
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Run the triggers in a TOML file; its entries have the options of monotable trigger
    #[arg(long, value_name = "FILE")]
    triggers: Option<PathBuf>,

    #[command(flatten)]
    models: ModelArguments,

    #[command(flatten)]
    tls: TlsArguments,

    #[command(flatten)]
    limits: LimitArguments,

    #[command(flatten)]
    testing: TestingArguments,
}

/// Where the database takes the time from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClockKind {
    /// The time of this machine
    System,
    /// A clock that stands still until it is moved with `monotable clock`
    Manual,
}

/// Runs the server until it is told to stop.
pub(crate) fn run(arguments: Serve) -> Result<()> {
    logging::start(&arguments.log, arguments.monitoring.log_format)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(arguments))
}

async fn serve(arguments: Serve) -> Result<()> {
    let signals = Signals::listen().context("cannot listen for signals")?;
    let triggers = arguments.triggers.as_deref().map(triggers::read_file).transpose()?;
    let faults = arguments.testing.plan()?;
    let observer = arguments.models.observer(SystemClock.now_millis())?;
    let credentials = arguments.credentials.read()?;
    check_encryption(&arguments)?;
    let encryption = arguments.tls.encryption(&own_names(&arguments))?;
    let listener = arguments.credentials.bind(&arguments.host, arguments.port).await;
    let listener = listener.map_err(|error| explain_bind(&error))?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let ids: Arc<dyn Ids> = Arc::new(SystemIds);
    let database_clock = database_clock(&arguments)?;
    let time = time_of(&database_clock, &clock);
    let (store, place) = arguments.place.open(arguments.monitoring.disk_reserve).await?;
    check_sharing(&arguments, store.is_shared())?;
    let (health, storage, shared) = (store.health_probe(), store.storage_probe(), store.shared());
    let region = arguments.region.clone();
    let home = Home::new(DEFAULT_ACCOUNT, &region);
    let node = Node::open(store, time.clone(), ids.clone(), database_options(&arguments), home)
        .await
        .context("the data could not be opened")?;
    if let Some(shared) = shared {
        shared.register(registration(node.owner(), listener.address())).await;
    }

    let access = arguments.access.access();
    let watchers = arguments.monitoring.start(storage)?;
    let monitoring = watchers.monitoring.clone();
    let keyring = credentials.as_ref().map(ServedCredentials::keyring);
    let identity = triggers_identity(&arguments, keyring.is_some())?;
    let options = Options {
        region,
        limits: arguments.limits.limits(),
        clock: database_clock,
        access,
        health,
        keyring,
        monitoring,
        pages: arguments.console.pages(),
    };
    let recording = arguments.record.as_deref().map(Recording::start).transpose()?;
    let credentials = credentials.map(|credentials| tokio::spawn(credentials.watch(clock.clone())));
    let node = node.imitating(arguments.testing.imitation());
    let node = node.observed_by(observer).disturbed_by(faults);
    let scheme = if encryption.is_some() { "https" } else { "http" };
    let triggers = triggers.unwrap_or_default();
    let triggers =
        ServedTriggers::start(triggers, listener.address(), &identity, &time, ids.as_ref())?;
    announce(scheme, listener.address(), &place);
    arguments.credentials.announce(listener.address().ip().is_loopback());
    arguments.access.announce();
    arguments.testing.announce(&node.faults());
    let tls = encryption.map(|encryption| {
        encryption.announce();
        encryption.tls
    });
    let stop = Box::pin(async {
        signals::first_of(signals).await;
        triggers.stop().await;
    });
    let recorder = recording.as_ref().map(Recording::recorder);
    let serving = Serving { listener, options, clock, ids, recorder, tls, stop };
    let stopped = node.serve(serving).await;
    if let Some(watch) = credentials {
        watch.abort();
    }
    if let Some(recording) = recording {
        recording.finish();
    }
    watchers.finish().await;

    stopped.close().await.context("the data could not be closed cleanly")?;
    output::note(&format!("monotable stopped: {}", place.after()));
    Ok(())
}

/// Who the triggers of the server are to the server, which they call as clients.
fn triggers_identity(arguments: &Serve, is_signed: bool) -> Result<Identity> {
    if arguments.triggers.is_none() || !is_signed {
        return Ok(Identity::anonymous());
    }
    if arguments.clock == ClockKind::Manual {
        return Err(anyhow!(
            "--triggers sign their calls by the clock of the database, so with --credentials they \
             need --clock system"
        ));
    }
    let identity = Identity::from_environment()?;
    if identity.credentials.is_none() {
        return Err(anyhow!(
            "with --credentials the triggers need a key to call the server with; set \
             AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        ));
    }
    Ok(Identity { region: Some(arguments.region.clone()), ..identity })
}

fn database_clock(arguments: &Serve) -> Result<DatabaseClock> {
    match (arguments.clock, arguments.clock_start) {
        (ClockKind::System, None) => Ok(DatabaseClock::System),
        (ClockKind::System, Some(_)) => Err(anyhow!("--clock-start needs --clock manual")),
        (ClockKind::Manual, start) => {
            let start_millis = start.unwrap_or_else(|| SystemClock.now_millis());
            Ok(DatabaseClock::Manual(Arc::new(ManualClock::new(start_millis))))
        }
    }
}

fn time_of(database_clock: &DatabaseClock, system: &Arc<dyn Clock>) -> Arc<dyn Clock> {
    match database_clock {
        DatabaseClock::System => system.clone(),
        DatabaseClock::Manual(clock) => clock.clone(),
    }
}

fn database_options(arguments: &Serve) -> DatabaseOptions {
    let shard_age_millis = arguments.stream_shard_age.as_millis();
    DatabaseOptions {
        streams: StreamOptions {
            lanes: arguments.stream_shards,
            shard_age_millis: u64::try_from(shard_age_millis).unwrap_or(u64::MAX),
        },
        ttl_interval: arguments.ttl_interval,
        control_plane_delay: arguments.control_plane_delay,
        vectors: arguments.limits.vectors(),
    }
}

/// Refuses what belongs to one server on a store that others use too.
fn check_sharing(arguments: &Serve, is_shared: bool) -> Result<()> {
    if is_shared && arguments.clock == ClockKind::Manual {
        return Err(anyhow!(
            "--clock manual moves the time of one server, and this store is shared by several"
        ));
    }
    if is_shared && arguments.triggers.is_some() {
        return Err(anyhow!(
            "--triggers would run once for each server of this store; run monotable trigger beside \
             them instead"
        ));
    }
    Ok(())
}

/// What a server says about itself to the others of its store.
fn registration(id: u128, address: SocketAddr) -> Registration {
    Registration {
        id,
        name: format!("{}:{}", system::host_name(), address.port()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// Refuses what cannot be done by a server that encrypts.
fn check_encryption(arguments: &Serve) -> Result<()> {
    if arguments.tls.is_asked_for() && arguments.triggers.is_some() {
        return Err(anyhow!(
            "--triggers are clients of the server that cannot know its certificate; run monotable \
             trigger beside it, with AWS_CA_BUNDLE if the certificate was made for development"
        ));
    }
    Ok(())
}

/// The names that a certificate for this server is made for.
fn own_names(arguments: &Serve) -> Vec<String> {
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    let more = std::iter::once(arguments.host.clone()).chain(arguments.access.allowed_names());
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Says where the server listens. Programs that start a server wait for this line.
fn announce(scheme: &str, address: SocketAddr, place: &DataLocation) {
    let url = output::styled(Style::Strong, &format!("{scheme}://{address}"));
    output::note(&format!(
        "monotable {} listening on {url} · {place} · point an SDK at it: \
         AWS_ENDPOINT_URL={scheme}://{address}",
        env!("CARGO_PKG_VERSION"),
    ));
}

/// What to do about an address that cannot be listened on.
fn explain_bind(error: &BindError) -> anyhow::Error {
    let advice = match error {
        BindError::NotLoopback { .. } => {
            "make a key with monotable keys create and start with --credentials FILE, or listen on \
             127.0.0.1, or let everybody in with --insecure"
        }
        BindError::UnknownHost { .. } => "give an address with --host",
        BindError::InUse { .. } => {
            "stop what listens there, or choose another port with --port (0 takes any free one)"
        }
        BindError::NoPermission { .. } => "choose a port above 1023 with --port",
        _ => "choose another with --host and --port",
    };
    anyhow!("{error}; {advice}")
}

/// Regions stand in resource names and host names, so they take the characters that both do.
fn parse_region(text: &str) -> Result<String, String> {
    let is_valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if text.is_empty() || !text.chars().all(is_valid) {
        return Err("a region has lower-case letters, digits and hyphens, such as us-east-1".into());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_lower_case_letters_digits_and_hyphens() {
        assert_eq!(parse_region("eu-west-2").unwrap(), "eu-west-2");
        for refused in ["", "EU-WEST-2", "eu west", "eu/west"] {
            assert!(parse_region(refused).is_err(), "{refused}");
        }
    }

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        serve: Serve,
    }

    #[test]
    fn what_belongs_to_one_server_is_refused_on_a_shared_store() {
        let check = |line: &[&str], is_shared: bool| {
            let line = <Line as clap::Parser>::parse_from([&["serve"], line].concat());
            check_sharing(&line.serve, is_shared).is_ok()
        };
        for line in [&["--clock", "manual"][..], &["--triggers", "triggers.toml"]] {
            assert!(check(line, false));
            assert!(!check(line, true), "{line:?}");
        }
        assert!(check(&[], true));
    }
}
