//! How much of the processors a thread gets when others want them too.

/// How a thread stands against those that answer requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// As they do.
    Usual,
    /// A third of what they get.
    Low,
    /// A tenth of what they get.
    Lowest,
}

/// Sets the priority of the thread that calls.
#[cfg(target_os = "linux")]
pub(crate) fn set_priority(priority: Priority) {
    let nice = match priority {
        Priority::Usual => return,
        Priority::Low => 5,
        Priority::Lowest => 10,
    };
    // On Linux this is about the thread, though it speaks of the process. If it is refused, the
    // thread works as others do.
    if let Err(error) = rustix::process::setpriority_process(None, nice) {
        tracing::debug!(%error, "a thread keeps its priority");
    }
}

/// Elsewhere it would be that of the whole process.
#[cfg(not(target_os = "linux"))]
pub(crate) fn set_priority(_: Priority) {}
