//! Work that would hold a worker of the runtime for too long.
//!
//! A worker that parses megabytes, or evaluates hundreds of operators on a large item, serves no
//! other task in the meantime. Most calls are small and stay on their worker. A call
//! [moves](move_if_large) away from it as soon as it is known to be about many bytes: when its body
//! is seen, or when an item or a page has been read. From there on its thread is no worker, and
//! another thread takes the worker's place.
//!
//! Only as many calls work so at the same time as there are processors. The others wait in line for
//! their turn, as tasks and not as threads, so that workers get their share of the processors
//! whatever is asked for. A turn lasts until the call waits for something else.
//!
//! What a storage transaction decides cannot wait for a turn. It [runs](run) off the worker without
//! one, holding the keys that it is about.
//!
//! On a runtime with a single thread, as tests have it, everything stays where it is.

mod hold;

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::LazyLock;
use std::task::{Context, Poll};
use std::thread::available_parallelism;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::block_in_place;

pub use hold::{HoldClock, longest_hold, watch_holds};

/// Work on so many bytes stays on its worker: it is far from the milliseconds that others would
/// notice.
pub const WORKER_BYTES_MAX: usize = 64 * 1024;

/// The turns of large calls.
static TURNS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, |count| count.get())));

/// Where the code that runs on a thread is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Outside of any call.
    Outside,
    /// In a call that is on its worker.
    OnWorker,
    /// In a call that wants to move.
    Moving,
    /// In work that has moved, or cannot.
    Moved,
}

thread_local! {
    static STAGE: Cell<Stage> = const { Cell::new(Stage::Outside) };
}

/// Runs one call, which has this many bytes from its beginning. It may move off its worker.
pub async fn watch<F: Future>(bytes: usize, call: F) -> F::Output {
    let mut call = pin!(call);
    let mut has_moved = bytes > WORKER_BYTES_MAX && can_move();
    let mut turn = None;
    poll_fn(|context| {
        if has_moved {
            return poll_moved(call.as_mut(), &mut turn, context);
        }
        match poll_on_worker(call.as_mut(), context) {
            (Poll::Pending, Stage::Moving) => {
                has_moved = true;
                poll_moved(call.as_mut(), &mut turn, context)
            }
            (polled, _) => polled,
        }
    })
    .await
}

fn poll_on_worker<F: Future>(
    call: Pin<&mut F>,
    context: &mut Context<'_>,
) -> (Poll<F::Output>, Stage) {
    let _hold = hold::begin();
    let _stage = StageGuard(STAGE.replace(Stage::OnWorker));
    let polled = call.poll(context);
    (polled, STAGE.get())
}

/// A turn that is waited for.
type Turn = Pin<Box<dyn Future<Output = Option<SemaphorePermit<'static>>> + Send>>;

fn poll_moved<F: Future>(
    call: Pin<&mut F>,
    turn: &mut Option<Turn>,
    context: &mut Context<'_>,
) -> Poll<F::Output> {
    let waiting = turn.get_or_insert_with(|| Box::pin(async { TURNS.acquire().await.ok() }));
    let Poll::Ready(permit) = waiting.as_mut().poll(context) else { return Poll::Pending };
    *turn = None;
    let polled = moved(|| call.poll(context));
    drop(permit);
    polled
}

/// Moves the call that runs here off its worker, if it concerns at least so many bytes.
#[inline]
pub async fn move_if_large(bytes: usize) {
    if bytes > WORKER_BYTES_MAX {
        move_now().await;
    }
}

#[cold]
fn move_now() -> impl Future<Output = ()> {
    let mut is_asked = false;
    poll_fn(move |context| {
        // The call is polled again at once by the one who sees that it wants to move.
        if !is_asked && STAGE.get() == Stage::OnWorker && can_move() {
            is_asked = true;
            STAGE.set(Stage::Moving);
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    })
}

/// Runs work on so many bytes, off the worker if they are many.
#[inline]
pub fn run<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    if bytes > WORKER_BYTES_MAX && STAGE.get() != Stage::Moved && can_move() {
        let _pause = hold::pause();
        return moved(work);
    }
    work()
}

/// Runs work on a thread that gives its worker to another.
fn moved<T>(work: impl FnOnce() -> T) -> T {
    let _stage = StageGuard(STAGE.replace(Stage::Moved));
    block_in_place(work)
}

/// Puts the stage back, even if the work panics.
struct StageGuard(Stage);

impl Drop for StageGuard {
    fn drop(&mut self) {
        STAGE.set(self.0);
    }
}

/// Returns whether another thread can take a worker's place.
fn can_move() -> bool {
    Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: usize = WORKER_BYTES_MAX + 1;

    fn has_moved() -> bool {
        STAGE.get() == Stage::Moved
    }

    async fn watched(body_bytes: usize, read_bytes: usize) -> (bool, bool) {
        let call = async move {
            let at_first = has_moved();
            move_if_large(read_bytes).await;
            (at_first, has_moved())
        };
        let moved = tokio::spawn(watch(body_bytes, call)).await.unwrap();
        assert!(!has_moved());
        moved
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_call_moves_when_it_is_known_to_be_large() {
        assert_eq!(watched(10, 10).await, (false, false));
        assert_eq!(watched(10, MANY).await, (false, true));
        assert_eq!(watched(MANY, 10).await, (true, true));
        assert_eq!(watched(MANY, MANY).await, (true, true));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn many_large_calls_take_their_turns() {
        let call = || async {
            move_if_large(MANY).await;
            tokio::task::yield_now().await;
            run(MANY, has_moved)
        };
        let calls: Vec<_> = (0..100).map(|_| tokio::spawn(watch(10, call()))).collect();
        for call in calls {
            assert!(call.await.unwrap());
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn what_a_transaction_decides_moves_by_itself() {
        let decide = async { (run(10, has_moved), run(MANY, has_moved), has_moved()) };
        assert_eq!(tokio::spawn(watch(10, decide)).await.unwrap(), (false, true, false));
        assert!(tokio::spawn(async { run(MANY, has_moved) }).await.unwrap());
    }

    #[tokio::test]
    async fn on_a_single_thread_everything_stays() {
        assert_eq!(watched(10, MANY).await, (false, false));
        assert_eq!(watched(MANY, MANY).await, (false, false));
        assert!(!run(MANY, has_moved));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_call_outside_of_any_watch_stays() {
        let call = tokio::spawn(async {
            move_if_large(MANY).await;
            has_moved()
        });
        assert!(!call.await.unwrap());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_worker_serves_others_while_a_large_call_works() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let large = tokio::spawn(watch(MANY, async move { receiver.recv() }));
        // On the only worker, this task would never come after one that waits for it.
        tokio::spawn(async move { sender.send(7).unwrap() }).await.unwrap();
        assert_eq!(large.await.unwrap(), Ok(7));
    }
}
