//! The memory that requests and answers take, over all connections.
//!
//! Small requests and answers are not counted: a connection has room for one of each, and the
//! number of connections is bounded. What is larger than [`SMALL_BYTES`] **holds** its bytes while
//! it is in memory, from one of two pools of equal size:
//!
//! - *requests*: bodies, as they grow. A body of more than a megabyte holds all that it was
//!   announced to be, so that bodies which cannot all be finished do not keep each other waiting;
//! - *work*: what calls need besides their bodies, and answers until they have left.
//!
//! A call takes from the second while it has its body in the first, and what is in the second waits
//! for nothing in the first; so two calls never wait for each other. Who finds no room waits in
//! line, and is told after a while that the server is busy.
//!
//! Memory that is held for what a client has yet to send or to read is **owed** by its connection.
//! While somebody waits for room, connections that owe have to keep pace (`pace`), or they are cut
//! off.
//!
//! How large an answer is, is known when it is there. A call that may have a large one holds what
//! it may need beforehand, and settles when the answer is there. If the answer is larger after all,
//! more is taken than is there. That is no harm up to a quarter of the pool; beyond it calls wait
//! until some of it is paid.

mod hold;
mod pace;
mod pool;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use monotable_database::Clock;
use tokio::sync::Notify;

use crate::activity::Activity;
use crate::limits::Limits;
use pace::Debtors;
use pool::Pool;

pub(crate) use hold::{Hold, NoRoom};

/// A body or an answer of this many bytes is not counted.
pub(crate) const SMALL_BYTES: usize = 16 * 1024;

/// Bodies that grow beyond this hold their whole length.
const STEPS_END_BYTES: usize = 1024 * 1024;

/// Memory for one body that comes.
pub(crate) struct BodyRoom<'a> {
    memory: &'a Memory,
    hold: Hold,
    /// So many bytes need no hold.
    allowance_bytes: usize,
}

/// All memory that requests and answers may take.
pub(crate) struct Memory {
    requests: Arc<Pool>,
    work: Arc<Pool>,
    waiting: Waiting,
    debtors: Arc<Debtors>,
    clock: Arc<dyn Clock>,
    patience: Duration,
}

/// Who waits for room.
#[derive(Debug, Default)]
struct Waiting {
    count: AtomicUsize,
    begun: Notify,
}

/// Somebody waits for room, until this is dropped.
struct WaitingHere<'a>(&'a Waiting);

impl Memory {
    pub(crate) fn new(limits: &Limits, clock: Arc<dyn Clock>) -> Memory {
        let half = limits.memory_max_bytes / 2;
        let debtors = Arc::new(Debtors::default());
        Memory {
            requests: Arc::new(Pool::new(half, debtors.clone())),
            work: Arc::new(Pool::new(half, debtors.clone())),
            waiting: Waiting::default(),
            debtors,
            clock,
            patience: limits.queue_timeout,
        }
    }

    /// A hold for a body, of nothing yet.
    pub(crate) fn body(&self, owner: &Arc<Activity>) -> Hold {
        Hold::new(self.requests.clone(), owner.clone())
    }

    /// A hold for a call and its answer, of nothing yet.
    pub(crate) fn work(&self, owner: &Arc<Activity>) -> Hold {
        Hold::new(self.work.clone(), owner.clone())
    }

