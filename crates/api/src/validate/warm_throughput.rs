//! WarmThroughput: what a table or index must be able to serve at once.
//!
//! There is nothing to warm here. What is asked for is checked as AWS checks it, kept and shown.

use monotable_database::schema::{Billing, Throughput, Warm};
use monotable_protocol::shapes::WarmThroughput;

use crate::error::ApiError;

/// What a table or index that is paid for by request serves from the beginning.
const ON_DEMAND_INITIAL: Throughput = Throughput { read_units: 12_000, write_units: 4_000 };

const ON_DEMAND_PAGE: &str = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/\
    on-demand-capacity-mode.html#on-demand-capacity-mode-initial";

/// What a table or index serves at once.
pub(crate) fn served(billing: Billing, provisioned: Throughput) -> Throughput {
    match billing {
        Billing::OnDemand => ON_DEMAND_INITIAL,
        Billing::Provisioned => provisioned,
    }
}

/// What a table or index serves at once at a time, given what it serves unasked, and whether a
/// change of that is over.
pub(crate) fn current(
    warm: Option<Warm>,
    served: Throughput,
    now_millis: u64,
) -> (Throughput, bool) {
    let Some(warm) = warm else { return (served, true) };
    let is_settled = warm.settled_millis.is_none_or(|settled| settled <= now_millis);
    let units = if is_settled { warm.units } else { warm.before };
    (greater(units, served), is_settled)
}

/// What a new table or index is to serve at once, if it asks for that.
pub(crate) fn of_new(throughput: &Option<WarmThroughput>, served: Throughput) -> Option<Warm> {
    let asked = asked(throughput)?;
    Some(Warm { units: merged(served, asked), before: served, settled_millis: None })
}

/// What a table or index is to serve at once after a change, and served before, if that is asked
/// for.
pub(crate) fn of_change(
    throughput: &Option<WarmThroughput>,
    current: Throughput,
) -> Option<(Throughput, Throughput)> {
    asked(throughput).map(|asked| (merged(current, asked), current))
}

fn merged(current: Throughput, asked: &WarmThroughput) -> Throughput {
    let units = |asked: Option<i64>| asked.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    let asked = Throughput {
        read_units: units(asked.read_units_per_second),
        write_units: units(asked.write_units_per_second),
    };
    greater(current, asked)
}

fn greater(one: Throughput, other: Throughput) -> Throughput {
    Throughput {
        read_units: one.read_units.max(other.read_units),
        write_units: one.write_units.max(other.write_units),
    }
}

/// What is asked for. An empty structure asks for nothing.
pub(crate) fn asked(throughput: &Option<WarmThroughput>) -> Option<&WarmThroughput> {
    throughput.as_ref().filter(|throughput| **throughput != WarmThroughput::default())
}

/// Checks what is asked for a table (`table`) or index (`index …`) to be created.
pub(crate) fn check_new(
    billing: Billing,
    provisioned: Throughput,
    throughput: &Option<WarmThroughput>,
    subject: &str,
) -> Result<(), ApiError> {
    let Some(asked) = asked(throughput) else { return Ok(()) };
    let Some((warm_name, units_name)) = lowered(served(billing, provisioned), asked) else {
        return Ok(());
    };
    let floor = match billing {
        Billing::OnDemand => format!("initial throughput for OnDemand. See: {ON_DEMAND_PAGE}"),
        Billing::Provisioned => format!("{units_name} of ProvisionedThroughput"),
    };
    Err(ApiError::parameter(format!(
        "Requested {warm_name} for WarmThroughput for {subject} is lower than {floor}"
    )))
}

/// Checks what is asked for a table (`table`) or index (`index …`) that serves `current`.
pub(crate) fn check_change(
    current: Throughput,
    throughput: &Option<WarmThroughput>,
    subject: &str,
) -> Result<(), ApiError> {
    match asked(throughput).and_then(|asked| lowered(current, asked)) {
        None => Ok(()),
        Some((warm_name, _)) => Err(ApiError::parameter(format!(
            "Requested {warm_name} for WarmThroughput for {subject} is lower than current \
             WarmThroughput, decreasing WarmThroughput is not supported"
        ))),
    }
}

/// Refuses an empty structure for an index.
pub(crate) fn check_not_empty(
    throughput: &Option<WarmThroughput>,
    index: &str,
) -> Result<(), ApiError> {
    if throughput.is_some() && asked(throughput).is_none() {
        Err(ApiError::parameter(format!(
            "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond \
             specified for index: {index}"
        )))
    } else {
        Ok(())
    }
}

/// The first member that asks for less than there is: its name, and that of the provisioned units.
fn lowered(floor: Throughput, asked: &WarmThroughput) -> Option<(&'static str, &'static str)> {
    let is_below = |asked: Option<i64>, floor: u64| asked.is_some_and(|asked| asked < floor as i64);
    if is_below(asked.read_units_per_second, floor.read_units) {
        return Some(("ReadUnitsPerSecond", "ReadCapacityUnits"));
    }
    is_below(asked.write_units_per_second, floor.write_units)
        .then_some(("WriteUnitsPerSecond", "WriteCapacityUnits"))
}
