//! Where calls on items are held up on purpose, for those who test applications.
//!
//! Nothing happens here unless somebody wants it: faults are in force, capacity is enforced, or
//! transactions are to conflict. An operation that has checked its request [enters](enter) with what
//! it is about, and gets a [`Pass`] or the answer to the call. When it has done its work it
//! [leaves](Pass::leave) with what it has consumed.
//!
//! In which order things happen to a call:
//!
//! 1. It meets transactions on its items, and holds its items itself.
//! 2. It waits, if it is delayed. So a transaction that is delayed can be met by others.
//! 3. It fails, is throttled, or is let in; of a batch, some members are.
//! 4. The operation does its work.
//! 5. What it has consumed is counted, and its answer may be lost.

mod contention;
mod member;
mod other;
mod pass;
mod verdict;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use monotable_database::capacity::Consistency;
use monotable_database::schema::{IndexKind, IndexSchema};
use monotable_database::{KeySource, Lookup, Table, Write, index_partition_hash};
use monotable_faults::{FaultPlan, FaultyCall};
use monotable_item::stored::ItemView;
use monotable_storage::Engine;

use self::contention::{Contention, Hold, Writer};
use self::member::Access;
use self::pass::Claim;
use self::verdict::{Failure, Verdict};
use crate::context::Api;
use crate::error::ApiError;
use crate::throughput::{Flow, Place, Throttled, Throughput};
use crate::wording::throttling;
use crate::wording::write::no_reason;

pub(crate) use self::member::Member;
pub(crate) use self::other::answer_watched;
pub(crate) use self::pass::{Pass, Spent};

/// What of AWS is imitated that a database of one's own does not have.
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
    members: Vec<Member<'a>>,
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
        Entry { operation, form: Form::Single, token: None, members: vec![member] }
    }

    /// A call on several items, each for itself.
    pub(crate) fn batch(operation: &'static str, members: Vec<Member<'a>>) -> Entry<'a> {
        Entry { operation, form: Form::Batch, token: None, members }
    }

    /// A call on several items together.
    pub(crate) fn transaction(
        operation: &'static str,
        members: Vec<Member<'a>>,
        token: Option<&'a str>,
    ) -> Entry<'a> {
        Entry { operation, form: Form::Transaction, token, members }
    }
}

/// Lets a call in, or answers it.
pub(crate) async fn enter<'g, 'e, E: Engine>(
    api: &'g Api<E>,
    entry: impl FnOnce() -> Entry<'e>,
) -> Result<Pass<'g>, ApiError> {
    if !api.gate.is_watching() {
        return Ok(Pass::free());
    }
    Box::pin(admit(api, entry())).await
}

async fn admit<'g, E: Engine>(api: &'g Api<E>, entry: Entry<'_>) -> Result<Pass<'g>, ApiError> {
    let plan = api.gate.plan();
    let items = entry.members.iter().map(Member::called_item).collect();
    let hits = plan.decide(&FaultyCall { operation: entry.operation, items });
    let verdict = Verdict::of(&hits, &entry.members);
    let mut refused = vec![false; entry.members.len()];
    entry.refuse_conflicts(&api.gate, &verdict, &mut refused)?;
    let hold = entry.hold(&api.gate, &refused)?;
    if !verdict.delay.is_zero() {
        api.database.clock().sleep(verdict.delay).await;
    }
    if let Some(failure) = verdict.before {
        return Err(fail(failure));
    }
    if verdict.is_in_progress {
        return Err(ApiError::transaction_in_progress());
    }
    let claims = throttle(api, &entry, &verdict, &mut refused).await?;
    if entry.members.iter().any(|member| member.flow() == Flow::Write) {
        api.database.note_commit().await?;
    }
    Ok(Pass::new(pass::Admission {
        throughput: api.gate.throughput.as_ref(),
        claims,
        clock: api.database.clock().clone(),
        refused,
        stale_age: verdict.stale_age,
        after: verdict.after,
        hold,
    }))
}

fn fail(failure: Failure) -> ApiError {
    match failure {
        Failure::Server => ApiError::internal_without_cause(),
        Failure::Drop => ApiError::unanswered(),
    }
}

