//! Which calls meet limits of throughput, by faults and by what is left of it.

use bytes::Bytes;
use monotable_database::capacity::Consistency;
use monotable_database::schema::{IndexKind, IndexSchema};
use monotable_database::{KeySource, Table, Write, index_partition_hash};
use monotable_item::stored::ItemView;
use monotable_storage::Engine;

use super::disturbance::{self, Disturbance};
use super::member::{Access, Member};
use super::pass::Claim;
use super::{Entry, Form};
use crate::error::ApiError;
use crate::resource_name::table_arn;
use crate::session::Session;
use crate::throughput::{Flow, MeteredPart, Throttled, Throughput};
use crate::wording::throttling;
use crate::wording::write::no_reason;

/// Answers a call that meets limits of throughput, or refuses members of it; gives what the others
/// are charged for. Whatever the answer is, `throttled` has the limits that members meet.
pub(super) async fn throttle<E: Engine>(
    api: &Session<'_, E>,
    entry: &Entry<'_>,
    disturbance: &Disturbance,
    refused: &mut [bool],
    throttled: &mut [Option<Throttled>],
) -> Result<Vec<Option<Claim>>, ApiError> {
    for (position, by_fault) in &disturbance.throttled {
        if let Some(throttled) = throttled.get_mut(*position) {
            *throttled = Some(by_fault.clone());
        }
    }
    for position in &disturbance.unprocessed {
        if let Some(refused) = refused.get_mut(*position) {
            *refused = true;
        }
    }
    let mut claims = Vec::new();
    if let Some(throughput) = &api.gate.throughput {
        claims = claim(api, throughput, entry, refused, throttled).await?;
    }
    for (refused, throttled) in refused.iter_mut().zip(&*throttled) {
        *refused |= throttled.is_some();
    }
    if !refused.contains(&true) {
        return Ok(claims);
    }
    let arn = |table: &str| table_arn(api.home(), table);
    match entry.form {
        Form::Single => Err(throttling::error(&all_met(throttled), arn)),
        Form::Transaction => {
            give_back(api, &claims);
            let reason = |met: &Option<Throttled>| {
                met.as_ref().map_or_else(no_reason, throttling::cancellation)
            };
            Err(ApiError::transaction_canceled(throttled.iter().map(reason).collect()))
        }
        Form::Batch if refused.contains(&false) => Ok(claims),
        // Nothing of the batch is done. AWS says why, unless transactions are all it has met.
        Form::Batch => {
            let mut met = all_met(throttled);
            for position in &disturbance.unprocessed {
                let Some(member) = entry.members().get(*position) else { continue };
                let Some(place @ None) = throttled.get_mut(*position) else { continue };
                let unprocessed = disturbance::throttled(member, None);
                met.push(unprocessed.clone());
                *place = Some(unprocessed);
            }
            if met.is_empty() { Ok(claims) } else { Err(throttling::error(&met, arn)) }
        }
    }
}

fn all_met(throttled: &[Option<Throttled>]) -> Vec<Throttled> {
    throttled.iter().flatten().cloned().collect()
}

/// Takes what the members consume at least, of those that meet no limit.
async fn claim<E: Engine>(
    api: &Session<'_, E>,
    throughput: &Throughput,
    entry: &Entry<'_>,
    refused: &[bool],
    throttled: &mut [Option<Throttled>],
) -> Result<Vec<Option<Claim>>, ApiError> {
    let factor = if entry.form == Form::Transaction { 2.0 } else { 1.0 };
    let mut claims = Vec::with_capacity(entry.members().len());
    for ((member, is_refused), throttled) in entry.members().iter().zip(refused).zip(throttled) {
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

/// Gives back what was taken for a call that does nothing.
pub(super) fn give_back<E: Engine>(api: &Session<'_, E>, claims: &[Option<Claim>]) {
    let Some(throughput) = &api.gate.throughput else { return };
    for claim in claims.iter().flatten() {
        throughput.take(&claim.place, -claim.units, api.database.now_millis());
    }
}

/// Finds out how much a table or index holds, the first time it is used.
async fn introduce<E: Engine>(
    api: &Session<'_, E>,
    throughput: &Throughput,
    place: &MeteredPart,
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
    api: &Session<'_, E>,
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
    let old = old.as_ref().map(|old| ItemView::new(old)).transpose()?;
    let new = ItemView::new(attributes)?;
    for index in indexes {
        let hash = old.as_ref().and_then(|old| index_partition_hash(index, old));
        let hash = hash.or_else(|| index_partition_hash(index, &new));
        if hash.is_none() && !sets_key_of(write, index, &new) {
            continue;
        }
        let schema = schema.clone();
        let place = MeteredPart { schema, index: Some(index.id), flow: Flow::Write, hash };
        introduce(api, throughput, &place).await?;
        if let Some(throttled) = throughput.met(&place, api.database.now_millis()) {
            return Ok(Some(throttled));
        }
    }
    Ok(None)
}

async fn old_item<E: Engine>(
    api: &Session<'_, E>,
    table: &Table,
    write: &Write,
) -> Result<Option<Bytes>, ApiError> {
    Ok(api.database.get(table, write.key(), Consistency::Strong).await?.item)
}

/// Whether an update may bring an item into an index that does not hold it.
fn sets_key_of(write: &Write, index: &IndexSchema, known: &impl KeySource) -> bool {
    let Some(update) = write.changes() else { return false };
    let paths = update.paths();
    let is_set = |name: &str| paths.iter().any(|path| path.root == name);
    index.key.attributes().all(|key| is_set(&key.name) || known.key_value(&key.name).is_some())
}
