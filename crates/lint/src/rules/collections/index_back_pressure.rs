//! An index whose key is hotter than the table's.

use monotable_model::diagnostic::Diagnostic;
use monotable_plan::cost::{PARTITION_WRITE_UNITS, shards_needed};

use crate::Subject;
use crate::amount::amount;
use crate::key_load::{KeyLoad, key_loads};
use crate::key_site::route_place;
use crate::rule::{Rule, rule};
use crate::threshold::PARTITION_SHARE;

pub(super) const RULE: Rule = rule!(
    "index-back-pressure",
    Error,
    Collections,
    Model,
    "one key of an index is written more than a partition can bear, which holds back writes to the \
     table",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    key_loads(subject).iter().filter_map(|load| judge(subject, load)).collect()
}

fn judge(subject: &Subject<'_>, load: &KeyLoad<'_>) -> Option<Diagnostic> {
    let index = load.index?;
    let (even, busiest) = (load.even().write, load.busiest(subject).write);
    let share = subject.threshold(&PARTITION_SHARE);
    if even <= PARTITION_WRITE_UNITS * share && busiest <= PARTITION_WRITE_UNITS {
        return None;
    }
    let message = format!(
        "{} write units a second go to each {} of {}, of the {} that a partition bears: {} is held \
         back with it",
        amount(even),
        load.form,
        index.name,
        amount(PARTITION_WRITE_UNITS),
        load.entities.join(" and ")
    );
    let place = route_place(load.table, Some(index));
    let found = if even > PARTITION_WRITE_UNITS {
        Diagnostic::error(RULE.code, place, message)
    } else {
        Diagnostic::warning(RULE.code, place, message)
    };
    let shards = shards_needed(busiest / share);
    Some(found.with_suggestion(format!("spread it: \"{}\"", load.sharded(subject, shards))))
}