impl Entry<'_> {
    /// Answers a call that meets transactions on its items, or refuses members of it.
    fn refuse_conflicts(
        &self,
        gate: &Gate,
        verdict: &Verdict,
        refused: &mut [bool],
    ) -> Result<(), ApiError> {
        let mut conflicts = self.met_transactions(gate);
        for position in &verdict.conflicts {
            if let Some(conflict) = conflicts.get_mut(*position) {
                *conflict = true;
            }
        }
        if !conflicts.contains(&true) {
            return Ok(());
        }
        match self.form {
            Form::Single => Err(throttling::conflict()),
            Form::Transaction => {
                let reason = |conflict: &bool| match conflict {
                    true => throttling::conflict_cancellation(),
                    false => no_reason(),
                };
                Err(ApiError::transaction_canceled(conflicts.iter().map(reason).collect()))
            }
            Form::Batch => {
                refused.copy_from_slice(&conflicts);
                Ok(())
            }
        }
    }

    /// For each member, whether it meets something that it cannot go along with.
    fn met_transactions(&self, gate: &Gate) -> Vec<bool> {
        let keys = self.members.iter().map(Member::key);
        let is_read = self.members.iter().any(|member| member.flow() == Flow::Read);
        match (&gate.contention, self.form, is_read) {
            (Some(contention), Form::Transaction, true) => contention.written(keys),
            (Some(contention), _, false) => contention.in_transactions(keys),
            (Some(_), Form::Single | Form::Batch, true) | (None, _, _) => {
                vec![false; self.members.len()]
            }
        }
    }

    /// Lets others meet the items that the call writes.
    fn hold<'g>(&self, gate: &'g Gate, refused: &[bool]) -> Result<Option<Hold<'g>>, ApiError> {
        let Some(contention) = &gate.contention else { return Ok(None) };
        let written = self
            .members
            .iter()
            .zip(refused)
            .filter(|(member, is_refused)| member.flow() == Flow::Write && !**is_refused);
        let keys = written.filter_map(|(member, _)| member.key().cloned()).collect();
        let writer = match self.form {
            Form::Single | Form::Batch => Writer::Single,
            Form::Transaction => Writer::Transaction,
        };
        match contention.hold(writer, keys, self.token) {
            Ok(hold) => Ok(Some(hold)),
            Err(contention::InProgress) => Err(ApiError::transaction_in_progress()),
        }
    }
}

/// Answers a call that meets limits of throughput, or refuses members of it; gives what the others
/// are charged for.
async fn throttle<E: Engine>(
    api: &Api<E>,
    entry: &Entry<'_>,
    verdict: &Verdict,
    refused: &mut [bool],
) -> Result<Vec<Option<Claim>>, ApiError> {
    let mut throttled: Vec<Option<Throttled>> = vec![None; entry.members.len()];
    for (position, by_fault) in &verdict.throttled {
        if let Some(throttled) = throttled.get_mut(*position) {
            *throttled = Some(by_fault.clone());
        }
    }
    for position in &verdict.unprocessed {
        if let Some(refused) = refused.get_mut(*position) {
            *refused = true;
        }
    }
    let mut claims = Vec::new();
    if let Some(throughput) = &api.gate.throughput {
        claims = claim(api, throughput, entry, refused, &mut throttled).await?;
    }
    for (refused, throttled) in refused.iter_mut().zip(&throttled) {
        *refused |= throttled.is_some();
    }
    if !refused.contains(&true) {
        return Ok(claims);
    }
    let arn = |table: &str| api.table_arn(table);
    let met = || throttled.iter().flatten().cloned().collect::<Vec<_>>();
    match entry.form {
        Form::Single => Err(throttling::error(&met(), arn)),
        Form::Transaction => {
            give_back(api, &claims);
            let reason = |met: &Option<Throttled>| {
                met.as_ref().map_or_else(no_reason, throttling::cancellation)
            };
            Err(ApiError::transaction_canceled(throttled.iter().map(reason).collect()))
        }
        Form::Batch if !refused.contains(&false) => {
            let mut met = met();
            if met.is_empty() {
                met.extend(entry.members.iter().map(|member| verdict::throttled(member, None)));
            }
            Err(throttling::error(&met, arn))
        }
        Form::Batch => Ok(claims),
    }
}

/// Takes what the members consume at least, of those that meet no limit.
async fn claim<E: Engine>(
    api: &Api<E>,
    throughput: &Throughput,
    entry: &Entry<'_>,
    refused: &[bool],
    throttled: &mut [Option<Throttled>],
) -> Result<Vec<Option<Claim>>, ApiError> {
    let factor = if entry.form == Form::Transaction { 2.0 } else { 1.0 };
    let mut claims = Vec::with_capacity(entry.members.len());
    for ((member, is_refused), throttled) in entry.members.iter().zip(refused).zip(throttled) {
        if *is_refused || throttled.is_some() {
            claims.push(None);
            continue;
        }
        let place = member.place();
        introduce(api, throughput, &place).await?;
        let now_millis = api.database.now_millis();
        *throttled = throughput.met(&place, now_millis);
        if throttled.is_none() {
            *throttled = met_by_index(api, throughput, member).await?;
        }
        let units = member.least_units() * factor;
        claims.push(throttled.is_none().then(|| {
            throughput.take(&place, units, now_millis);
            Claim { place, units }
        }));
    }
    Ok(claims)
}

