//! A partition key that bears more than a partition can.

use monotable_model::diagnostic::Diagnostic;
use monotable_plan::cost::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS, shards_needed};

use crate::Subject;
use crate::amount::amount;
use crate::key_load::{KeyLoad, key_loads};
use crate::key_site::route_place;
use crate::rule::{Rule, rule};
use crate::threshold::PARTITION_SHARE;

pub(super) const RULE: Rule = rule!(
    "hot-partition",
    Error,
    Collections,
    Model,
    "one partition key is read or written more than a partition can bear",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    key_loads(subject).iter().flat_map(|load| judge(subject, load)).collect()
}

/// Writes to an index are the business of `index-back-pressure`, since they hold back the table.
fn judge(subject: &Subject<'_>, load: &KeyLoad<'_>) -> Vec<Diagnostic> {
    let (even, busiest) = (load.even(), load.busiest(subject));
    let writes = load.index.is_none().then(|| {
        let shards = shards_needed(busiest.write / subject.threshold(&PARTITION_SHARE));
        let suggestion = format!("spread it: \"{}\"", load.sharded(subject, shards));
        finding(
            subject,
            load,
            ("write", even.write, busiest.write, PARTITION_WRITE_UNITS),
            suggestion,
        )
    });
    let copies = (busiest.read / PARTITION_READ_UNITS / subject.threshold(&PARTITION_SHARE)).ceil();
    let suggestion = format!(
        "keep {} copies of what is read and read any of them, or put a cache before it",
        amount(copies.max(2.0))
    );
    let reads =
        finding(subject, load, ("read", even.read, busiest.read, PARTITION_READ_UNITS), suggestion);
    writes.flatten().into_iter().chain(reads).collect()
}

fn finding(
    subject: &Subject<'_>,
    load: &KeyLoad<'_>,
    (what, even, busiest, limit): (&str, f64, f64, f64),
    suggestion: String,
) -> Option<Diagnostic> {
    let share = subject.threshold(&PARTITION_SHARE);
    if even <= limit * share && busiest <= limit {
        return None;
    }
    let place = route_place(load.table, load.index);
    let message = format!(
        "{} {what} units a second go to each {} of {}, of the {} that a partition bears",
        amount(even),
        load.form,
        load.entities.join(" and "),
        amount(limit)
    );
    let period = "what is written at one time has the same period, and so the same key";
    let skew = format!("the busiest key may have {}", amount(busiest));
    let found = if even > limit {
        Diagnostic::error(RULE.code, place, message)
    } else {
        Diagnostic::warning(RULE.code, place, message)
    };
    let found = found.with_suggestion(suggestion);
    let found = if load.spread.is_period { found.with_note(period) } else { found };
    Some(if busiest > even { found.with_note(skew) } else { found })
}
