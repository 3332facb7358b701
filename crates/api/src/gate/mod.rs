//! Where calls on items are held up on purpose, for those who test applications.
//!
//! Nothing happens here unless somebody wants it: faults are in force, capacity is enforced, or
//! transactions are to conflict. An operation that has checked its request [enters](enter) with
//! what it is about, and gets a [`Pass`] or the answer to the call. When it has done its work it
//! [leaves](Pass::leave) with what it has consumed.
//!
//! In which order things happen to a call:
//!
//! 1. It meets transactions on its items, and holds its items itself.
//! 2. It waits, if it is delayed. So a transaction that is delayed can be met by others.
//! 3. It fails, is throttled, or is let in; of a batch, some members are.
//! 4. The operation does its work.
//! 5. What it has consumed is counted, and its answer may be lost.

mod attempts;
mod attribution;
mod contention;
mod disturbance;
mod member;
mod other;
mod pass;
mod reads;
mod throttle;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use monotable_database::ItemKey;
use monotable_faults::{FaultPlan, FaultyCall};
use monotable_observe::FittingMembers;
use monotable_storage::Engine;

use self::contention::{Contention, Hold, InProgress, Purpose};
use self::disturbance::{Disturbance, Failure};
use crate::error::ApiError;
use crate::observation;
use crate::session::Session;
use crate::throughput::{Flow, Throughput};
use crate::wording::throttling;
use crate::wording::write::no_reason;

pub(crate) use self::attempts::Attempts;
pub(crate) use self::attribution::{called, key_bytes};
pub(crate) use self::member::Member;
pub(crate) use self::other::answer_watched;
pub(crate) use self::pass::{Pass, Spent};
pub(crate) use self::reads::{get_all, get_many};

/// AWS limits that can be imitated for tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imitation {
    /// Calls are throttled that pass the capacity of tables, indexes and partitions.
    pub enforces_capacity: bool,
    /// Calls that meet a transaction on an item are refused, where they would wait for it.
    pub has_transaction_conflicts: bool,
}

/// What can happen to calls.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// Whether anything can.
    is_watching: AtomicBool,
    plan: RwLock<Arc<FaultPlan>>,
    throughput: Option<Throughput>,
    contention: Option<Contention>,
}

impl Gate {
    pub(crate) fn new(imitation: Imitation) -> Gate {
        let gate = Gate {
            throughput: imitation.enforces_capacity.then(Throughput::default),
            contention: imitation.has_transaction_conflicts.then(Contention::default),
            ..Gate::default()
        };
        gate.set_plan(Arc::default());
        gate
    }

    /// Whether anything can happen to a call.
    pub(crate) fn is_watching(&self) -> bool {
        self.is_watching.load(Ordering::Relaxed)
    }

    /// The faults that are in force.
    pub(crate) fn plan(&self) -> Arc<FaultPlan> {
        self.plan.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_plan(&self, plan: Arc<FaultPlan>) {
        let imitates = self.throughput.is_some() || self.contention.is_some();
        let is_watching = imitates || !plan.is_empty();
        *self.plan.write().unwrap_or_else(PoisonError::into_inner) = plan;
        self.is_watching.store(is_watching, Ordering::Relaxed);
    }
}

/// A call on items.
pub(crate) struct Entry<'a> {
    operation: &'static str,
    form: Form,
    token: Option<&'a str>,
    members: Members<'a>,
}

/// What a call is about. Most calls are about one item or page, which takes no list.
enum Members<'a> {
    One(Member<'a>),
    Several(Vec<Member<'a>>),
}

impl<'a> Members<'a> {
    fn as_slice(&self) -> &[Member<'a>] {
        match self {
            Members::One(member) => std::slice::from_ref(member),
            Members::Several(members) => members,
        }
    }
}

/// What becomes of a call of which one member fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// There is one member.
    Single,
    /// The others are done.
    Batch,
    /// None is done.
    Transaction,
}

impl<'a> Entry<'a> {
    /// A call on one item or part of a table.
    pub(crate) fn single(operation: &'static str, member: Member<'a>) -> Entry<'a> {
        Entry { operation, form: Form::Single, token: None, members: Members::One(member) }
    }

    /// A call on several items, each for itself.
    pub(crate) fn batch(operation: &'static str, members: Vec<Member<'a>>) -> Entry<'a> {
        Entry { operation, form: Form::Batch, token: None, members: Members::Several(members) }
    }

    /// A call on several items together.
    pub(crate) fn transaction(
        operation: &'static str,
        members: Vec<Member<'a>>,
        token: Option<&'a str>,
    ) -> Entry<'a> {
        Entry { operation, form: Form::Transaction, token, members: Members::Several(members) }
    }
}

/// Lets a call in, or answers it.
pub(crate) async fn enter<'g, 'e, E: Engine>(
    api: &Session<'g, E>,
    entry: impl FnOnce() -> Entry<'e>,
) -> Result<Pass<'g>, ApiError> {
    if !api.gate.is_watching() && !api.observer.is_active() {
        return Ok(Pass::free(FittingMembers::default()));
    }
    match begin(api, entry()) {
        (fitting, None) => Ok(Pass::free(fitting)),
        (fitting, Some(entry)) => Box::pin(admit(api, *entry, fitting)).await,
    }
}

