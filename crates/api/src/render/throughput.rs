//! Throughput as descriptions show it.

use monotable_database::schema::{RequestCeiling, Throughput, ThroughputChanges};
use monotable_protocol::shapes::{OnDemandThroughput, ProvisionedThroughputDescription, Timestamp};

/// Units a second that are reserved, and when that last changed; zero if paid for by request.
pub(crate) fn provisioned(
    throughput: Throughput,
    changes: ThroughputChanges,
    decreases_today: u32,
) -> ProvisionedThroughputDescription {
    let timestamp = |millis: u64| Timestamp { epoch_millis: millis as i64 };
    ProvisionedThroughputDescription {
        last_increase_date_time: changes.increased_millis.map(timestamp),
        last_decrease_date_time: changes.decreased_millis.map(timestamp),
        number_of_decreases_today: Some(i64::from(decreases_today)),
        read_capacity_units: Some(throughput.read_units as i64),
        write_capacity_units: Some(throughput.write_units as i64),
    }
}

/// The ceiling, if there is one.
pub(crate) fn on_demand(ceiling: RequestCeiling) -> Option<OnDemandThroughput> {
    let has_ceiling = ceiling != RequestCeiling::default();
    has_ceiling.then_some(OnDemandThroughput {
        max_read_request_units: ceiling.read_units,
        max_write_request_units: ceiling.write_units,
    })
}
