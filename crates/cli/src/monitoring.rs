//! What a server that is started counts, logs, audits and traces.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use monotable_identity::read_token;
use monotable_server::{METRICS_TABLES_MAX, Metrics, Monitoring, StorageProbe, Tracer};

use crate::audit_log::{AuditLog, AuditRules, Destination};
use crate::byte_size::parse_bytes;
use crate::logging::LogFormat;
use crate::time::parse_interval;
use crate::trace_export::{TraceExport, parse_collector};

/// How a server is watched over.
#[derive(Debug, Args)]
pub(crate) struct MonitoringArguments {
    /// Format of log lines
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,

    /// Log calls that take at least this long, such as 100ms, with operation, tables, time, units
    /// and counts; never with values
    #[arg(long, value_name = "DURATION", value_parser = parse_interval)]
    slow_requests: Option<Duration>,

    /// How many tables have metrics of their own; all others are counted together, as _other
    #[arg(long, value_name = "COUNT", default_value_t = METRICS_TABLES_MAX,
          value_parser = parse_tables_max)]
    metrics_tables: usize,

    /// Let whoever shows the token in this file read /_monotable/metrics, as Prometheus does with
    /// "authorization: { credentials_file: FILE }". The token opens nothing else
    #[arg(long, value_name = "FILE")]
    metrics_token_file: Option<PathBuf>,

    /// Append a line of JSON for every call to this file, or to standard output for -: who, from
    /// where, what, on which tables, and whether it was refused. SIGHUP reopens the file
    #[arg(long, value_name = "FILE")]
    audit: Option<PathBuf>,

    /// Include the keys of items in the lines of --audit; values are never included
    #[arg(long, requires = "audit")]
    audit_keys: bool,

    /// Answer calls with 503 while the lines of --audit cannot be written, instead of going on
    /// without them
    #[arg(long, requires = "audit")]
    audit_required: bool,

    /// Send OpenTelemetry traces to a collector, as JSON over plain HTTP, such as
    /// http://127.0.0.1:4318
    #[arg(long, value_name = "URL", value_parser = parse_collector)]
    traces: Option<String>,

    /// Share of calls to trace, from 0 to 1. Clients that send a traceparent header decide for
    /// themselves
    #[arg(long, value_name = "PART", default_value = "0.01", value_parser = parse_part)]
    trace_sample: f64,

    /// Refuse writes while less than this is free on the disk, such as 512MB; 0 uses the disk to
    /// its last byte. The default is 256MB, or 1 % of a small disk
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, conflicts_with = "in_memory")]
    pub(crate) disk_reserve: Option<u64>,
}

/// What watches over a running server, besides what the server does itself.
pub(crate) struct Watchers {
    pub(crate) monitoring: Monitoring,
    audit_log: Option<AuditLog>,
    trace_export: Option<TraceExport>,
}

impl MonitoringArguments {
    /// Starts what writes and sends.
    pub(crate) fn start(&self, storage: StorageProbe) -> Result<Watchers> {
        let metrics = Arc::new(Metrics::new(self.metrics_tables));
        let metrics_token = self.metrics_token_file.as_deref().map(read_token).transpose()?;
        let rules = AuditRules { keeps_keys: self.audit_keys, is_required: self.audit_required };
        let audit_log = self.audit.as_ref().map(|path| {
            let destination = Destination::of_argument(path);
            AuditLog::start(destination, rules, metrics.clone())
        });
        let audit_log = audit_log.transpose()?;
        let trace_export = self.traces.as_ref().map(|url| TraceExport::start(url, metrics.clone()));
        let trace_export = trace_export.transpose()?;
        let sink = trace_export.as_ref().map(TraceExport::sink);
        let monitoring = Monitoring {
            metrics,
            storage,
            slow_after: self.slow_requests,
            auditor: audit_log.as_ref().map(AuditLog::auditor),
            tracer: sink.map(|sink| Tracer::new(self.trace_sample, sink)),
            metrics_token: metrics_token.map(Arc::new),
            ..Monitoring::default()
        };
        Ok(Watchers { monitoring, audit_log, trace_export })
    }
}

impl Watchers {
    /// Waits until everything is written and sent. The server must be gone.
    pub(crate) async fn finish(self) {
        let Watchers { monitoring, audit_log, trace_export } = self;
        drop(monitoring);
        if let Some(audit_log) = audit_log {
            audit_log.finish();
        }
        if let Some(trace_export) = trace_export {
            trace_export.finish().await;
        }
    }
}

/// The most tables that may have metrics of their own: each makes hundreds of series.
const TABLES_MAX: usize = 10_000;

fn parse_tables_max(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| *count <= TABLES_MAX);
    count.ok_or_else(|| format!("give a number up to {TABLES_MAX}"))
}

fn parse_part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "give a part between 0 and 1, such as 0.01".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_lies_between_nothing_and_everything() {
        assert_eq!(parse_part("0.25"), Ok(0.25));
        for refused in ["", "-0.1", "1.1", "NaN", "half"] {
            assert!(parse_part(refused).is_err(), "{refused}");
        }
    }
}
