//! What one partition key has to bear: the units a second of its table or index, spread over its
//! keys.

use monotable_model::document::{Index, IndexKind, Table};
use monotable_plan::cost::Load;

use super::Subject;
use super::cardinality::{Spread, keys_in, spread, telling_attribute};
use super::threshold::PARTITION_SKEW;

/// The load on the partition keys of one form.
#[derive(Debug, Clone)]
pub(super) struct KeyLoad<'m> {
    /// The table.
    pub(super) table: &'m Table,
    /// The index, unless it is the table or a local index, which has the table's partitions.
    pub(super) index: Option<&'m Index>,
    /// The partition key, as its templates are written.
    pub(super) form: String,
    /// The entities that have it.
    pub(super) entities: Vec<&'m str>,
    /// The keys that the load is spread over.
    pub(super) spread: Spread,
    /// Units a second of all keys together, at the peak if the model says it.
    pub(super) total: Load,
}

impl KeyLoad<'_> {
    /// What each key bears if all are alike.
    pub(super) fn even(&self) -> Load {
        let keys = self.spread.keys;
        Load { read: self.total.read / keys, write: self.total.write / keys }
    }

    /// The key with this many shards, as a template.
    pub(super) fn sharded(&self, subject: &Subject<'_>, shards: u32) -> String {
        let entity = self.entities.first().and_then(|name| subject.model.entity(name));
        let attribute = entity.map_or("id", telling_attribute);
        format!("{}#{{shard({attribute}, {shards})}}", self.form)
    }

    /// What the busiest key bears.
    pub(super) fn busiest(&self, subject: &Subject<'_>) -> Load {
        let skew = subject.threshold(&PARTITION_SKEW).max(1.0);
        let even = self.even();
        Load {
            read: (even.read * skew).min(self.total.read),
            write: (even.write * skew).min(self.total.write),
        }
    }
}

/// The loads of all partition keys whose number the model tells.
pub(super) fn key_loads<'m>(subject: &Subject<'m>) -> Vec<KeyLoad<'m>> {
    let mut loads: Vec<KeyLoad<'m>> = Vec::new();
    let peak = subject.model.workload.peak_factor.unwrap_or(1.0);
    for cost in &subject.estimate.patterns {
        let rate = cost.rate.unwrap_or(0.0) * peak;
        for call in cost.calls.iter().filter(|_| rate > 0.0) {
            let Some(table) = subject.model.table(&call.table) else { continue };
            let usage = call.usage();
            add(subject, &mut loads, table, None, &call.entities, usage.table, rate);
            for (name, load) in &usage.indexes {
                let index = table.index(name).filter(|index| index.kind == IndexKind::Global);
                add(subject, &mut loads, table, index, &call.entities, *load, rate);
            }
        }
    }
    loads
}

fn add<'m>(
    subject: &Subject<'m>,
    loads: &mut Vec<KeyLoad<'m>>,
    table: &'m Table,
    index: Option<&'m Index>,
    entities: &[String],
    units: Load,
    rate: f64,
) {
    // All that one request reads lies in one partition, so the first entity tells which.
    let entity = entities.first().and_then(|name| subject.model.entity(name));
    let Some(entity) = entity.filter(|_| units != Load::default()) else { return };
    let Some(keys) = keys_in(entity, index) else { return };
    let Some(spread) = spread(subject, table, index, entity) else { return };
    let templates: Vec<String> = keys.partition.iter().map(ToString::to_string).collect();
    let form = templates.join(" ");
    let is_same = |load: &&mut KeyLoad<'_>| {
        let same_index = load.index.map(|index| &index.name) == index.map(|index| &index.name);
        load.table.name == table.name && same_index && load.form == form
    };
    match loads.iter_mut().find(is_same) {
        Some(load) => {
            load.total.add(units, rate);
            load.spread.keys = load.spread.keys.max(spread.keys);
            if !load.entities.contains(&entity.name.as_str()) {
                load.entities.push(&entity.name);
            }
        }
        None => {
            let mut total = Load::default();
            total.add(units, rate);
            loads.push(KeyLoad { table, index, form, entities: vec![&entity.name], spread, total });
        }
    }
}