fn give_back<E: Engine>(api: &Api<E>, claims: &[Option<Claim>]) {
    let Some(throughput) = &api.gate.throughput else { return };
    for claim in claims.iter().flatten() {
        throughput.take(&claim.place, -claim.units, api.database.now_millis());
    }
}

/// Finds out how much a table or index holds, the first time it is used.
async fn introduce<E: Engine>(
    api: &Api<E>,
    throughput: &Throughput,
    place: &Place,
) -> Result<(), ApiError> {
    if !throughput.is_new(place) {
        return Ok(());
    }
    let statistics = api.database.statistics(&place.schema).await?;
    let of_index = |index| statistics.indexes.iter().find(|(known, _, _)| *known == index);
    let size_bytes = match place.index {
        Some(index) => of_index(index).map_or(0, |(_, _, bytes)| *bytes),
        None => statistics.bytes,
    };
    throughput.introduce(place, size_bytes, api.database.now_millis());
    Ok(())
}

/// The limit of a global index that a write meets, if any: what an index cannot take, its table
/// cannot either.
async fn met_by_index<E: Engine>(
    api: &Api<E>,
    throughput: &Throughput,
    member: &Member<'_>,
) -> Result<Option<Throttled>, ApiError> {
    let Access::Write { write, attributes } = &member.access else { return Ok(None) };
    let schema = member.table.schema();
    let indexes = schema.maintained_indexes().filter(|index| index.kind == IndexKind::Global);
    let indexes: Vec<&IndexSchema> = indexes.collect();
    if indexes.is_empty() {
        return Ok(None);
    }
    let old = old_item(api, member.table, write).await?;
    let (old, new) = (old.as_ref().map(ItemView::new).transpose()?, ItemView::new(attributes)?);
    for index in indexes {
        let hash = old.as_ref().and_then(|old| index_partition_hash(index, old));
        let hash = hash.or_else(|| index_partition_hash(index, &new));
        if hash.is_none() && !sets_key_of(write, index, &new) {
            continue;
        }
        let schema = schema.clone();
        let place = Place { schema, index: Some(index.id), flow: Flow::Write, hash };
        introduce(api, throughput, &place).await?;
        if let Some(throttled) = throughput.met(&place, api.database.now_millis()) {
            return Ok(Some(throttled));
        }
    }
    Ok(None)
}

async fn old_item<E: Engine>(
    api: &Api<E>,
    table: &Table,
    write: &Write,
) -> Result<Option<bytes::Bytes>, ApiError> {
    Ok(api.database.get(table, write.key()).await?.item)
}

/// Whether an update may bring an item into an index that does not hold it.
fn sets_key_of(write: &Write, index: &IndexSchema, known: &impl KeySource) -> bool {
    let Some(update) = write.changes() else { return false };
    let paths = update.paths();
    let is_set = |name: &str| paths.iter().any(|path| path.root == name);
    index.key.attributes().all(|key| is_set(&key.name) || known.key_value(&key.name).is_some())
}

/// Reads items as the pass of their call lets it: some as they were, some not at all.
pub(crate) async fn get_many<E: Engine>(
    api: &Api<E>,
    pass: &Pass<'_>,
    lookups: &[(Lookup, Consistency)],
) -> Result<Vec<Option<monotable_database::Got>>, ApiError> {
    let is_stale = |consistency: Consistency| {
        pass.stale_age().filter(|_| consistency == Consistency::Eventual)
    };
    let wanted = || lookups.iter().enumerate().filter(|(at, _)| !pass.is_refused(*at));
    let fresh: Vec<(usize, Lookup)> = wanted()
        .filter(|(_, (_, consistency))| is_stale(*consistency).is_none())
        .map(|(at, (lookup, _))| (at, lookup.clone()))
        .collect();
    let stale: Vec<(usize, Lookup)> = wanted()
        .filter(|(_, (_, consistency))| is_stale(*consistency).is_some())
        .map(|(at, (lookup, _))| (at, lookup.clone()))
        .collect();
    let mut found: Vec<Option<monotable_database::Got>> = Vec::new();
    found.resize_with(lookups.len(), || None);
    let (positions, lookups): (Vec<usize>, Vec<Lookup>) = fresh.into_iter().unzip();
    for (at, got) in positions.into_iter().zip(api.database.get_many(&lookups).await?) {
        found.get_mut(at).into_iter().for_each(|place| *place = Some(got.clone()));
    }
    if let Some(age) = pass.stale_age() {
        let (positions, lookups): (Vec<usize>, Vec<Lookup>) = stale.into_iter().unzip();
        let stale = api.database.get_many_before(&lookups, age).await?;
        for (at, got) in positions.into_iter().zip(stale) {
            found.get_mut(at).into_iter().for_each(|place| *place = Some(got.clone()));
        }
    }
    Ok(found)
}
