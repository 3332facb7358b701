//! What the faults that hit a call mean for it.

use std::time::Duration;

use monotable_database::schema::Billing;
use monotable_faults::{FailureTime, FaultKind, Hit, Limit};

use super::member::Member;
use crate::throughput::Throttled;

/// How a call fails before anything is done, or instead of being answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// The server fails.
    Server,
    /// The connection is closed.
    Drop,
}

/// The members that are read as they were, and how long ago.
#[derive(Debug, Clone, Default)]
pub(super) struct Staleness {
    pub(super) age: Duration,
    pub(super) members: Vec<usize>,
}

/// What happens to a call.
#[derive(Debug, Clone, Default)]
pub(super) struct Disturbance {
    pub(super) delay: Duration,
    pub(super) before: Option<Failure>,
    pub(super) after: Option<Failure>,
    pub(super) is_in_progress: bool,
    pub(super) stale: Staleness,
    /// The members that meet a transaction.
    pub(super) conflicts: Vec<usize>,
    /// The members that are left for the client to send again.
    pub(super) unprocessed: Vec<usize>,
    /// The members that meet a limit.
    pub(super) throttled: Vec<(usize, Throttled)>,
}

impl Disturbance {
    pub(super) fn of(hits: &[Hit<'_>], members: &[Member<'_>]) -> Disturbance {
        let mut disturbance = Disturbance::default();
        for hit in hits {
            disturbance.add(hit, members);
        }
        disturbance
    }

    /// The same for a call that has waited already.
    pub(super) fn without_delay(&self) -> Disturbance {
        Disturbance { delay: Duration::ZERO, ..self.clone() }
    }

    fn add(&mut self, hit: &Hit<'_>, members: &[Member<'_>]) {
        match *hit.kind {
            FaultKind::Throttle(limit) => {
                let members = hit.items.iter().filter_map(|at| Some((*at, members.get(*at)?)));
                self.throttled.extend(members.map(|(at, member)| (at, throttled(member, limit))));
            }
            // Each transaction that meets another meets it on one item.
            FaultKind::Conflict => self.conflicts.extend(hit.items.first()),
            FaultKind::InProgress => self.is_in_progress = true,
            FaultKind::Unprocessed(amount) => {
                self.unprocessed.extend(amount.choose(&hit.items, hit.draw));
            }
            FaultKind::Delay(delay) => self.delay += delay.duration(hit.draw),
            FaultKind::ServerError(moment) => self.fail(moment, Failure::Server),
            FaultKind::Drop(moment) => self.fail(moment, Failure::Drop),
            FaultKind::Stale(age) | FaultKind::IndexLag(age) => {
                self.stale.age = self.stale.age.max(age);
                self.stale.members.extend(&hit.items);
            }
        }
    }

    /// The first fault decides.
    fn fail(&mut self, moment: FailureTime, failure: Failure) {
        match moment {
            FailureTime::Before => self.before = self.before.or(Some(failure)),
            FailureTime::After => self.after = self.after.or(Some(failure)),
        }
    }
}

/// The limit that a member meets: the one that is given, or the one that it would meet first.
pub(super) fn throttled(member: &Member<'_>, limit: Option<Limit>) -> Throttled {
    let place = member.place();
    let usual = match place.schema.settings.billing {
        Billing::Provisioned => Limit::Provisioned,
        Billing::OnDemand => Limit::KeyRange,
    };
    place.throttled(limit.unwrap_or(usual))
}
