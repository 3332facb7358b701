//! The real clock and real randomness. Everything below this crate takes them as traits.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use monotable_database::{Clock, Ids};
use monotable_remote as remote;

/// The clock of the machine.
#[derive(Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that is passed in")]
    fn now_millis(&self) -> u64 {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX)
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock that is passed in")]
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        // Made when it is polled, which is inside of a runtime even if this call is not.
        Box::pin(async move { tokio::time::sleep(duration).await })
    }
}

impl remote::Clock for SystemClock {
    fn now_millis(&self) -> u64 {
        Clock::now_millis(self)
    }

    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Clock::sleep(self, duration)
    }
}

/// Ids from the randomness of the operating system.
#[derive(Debug)]
pub(crate) struct SystemIds;

impl Ids for SystemIds {
    fn random(&self) -> u128 {
        u128::from_ne_bytes(random_bytes())
    }
}

/// The name of this machine.
pub(crate) fn host_name() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    if name.is_empty() { "server".to_owned() } else { name }
}

/// Randomness of the operating system.
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has randomness once it has started");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_can_be_made_before_there_is_a_runtime() {
        let pause = Clock::sleep(&SystemClock, Duration::ZERO);
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(pause);
    }
}
