//! The commands as people run them: the binary itself, its output and its exit codes.

#[path = "../support/collector.rs"]
mod collector;
#[path = "../support/guarded.rs"]
mod guarded;
#[cfg(target_os = "linux")]
#[path = "../support/own_network.rs"]
mod own_network;
#[path = "../support/proxy.rs"]
mod proxy;
#[path = "../support/receiver.rs"]
mod receiver;
#[path = "../support/mod.rs"]
mod support;
#[cfg(target_os = "linux")]
#[path = "../support/terminal.rs"]
mod terminal;

mod abuse;
mod access;
mod bench;
#[cfg(unix)]
mod check;
mod clock;
mod healthcheck;
mod help;
mod insights;
#[cfg(target_os = "linux")]
mod insights_view;
mod keys;
#[cfg(target_os = "linux")]
mod memory;
mod model;
mod model_apply;
mod model_backfill;
mod model_chart;
mod model_cost;
mod model_diff;
mod model_exchange;
mod model_guides;
mod model_lint;
mod model_lsp;
mod model_periods;
mod model_run;
mod model_seed;
#[cfg(target_os = "linux")]
mod model_terminal;
mod model_test;
mod model_watch;
#[cfg(unix)]
mod monitoring;
mod policy;
mod record;
mod serve;
#[cfg(unix)]
mod shutdown;
mod sql;
#[cfg(target_os = "linux")]
mod sql_shell;
#[cfg(target_os = "linux")]
mod strangers;
#[cfg(unix)]
mod tail;
mod tls;
#[cfg(unix)]
mod trigger;