    /// Room for a body. The only request of a connection needs no more if it is small.
    pub(crate) fn body_room(&self, owner: &Arc<Activity>) -> BodyRoom<'_> {
        let allowance_bytes = if owner.is_alone() { SMALL_BYTES } else { 0 };
        BodyRoom { memory: self, hold: self.body(owner), allowance_bytes }
    }

    /// Waits until a hold is of this many bytes, or does not wait any longer.
    pub(crate) async fn grow(&self, hold: &mut Hold, bytes: usize) -> Result<(), NoRoom> {
        if hold.try_grow(bytes) {
            return Ok(());
        }
        let _waiting = self.waiting.begin();
        tokio::select! {
            () = hold.grow(bytes) => Ok(()),
            () = self.clock.sleep(self.patience) => Err(NoRoom),
        }
    }

    /// Whether many answers were larger than they could be expected to be.
    #[inline]
    pub(crate) fn is_in_debt(&self) -> bool {
        self.work.is_in_debt()
    }

    /// Waits until the debt is paid or the timeout passes.
    #[cold]
    pub(crate) async fn until_paid(&self) -> Result<(), NoRoom> {
        let _waiting = self.waiting.begin();
        tokio::select! {
            () = self.work.until_paid() => Ok(()),
            () = self.clock.sleep(self.patience) => Err(NoRoom),
        }
    }

    /// Cuts connections off that owe memory and do not keep pace, while somebody waits for it.
    /// Never ends.
    pub(crate) async fn keep_pace(&self) {
        loop {
            self.waiting.begun.notified().await;
            while self.waiting.count.load(Ordering::SeqCst) > 0 {
                let before = self.debtors.progress();
                self.clock.sleep(pace::INTERVAL).await;
                if self.waiting.count.load(Ordering::SeqCst) > 0 {
                    pace::cut_slow(&before);
                }
            }
        }
    }
}

impl BodyRoom<'_> {
    /// Makes room for this many bytes, or waits for it for a while.
    pub(crate) async fn grow(&mut self, bytes: usize) -> Result<(), NoRoom> {
        if bytes <= self.allowance_bytes {
            return Ok(());
        }
        self.memory.grow(&mut self.hold, bytes).await
    }

    /// The time.
    pub(crate) fn now_millis(&self) -> u64 {
        self.memory.clock.now_millis()
    }

    /// Waits for so long.
    pub(crate) async fn rest(&self, duration: Duration) {
        self.memory.clock.sleep(duration).await;
    }

    /// Says whether the client is the one who must do something for the body to be over.
    pub(crate) fn set_owed(&mut self, is_owed: bool) {
        self.hold.set_owed(is_owed);
    }

    /// Gives up all that is held.
    pub(crate) fn release(&mut self) {
        self.hold.set_owed(false);
        self.hold.settle(0);
    }

    /// What holds a body that has come to so many bytes.
    pub(crate) fn settle(mut self, bytes: usize) -> Hold {
        if self.hold.bytes() > 0 {
            self.hold.settle(bytes);
        }
        self.hold
    }
}

/// How many bytes a body of which so many have arrived is to hold, if it may come to so many.
pub(crate) fn step(arrived_bytes: usize, announced_bytes: usize) -> usize {
    if arrived_bytes > STEPS_END_BYTES {
        return announced_bytes.max(arrived_bytes);
    }
    let step = arrived_bytes.next_power_of_two().max(SMALL_BYTES);
    step.min(announced_bytes).max(arrived_bytes)
}

impl Waiting {
    fn begin(&self) -> WaitingHere<'_> {
        self.count.fetch_add(1, Ordering::SeqCst);
        self.begun.notify_one();
        WaitingHere(self)
    }
}

