//! The files of a store, and why they may not be checked.

use std::path::Path;

use anyhow::{Result, anyhow};
use monotable_storage_local::{self as storage_local, Fault, OpenError, Report};

use super::watch::Watch;

/// Compares every file of a store with its checksums.
pub(super) fn verify(directory: &Path) -> Result<Report> {
    let mut watch = Watch::new();
    match storage_local::verify(directory, |progress| watch.files(progress)) {
        Ok(report) => Ok(report),
        Err(error) => Ok(Report { faults: vec![as_fault(error)?], ..Report::default() }),
    }
}

/// Damage as a fault; whatever else keeps a store from being opened is an error.
pub(super) fn as_fault(error: OpenError) -> Result<Fault> {
    match error {
        OpenError::Corrupt { path, source } => Ok(Fault { path, what: source.to_string() }),
        other => Err(explain(&other)),
    }
}

/// What to do about a store that cannot be checked.
fn explain(error: &OpenError) -> anyhow::Error {
    match error {
        OpenError::InUse { .. } => anyhow!("{error}; stop the server, then check its store"),
        OpenError::NewerFormat { .. } => anyhow!("{error}; run a newer version of monotable"),
        OpenError::Io { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
            let directory = path.parent().unwrap_or(path).display();
            anyhow!("{directory} is no data directory of monotable; give the one of serve --data")
        }
        _ => anyhow!("{error}"),
    }
}
