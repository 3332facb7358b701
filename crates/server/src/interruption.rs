//! What ends a connection though its client did nothing: the server stops, or the client stalls.
//!
//! Both are waited for as long as a connection lives and happen once at most, but a task that waits
//! for several things asks all of them each time it runs, which is with every request. Asking a
//! timer and a channel costs as much as reading the request's head. So they are asked only after
//! one of them has woken the task: they get a bell instead of the task's waker, and unless the bell
//! has rung there is nothing to ask.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use monotable_database::Clock;
use tokio::sync::watch;

use crate::activity::{Activity, Quiet};

/// What ends a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interruption {
    /// The server stops. What has begun is finished.
    Stopping,
    /// The client has sent no whole request for too long, and is not waiting for an answer; or it
    /// keeps memory that others need, and does nothing about it.
    Stalled,
}

/// The one interruption of a connection, while it has not come.
pub(crate) struct Interruptions {
    coming: Option<Pin<Box<dyn Future<Output = Interruption> + Send>>>,
    bell: Arc<Bell>,
    /// Rings the bell.
    ringer: Waker,
    /// Who hears the bell.
    listener: Waker,
}

impl Interruptions {
    /// What may interrupt a connection with this activity.
    pub(crate) fn new(
        activity: Arc<Activity>,
        clock: Arc<dyn Clock>,
        quiet: Quiet,
        mut stop: watch::Receiver<bool>,
    ) -> Interruptions {
        Interruptions::of(async move {
            tokio::select! {
                // An error means that the server is gone altogether.
                _ = stop.wait_for(|stop| *stop) => Interruption::Stopping,
                () = activity.is_over(clock.as_ref(), quiet) => Interruption::Stalled,
            }
        })
    }

    fn of(coming: impl Future<Output = Interruption> + Send + 'static) -> Interruptions {
        let listener = Waker::noop().clone();
        // What has never been asked has woken nobody yet, so the bell begins as if it had rung.
        let bell = Arc::new(Bell {
            has_rung: AtomicBool::new(true),
            listener: Mutex::new(listener.clone()),
        });
        let ringer = Waker::from(bell.clone());
        Interruptions { coming: Some(Box::pin(coming)), bell, ringer, listener }
    }

    /// Ends with the interruption when it comes, and never after that.
    pub(crate) async fn next(&mut self) -> Interruption {
        poll_fn(|context| self.poll(context)).await
    }

    fn poll(&mut self, context: &Context<'_>) -> Poll<Interruption> {
        // Whoever rings after this wakes the right task, and whoever rang before is seen below.
        if !self.listener.will_wake(context.waker()) {
            self.listener.clone_from(context.waker());
            self.bell.be_heard_by(context.waker().clone());
        }
        if !self.bell.has_rung.load(Ordering::Acquire) {
            return Poll::Pending;
        }
        self.bell.has_rung.store(false, Ordering::Relaxed);
        let Some(coming) = &mut self.coming else { return Poll::Pending };
        let interruption = coming.as_mut().poll(&mut Context::from_waker(&self.ringer));
        if interruption.is_ready() {
            self.coming = None;
        }
        interruption
    }
}

/// Remembers that it has rung, and wakes the task that listens.
struct Bell {
    has_rung: AtomicBool,
    listener: Mutex<Waker>,
}

impl Bell {
    fn be_heard_by(&self, listener: Waker) {
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = listener;
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.has_rung.store(true, Ordering::Release);
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner).clone();
        listener.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use tokio::sync::oneshot;

    use super::*;

    /// Counts how often it is woken.
    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// An interruption that comes when it is told to, and how often it was asked.
    fn told() -> (Interruptions, oneshot::Sender<()>, Arc<AtomicUsize>) {
        let (tell, mut told) = oneshot::channel();
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        let coming = poll_fn(move |context| {
            counter.fetch_add(1, Ordering::Relaxed);
            Pin::new(&mut told).poll(context).map(|_| Interruption::Stopping)
        });
        (Interruptions::of(coming), tell, asked)
    }

    #[test]
    fn what_has_not_rung_is_not_asked() {
        let (mut interruptions, tell, asked) = told();
        let (count, other) = (Arc::new(Count::default()), Arc::new(Count::default()));
        for listener in [&count, &count, &count, &other] {
            let waker = Waker::from(listener.clone());
            assert!(interruptions.poll(&Context::from_waker(&waker)).is_pending());
        }
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        tell.send(()).unwrap();
        // Only the task that asked last is woken.
        assert_eq!((count.0.load(Ordering::Relaxed), other.0.load(Ordering::Relaxed)), (0, 1));
    }

    #[test]
    fn an_interruption_comes_once() {
        let (mut interruptions, tell, _) = told();
        let context = Context::from_waker(Waker::noop());
        assert!(interruptions.poll(&context).is_pending());
        tell.send(()).unwrap();
        assert_eq!(interruptions.poll(&context), Poll::Ready(Interruption::Stopping));
        assert!(interruptions.poll(&context).is_pending());
    }
}
