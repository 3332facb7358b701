//! Where calls to the engine wait for their turn.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// A call to the engine, or its answer: by which server, what it is, and a digest of what it names.
pub(super) type Call = (usize, &'static str, u64);

pub(super) struct Gate {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: Vec<Call>,
    /// Who waits, by number in order of arrival.
    waiting: BTreeMap<usize, Waiting>,
    is_open: bool,
}

struct Waiting {
    server: usize,
    go_on: oneshot::Sender<()>,
}

impl Gate {
    pub(super) fn new() -> Arc<Gate> {
        Arc::new(Gate { state: Mutex::default() })
    }

    /// Waits for its turn.
    pub(super) async fn pass(&self, call: Call) {
        match self.arrive(call) {
            // Whoever waits goes on by the schedule, or with everybody else.
            Some(waiting) => drop(waiting.await),
            // So that one who never comes to an end does not keep the others from theirs.
            None => tokio::task::yield_now().await,
        }
    }

    fn arrive(&self, call: Call) -> Option<oneshot::Receiver<()>> {
        let mut state = self.lock();
        let number = state.calls.len();
        state.calls.push(call);
        if state.is_open {
            return None;
        }
        let (go_on, waiting) = oneshot::channel();
        state.waiting.insert(number, Waiting { server: call.0, go_on });
        Some(waiting)
    }

    /// The calls that wait, with their servers.
    pub(super) fn waiting(&self) -> Vec<(usize, usize)> {
        let mut state = self.lock();
        state.waiting.retain(|_, waiting| !waiting.go_on.is_closed());
        state.waiting.iter().map(|(number, waiting)| (*number, waiting.server)).collect()
    }

    /// Lets one call go on.
    pub(super) fn let_go(&self, number: usize) {
        let waiting = self.lock().waiting.remove(&number);
        // Whoever waited may have gone.
        let _ = waiting.map(|waiting| waiting.go_on.send(()));
    }

    /// Lets everybody go on, for good.
    pub(super) fn open(&self) {
        let mut state = self.lock();
        state.is_open = true;
        for waiting in std::mem::take(&mut state.waiting).into_values() {
            let _ = waiting.go_on.send(());
        }
    }

    pub(super) fn call_count(&self) -> usize {
        self.lock().calls.len()
    }

    pub(super) fn calls(&self) -> Vec<Call> {
        self.lock().calls.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
