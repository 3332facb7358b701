//! The ceiling: `pgbench` with scripts of the same row work.
//!
//! The scripts make keys and values in the database, so nothing is sent but their text: it is the
//! most that the database gives for these rows in groups of this size.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::store::LoadedStore;
use super::work::{ITEM_PREFIX, Load, RECORD_KEY, Request};

/// Rows of a group are so far from one another. A prime, so that no group meets a row twice.
const STRIDE: u64 = 7_919;

/// The settings of sessions that matter for plans, as the engine has them.
const OPTIONS: &str = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off \
     -c enable_bitmapscan=off -c enable_sort=off -c enable_hashagg=off -c jit=off";

/// Rows per second of `pgbench`, in groups of this many, on so many connections.
pub(super) async fn run(
    load: &Load,
    store: &LoadedStore<'_>,
    group: u64,
    connections: usize,
) -> Result<f64> {
    let group = group.clamp(1, load.rows);
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), script(load, group))?;
    let server = &store.database.server;
    let mut command = Command::new(store.database.programs.directory().join("pgbench"));
    command
        .args(["--no-vacuum", "--protocol", "prepared", "--host", "127.0.0.1"])
        .args(["--username", "postgres", "--jobs", "1"])
        .args(["--port", &server.port().to_string()])
        .args(["--client", &connections.to_string()])
        .args(["--time", &(load.length.as_secs().max(1)).to_string()])
        .arg("--file")
        .arg(file.path())
        .arg("postgres")
        .env("PGOPTIONS", format!("{OPTIONS} -c search_path={}", store.schema))
        .stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = output.await?.context("pgbench cannot be started; it comes with PostgreSQL")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "pgbench fails: {complaint}");
    let rate = transactions_per_second(&said).with_context(|| format!("pgbench said {said}"))?;
    Ok(rate * group as f64)
}

fn script(load: &Load, group: u64) -> String {
    let Load { rows, value_bytes, .. } = load;
    let key = format!(
        "convert_to('{ITEM_PREFIX}', 'UTF8') || int8send((:first + n * {STRIDE}) % {rows})"
    );
    let first = format!("\\set first random(0, {})\n", rows - 1);
    first
        + &match load.request {
            Request::PutItem => format!(
                "insert into kv select {key}, value.v from generate_series(1, {group}) as n, \
                 (select convert_to(repeat(chr(97 + (:first % 26)::integer), {value_bytes}), \
                 'UTF8') as v) as value on conflict (k) do update set v = excluded.v;\n"
            ),
            Request::GetItem => format!(
                "select k, v from kv where k = any(array(select {key} \
                 from generate_series(1, {group}) as n) || convert_to('{RECORD_KEY}', 'UTF8'));\n"
            ),
        }
}

fn transactions_per_second(said: &str) -> Option<f64> {
    let line = said.lines().find_map(|line| line.strip_prefix("tps = "))?;
    line.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_found_in_what_pgbench_says() {
        let said = "latency average = 4.0 ms\ntps = 498.25 (without initial connection time)\n";
        assert_eq!(transactions_per_second(said), Some(498.25));
        assert_eq!(transactions_per_second("nothing"), None);
    }
}
