//! `monotable store status`: what an operator wants to know of a store.

use std::time::Duration;

use anyhow::{Context, Result};
use monotable_database::{LeaseStatus, LeasedJob, leases};
use monotable_storage::Engine;
use monotable_storage_postgres::{
    self as storage_postgres, FORMAT_VERSION, PostgresEngine, PostgresOptions, StoreStatus,
};
use serde_json::{Value, json};

use super::Output;
use crate::byte_size::shown_bytes;
use crate::outcome::Outcome;
use crate::output;
use crate::postgres::explain;

/// Looks at a store, and prints what there is to see.
pub(super) async fn run(options: &PostgresOptions, output: Output) -> Result<Outcome> {
    let status = storage_postgres::status(options).await.map_err(|error| explain(&error))?;
    // Leases of a store of another format may be written otherwise.
    let is_open = status.format == FORMAT_VERSION && !status.is_unfinished;
    let leases = if is_open { read_leases(options).await? } else { Vec::new() };
    match output {
        Output::Text => {
            lines(options, &status, &leases).iter().try_for_each(|line| output::line(line))?;
        }
        Output::Json => output::line(&format!("{:#}", object(options, &status, &leases)))?,
    }
    Ok(Outcome::Done)
}

async fn read_leases(options: &PostgresOptions) -> Result<Vec<LeaseStatus>> {
    let engine = PostgresEngine::open(options).await.map_err(|error| explain(&error))?;
    let found = leases(&engine).await.context("the leases cannot be read")?;
    engine.close().await.context("the store cannot be closed")?;
    Ok(found)
}

fn lines(options: &PostgresOptions, status: &StoreStatus, leases: &[LeaseStatus]) -> Vec<String> {
    let bytes: u64 = status.tables.iter().map(|table| table.bytes).sum();
    let connections = &status.connections;
    let mut lines = vec![
        format!("store        {options}"),
        format!("PostgreSQL   {}", status.server_version),
        format!("format       {}{}", status.format, format_note(status)),
        format!("durability   {}", durability(status)),
        format!(
            "connections  {} of {}, {} of them of monotable",
            connections.open, connections.max, connections.ours
        ),
        format!("size         {}", shown_bytes(bytes)),
    ];
    for table in &status.tables {
        let rows = table.rows.map(|rows| format!(", about {rows} rows")).unwrap_or_default();
        lines.push(format!("  {:10} {}{rows}", table.name, shown_bytes(table.bytes)));
    }
    lines.push(format!("servers      {}", status.servers.len()));
    lines.extend(status.servers.iter().map(|server| {
        let (silence, uptime) = (shown(server.silence), shown(server.uptime));
        format!(
            "  {}  {}  heard of {silence} ago, started {uptime} ago",
            server.name, server.version
        )
    }));
    if !status.standbys.is_empty() {
        lines.push(format!("standbys     {}", status.standbys.len()));
    }
    lines.extend(status.standbys.iter().map(|standby| {
        let lag = standby.replay_lag.map(|lag| format!(", {} behind", shown(lag)));
        let lag = lag.unwrap_or_default();
        format!("  {}  {}, {}{lag}", standby.name, standby.state, standby.sync_state)
    }));
    lines.push(format!("leases       {}", leases.len()));
    lines.extend(leases.iter().map(|lease| {
        let (owner, left) = (owner(status, lease), shown(lease.left));
        format!("  {}: {owner}, for {left} more", job(lease))
    }));
    lines
}

fn format_note(status: &StoreStatus) -> String {
    if status.is_unfinished {
        return "; a copy that was not finished, on which no server starts".to_owned();
    }
    if status.format < FORMAT_VERSION {
        return format!("; this version needs {FORMAT_VERSION}: run monotable store migrate");
    }
    format!(" (servers that know format {} or later may use it)", status.floor)
}

/// What an answered write has survived.
fn durability(status: &StoreStatus) -> String {
    let names = &status.synchronous_standby_names;
    match status.synchronous_commit.as_str() {
        _ if names.is_empty() => "commits wait for the disk of the primary".to_owned(),
        "local" | "off" => {
            "commits wait for the disk of the primary, and for no standby".to_owned()
        }
        mode => format!("commits wait for standbys, synchronous_commit = {mode}: {names}"),
    }
}

/// Who holds a lease: the name of a server, or its number if it is not listed any more.
fn owner(status: &StoreStatus, lease: &LeaseStatus) -> String {
    let server = status.servers.iter().find(|server| server.id == lease.owner);
    server.map_or_else(|| format!("{:032x}", lease.owner), |server| server.name.clone())
}

fn job(lease: &LeaseStatus) -> String {
    let what = job_name(lease.job);
    match &lease.table {
        Some(table) => format!("{what} of {table}"),
        None => what.to_owned(),
    }
}

fn job_name(job: LeasedJob) -> &'static str {
    match job {
        LeasedJob::Upkeep => "upkeep",
        LeasedJob::Sweep => "removal of expired items",
        LeasedJob::Purge => "removal of deleted data",
        LeasedJob::Fill => "filling an index",
        LeasedJob::RemoveIndex => "removal of an index",
        LeasedJob::FillExpiry => "filling the index of expiry",
    }
}

fn object(options: &PostgresOptions, status: &StoreStatus, leases: &[LeaseStatus]) -> Value {
    let table = |table: &storage_postgres::TableSize| {
        json!({ "name": table.name, "bytes": table.bytes,
            "rows": table.rows })
    };
    let server = |server: &storage_postgres::ServerStatus| {
        json!({
            "id": format!("{:032x}", server.id),
            "name": server.name,
            "version": server.version,
            "uptimeSeconds": server.uptime.as_secs_f64(),
            "lagSeconds": server.silence.as_secs_f64(),
        })
    };
    let standby = |standby: &storage_postgres::Standby| {
        json!({
            "name": standby.name,
            "state": standby.state,
            "syncState": standby.sync_state,
            "replayLagSeconds": standby.replay_lag.map(|lag| lag.as_secs_f64()),
        })
    };
    let lease = |lease: &LeaseStatus| {
        json!({
            "job": job_name(lease.job),
            "table": lease.table,
            "server": format!("{:032x}", lease.owner),
            "secondsLeft": lease.left.as_secs_f64(),
        })
    };
    json!({
        "store": options.to_string(),
        "serverVersion": status.server_version,
        "format": status.format,
        "formatFloor": status.floor,
        "formatKnown": FORMAT_VERSION,
        "unfinished": status.is_unfinished,
        "synchronousCommit": status.synchronous_commit,
        "synchronousStandbyNames": status.synchronous_standby_names,
        "connections": {
            "open": status.connections.open,
            "monotable": status.connections.ours,
            "max": status.connections.max,
        },
        "tables": status.tables.iter().map(table).collect::<Vec<_>>(),
        "servers": status.servers.iter().map(server).collect::<Vec<_>>(),
        "standbys": status.standbys.iter().map(standby).collect::<Vec<_>>(),
        "leases": leases.iter().map(lease).collect::<Vec<_>>(),
    })
}

/// A duration as people say it, without fractions of seconds once there are minutes.
fn shown(duration: Duration) -> String {
    let rounded = match duration.as_secs() {
        0 => Duration::from_millis(u64::from(duration.subsec_millis())),
        secs => Duration::from_secs(secs),
    };
    humantime::format_duration(rounded).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_shown_in_whole_units() {
        assert_eq!(shown(Duration::from_micros(412_700)), "412ms");
        assert_eq!(shown(Duration::from_millis(3_605_900)), "1h 5s");
        assert_eq!(shown(Duration::ZERO), "0s");
    }
}