/// Has an observer see a call; gives it back if anything else can happen to it, in a box, which is
/// cheap to give back where there is none.
#[inline(never)]
fn begin<'e, E: Engine>(
    api: &Session<'_, E>,
    entry: Entry<'e>,
) -> (FittingMembers, Option<Box<Entry<'e>>>) {
    let fitting = if api.observer.is_active() {
        attribution::attribute(api.observer, &entry, api.attempts.counts_keys())
    } else {
        FittingMembers::default()
    };
    (fitting, api.gate.is_watching().then(|| Box::new(entry)))
}

async fn admit<'g, E: Engine>(
    api: &Session<'g, E>,
    entry: Entry<'_>,
    fitting: FittingMembers,
) -> Result<Pass<'g>, ApiError> {
    let disturbance = disturbance(api, &entry);
    let mut refused = vec![false; entry.members().len()];
    let hold = entry.meet(api.gate, &disturbance, &mut refused)?;
    if !disturbance.delay.is_zero() {
        api.database.clock().sleep(disturbance.delay).await;
    }
    if let Some(failure) = disturbance.before {
        return Err(fail(failure));
    }
    if disturbance.is_in_progress {
        return Err(ApiError::transaction_in_progress());
    }
    let mut throttled = vec![None; entry.members().len()];
    let claims = throttle::throttle(api, &entry, &disturbance, &mut refused, &mut throttled).await;
    if api.observer.is_active() {
        attribution::count_throttled(api.observer, &entry, &throttled);
        if entry.form == Form::Batch && claims.is_ok() && refused.contains(&true) {
            attribution::leave_out(api.observer, &entry, &refused);
        }
    }
    let claims = claims.inspect_err(|_| {
        if throttled.iter().any(Option::is_some) {
            observation::note_throttled();
        }
    })?;
    api.attempts.charged(&claims);
    if entry.members().iter().any(|member| member.flow() == Flow::Write) {
        api.database.note_commit().await?;
    }
    let admission = pass::Admission {
        throughput: api.gate.throughput.as_ref(),
        claims,
        clock: api.database.clock().clone(),
        refused,
        stale: disturbance.stale,
        after: disturbance.after,
        hold,
    };
    Ok(Pass::new(admission, fitting))
}

/// What happens to a call. One that is checked again meets what it met before.
fn disturbance<E: Engine>(api: &Session<'_, E>, entry: &Entry<'_>) -> Disturbance {
    let disturbance = match api.attempts.take_void() {
        Some(void) => {
            throttle::give_back(api, &void.claims);
            void.disturbance
        }
        None => {
            let plan = api.gate.plan();
            let items = entry.members().iter().map(Member::called_item).collect();
            let hits = plan.decide(&FaultyCall { operation: entry.operation, items });
            Disturbance::of(&hits, entry.members())
        }
    };
    api.attempts.decided(&disturbance);
    disturbance
}

fn fail(failure: Failure) -> ApiError {
    match failure {
        Failure::Server => ApiError::internal_without_cause(),
        Failure::Drop => ApiError::unanswered(),
    }
}

impl<'e> Entry<'e> {
    fn members(&self) -> &[Member<'e>] {
        self.members.as_slice()
    }

    /// Answers a call that meets transactions on its items, or refuses members of it; lets others
    /// meet the call otherwise.
    fn meet<'g>(
        &self,
        gate: &'g Gate,
        disturbance: &Disturbance,
        refused: &mut [bool],
    ) -> Result<Option<Hold<'g>>, ApiError> {
        let (mut met, hold) = self.meet_others(gate)?;
        for position in &disturbance.conflicts {
            if let Some(met) = met.get_mut(*position) {
                *met = true;
            }
        }
        if !met.contains(&true) {
            return Ok(hold);
        }
        match self.form {
            Form::Single => Err(throttling::conflict()),
            Form::Transaction => {
                let reason = |is_met: &bool| {
                    if *is_met { throttling::conflict_cancellation() } else { no_reason() }
                };
                Err(ApiError::transaction_canceled(met.iter().map(reason).collect()))
            }
            Form::Batch => {
                refused.copy_from_slice(&met);
                Ok(hold)
            }
        }
    }

    /// For each member, whether another call is met on it.
    fn meet_others<'g>(&self, gate: &'g Gate) -> Result<(Vec<bool>, Option<Hold<'g>>), ApiError> {
        let nothing = || (vec![false; self.members().len()], None);
        let Some(contention) = &gate.contention else { return Ok(nothing()) };
        let is_write = self.members().iter().all(|member| member.flow() == Flow::Write);
        let purpose = match (self.form, is_write) {
            (Form::Transaction, true) => Purpose::TransactWrite,
            (Form::Transaction, false) => Purpose::TransactRead,
            (Form::Single | Form::Batch, true) => Purpose::Write,
            (Form::Single | Form::Batch, false) => return Ok(nothing()),
        };
        let keys: Vec<&ItemKey> = self.members().iter().filter_map(Member::key).collect();
        match contention.meet(purpose, &keys, self.token) {
            Ok((met, hold)) => Ok((met, Some(hold))),
            Err(InProgress) => Err(ApiError::transaction_in_progress()),
        }
    }
}
