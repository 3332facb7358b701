//! What all requests share: memory, and how many are worked on at a time.

use std::sync::Arc;
use std::time::Duration;

use monotable_database::Clock;

use crate::activity::Activity;
use crate::admission::{Admission, Admitted};
use crate::limits::Limits;
use crate::memory::{Hold, Memory, NoRoom};

/// See the module.
pub(crate) struct Capacity {
    pub(crate) memory: Memory,
    admission: Admission,
    queue_timeout: Duration,
    clock: Arc<dyn Clock>,
}

impl Capacity {
    pub(crate) fn new(limits: &Limits, clock: Arc<dyn Clock>) -> Capacity {
        Capacity {
            memory: Memory::new(limits, clock.clone()),
            admission: Admission::new(limits.requests_max),
            queue_timeout: limits.queue_timeout,
            clock,
        }
    }

    /// Waits until a call may be worked on, and there is memory for what it takes besides its body.
    #[inline]
    pub(crate) async fn admit(
        &self,
        room_bytes: usize,
        activity: &Arc<Activity>,
    ) -> Result<(Admitted<'_>, Option<Hold>), NoRoom> {
        let Capacity { memory, admission, .. } = self;
        if memory.is_in_debt() {
            memory.until_paid().await?;
        }
        let mut hold = None;
        if room_bytes > 0 {
            memory.grow(hold.insert(memory.work(activity)), room_bytes).await?;
        }
        match admission.try_enter() {
            Some(admitted) => Ok((admitted, hold)),
            None => Ok((self.enter().await?, hold)),
        }
    }

    #[cold]
    async fn enter(&self) -> Result<Admitted<'_>, NoRoom> {
        tokio::select! {
            admitted = self.admission.enter() => Ok(admitted),
            () = self.clock.sleep(self.queue_timeout) => Err(NoRoom),
        }
    }
}
