//! Where the databases of a process do what nobody waits for.
//!
//! Tests have a runtime each, which ends with the test. A database may be used by several of them,
//! so its background work has a runtime of its own, which ends with the process.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Handle, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let builder = &mut Builder::new_multi_thread();
    builder.worker_threads(1).thread_name("monotable").enable_time();
    builder.build().expect("the operating system has room for another thread")
});

/// The runtime of background work.
pub(crate) fn runtime() -> &'static Handle {
    RUNTIME.handle()
}