impl Drop for WaitingHere<'_> {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use monotable_database::ManualClock;

    use super::*;

    const MB: usize = 1024 * 1024;

    /// A memory of 32 MB for requests and as much for work, and its clock.
    fn memory() -> (Memory, Arc<ManualClock>) {
        let clock = Arc::new(ManualClock::new(0));
        let limits = Limits { memory_max_bytes: 64 * MB, ..Limits::default() };
        (Memory::new(&limits, clock.clone()), clock)
    }

    fn poll<T>(future: &mut (impl Future<Output = T> + Unpin)) -> Poll<T> {
        std::pin::Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn what_finds_no_room_waits_until_there_is_some() {
        let (memory, _) = memory();
        let owner = Arc::default();
        let (mut first, mut second) = (memory.body(&owner), memory.body(&owner));
        assert!(first.try_grow(20 * MB));
        assert!(!second.try_grow(20 * MB));
        // The other pool has room of its own.
        assert!(memory.work(&owner).try_grow(20 * MB));
        {
            let mut waiting = pin!(memory.grow(&mut second, 20 * MB));
            assert!(poll(&mut waiting).is_pending());
            drop(first);
            assert_eq!(poll(&mut waiting), Poll::Ready(Ok(())));
        }
        assert_eq!(second.bytes(), 20 * MB);
    }

    #[test]
    fn whoever_waits_for_too_long_is_turned_away_and_leaves_nothing_behind() {
        let (memory, clock) = memory();
        let owner = Arc::default();
        let (mut first, mut second) = (memory.body(&owner), memory.body(&owner));
        assert!(first.try_grow(32 * MB));
        {
            let mut waiting = pin!(memory.grow(&mut second, MB));
            assert!(poll(&mut waiting).is_pending());
            clock.advance(Limits::default().queue_timeout);
            assert_eq!(poll(&mut waiting), Poll::Ready(Err(NoRoom)));
        }
        drop((first, second));
        assert!(memory.body(&owner).try_grow(32 * MB));
    }

    #[test]
    fn an_answer_that_is_larger_than_expected_makes_the_next_calls_wait() {
        let (memory, _) = memory();
        let owner = Arc::default();
        let mut hold = memory.work(&owner);
        assert!(hold.try_grow(30 * MB));
        hold.settle(40 * MB);
        assert!(!memory.is_in_debt(), "a quarter is no harm");
        hold.settle(50 * MB);
        assert!(memory.is_in_debt());
        let mut paid = pin!(memory.until_paid());
        assert!(poll(&mut paid).is_pending());
        hold.settle(41 * MB);
        assert!(poll(&mut paid).is_pending());
        hold.settle(40 * MB);
        assert_eq!(poll(&mut paid), Poll::Ready(Ok(())));
        assert!(!memory.work(&owner).try_grow(MB));
        hold.settle(30 * MB);
        assert!(!memory.is_in_debt() && memory.work(&owner).try_grow(2 * MB));
        assert!(!memory.work(&owner).try_grow(3 * MB));
    }

    #[test]
    fn what_is_larger_than_the_whole_pool_gets_all_of_it() {
        let (memory, _) = memory();
        let mut hold = memory.work(&Arc::default());
        assert!(hold.try_grow(1000 * MB));
        assert_eq!(hold.bytes(), 32 * MB);
    }

    #[test]
    fn a_body_holds_twice_what_has_arrived_at_most_until_it_is_large() {
        let announced = 16 * MB;
        for (arrived, held) in [
            (1, SMALL_BYTES),
            (SMALL_BYTES + 1, 32 * 1024),
            (32 * 1024 + 1, 64 * 1024),
            (700_000, MB),
            (MB, MB),
            (MB + 1, announced),
        ] {
            assert_eq!(step(arrived, announced), held, "{arrived}");
        }
        assert_eq!(step(20_000, 20_001), 20_001);
        assert_eq!(step(20_000, 10), 20_000);
    }

    #[test]
    fn a_slow_connection_is_cut_off_when_others_wait() {
        let (memory, clock) = memory();
        let (slow, steady) = (Arc::new(Activity::default()), Arc::new(Activity::default()));
        let mut holds = [memory.work(&slow), memory.work(&steady)];
        for hold in &mut holds {
            assert!(hold.try_grow(16 * MB));
            hold.set_owed(true);
        }
        let mut pace = pin!(memory.keep_pace());
        let is_cut = |activity: &Arc<Activity>| {
            let quiet = crate::activity::Quiet::from(&Limits::default());
            poll(&mut pin!(activity.is_over(clock.as_ref(), quiet))).is_ready()
        };
        let mut pass = |moved: usize| {
            assert!(poll(&mut pace).is_pending());
            steady.note_moved(moved);
            clock.advance(pace::INTERVAL);
            assert!(poll(&mut pace).is_pending());
        };
        pass(0);
        assert!(!is_cut(&slow) && !is_cut(&steady), "nobody waits");
        let owner = Arc::default();
        let mut late = memory.work(&owner);
        let mut waiting = pin!(memory.grow(&mut late, MB));
        assert!(poll(&mut waiting).is_pending());
        pass(MB);
        assert!(is_cut(&slow) && !is_cut(&steady));
        drop(holds);
        assert_eq!(poll(&mut waiting), Poll::Ready(Ok(())));
    }
}
