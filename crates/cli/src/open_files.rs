//! How many files and connections the process may have open. Shells start programs with a low limit
//! that the program itself may raise.

/// Raises the limit to `wanted` if it is lower and may be raised; gives what it is then.
#[cfg(unix)]
pub(crate) fn raise_limit(wanted: usize) -> usize {
    use rustix::process::{Resource, getrlimit, setrlimit};

    let mut limit = getrlimit(Resource::Nofile);
    // A limit that is not there is as good as the one that is wanted.
    let before = limit.current.map_or(wanted, as_count);
    let reachable = limit.maximum.map_or(wanted, as_count).min(wanted);
    if reachable <= before {
        return before;
    }
    limit.current = u64::try_from(reachable).ok();
    match setrlimit(Resource::Nofile, limit) {
        Ok(()) => reachable,
        Err(error) => {
            tracing::warn!(%error, "the limit of {before} open files could not be raised");
            before
        }
    }
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub(crate) fn raise_limit(wanted: usize) -> usize {
    wanted
}

#[cfg(unix)]
fn as_count(files: u64) -> usize {
    usize::try_from(files).unwrap_or(usize::MAX)
}
