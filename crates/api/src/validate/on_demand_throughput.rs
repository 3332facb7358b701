//! OnDemandThroughput: what a table or index that is paid for by request may read and write at
//! most.

use monotable_database::schema::{Billing, RequestCeiling};
use monotable_protocol::shapes::OnDemandThroughput;

use crate::error::ApiError;

/// Asks for no ceiling.
const UNLIMITED: i64 = -1;

/// Whose ceiling it is.
#[derive(Debug, Clone, Copy)]
enum Subject<'a> {
    Table,
    Index(&'a str),
}

/// What is asked for. An empty structure asks for nothing.
pub(crate) fn asked(throughput: &Option<OnDemandThroughput>) -> Option<&OnDemandThroughput> {
    throughput.as_ref().filter(|throughput| **throughput != OnDemandThroughput::default())
}

/// The ceiling of a table to be created. It cannot ask for none by −1.
pub(crate) fn of_new_table(
    billing: Billing,
    throughput: &Option<OnDemandThroughput>,
) -> Result<RequestCeiling, ApiError> {
    let Some(throughput) = asked(throughput) else { return Ok(RequestCeiling::default()) };
    if billing == Billing::Provisioned {
        let name = first_name(throughput);
        return Err(ApiError::parameter(format!(
            "{name} for OnDemandThroughput cannot be specified when table BillingMode is \
             PROVISIONED."
        )));
    }
    check_range(throughput, Subject::Table, |units| units > 0)?;
    Ok(merged(RequestCeiling::default(), throughput))
}

/// The ceiling of an index to be created.
pub(crate) fn of_new_index(
    billing: Billing,
    throughput: &Option<OnDemandThroughput>,
    index: &str,
) -> Result<RequestCeiling, ApiError> {
    let Some(throughput) = asked(throughput) else { return Ok(RequestCeiling::default()) };
    if billing == Billing::Provisioned {
        let name = first_name(throughput);
        return Err(ApiError::parameter(format!(
            "{name} for OnDemandThroughput for index: {index} cannot be specified when table \
             BillingMode is PROVISIONED."
        )));
    }
    check_range(throughput, Subject::Index(index), is_ceiling_or_unlimited)?;
    Ok(merged(RequestCeiling::default(), throughput))
}

/// The ceiling of a table after a change; what is not asked for stays.
pub(crate) fn of_table(
    billing: Billing,
    current: RequestCeiling,
    throughput: &Option<OnDemandThroughput>,
) -> Result<Option<RequestCeiling>, ApiError> {
    changed(billing, current, throughput, Subject::Table)
}

/// The ceiling of an index after a change; what is not asked for stays.
pub(crate) fn of_index(
    billing: Billing,
    current: RequestCeiling,
    throughput: &Option<OnDemandThroughput>,
    index: &str,
) -> Result<Option<RequestCeiling>, ApiError> {
    changed(billing, current, throughput, Subject::Index(index))
}

fn changed(
    billing: Billing,
    current: RequestCeiling,
    throughput: &Option<OnDemandThroughput>,
    subject: Subject<'_>,
) -> Result<Option<RequestCeiling>, ApiError> {
    let Some(throughput) = asked(throughput) else { return Ok(None) };
    if billing == Billing::Provisioned {
        let name = first_name(throughput);
        let place = match subject {
            Subject::Table => String::new(),
            Subject::Index(index) => format!(" for index : {index}"),
        };
        return Err(ApiError::parameter(format!(
            "{name} for OnDemandThroughput{place} cannot be specified when the table BillingMode \
             is PROVISIONED"
        )));
    }
    check_range(throughput, subject, is_ceiling_or_unlimited)?;
    Ok(Some(merged(current, throughput)))
}

fn is_ceiling_or_unlimited(units: i64) -> bool {
    units > 0 || units == UNLIMITED
}

fn first_name(throughput: &OnDemandThroughput) -> &'static str {
    match throughput.max_read_request_units {
        Some(_) => "MaxReadRequestUnits",
        None => "MaxWriteRequestUnits",
    }
}

fn check_range(
    throughput: &OnDemandThroughput,
    subject: Subject<'_>,
    is_valid: impl Fn(i64) -> bool,
) -> Result<(), ApiError> {
    let members = [
        ("MaxReadRequestUnits", throughput.max_read_request_units),
        ("MaxWriteRequestUnits", throughput.max_write_request_units),
    ];
    let invalid = members.iter().find(|(_, units)| units.is_some_and(|units| !is_valid(units)));
    let Some((name, _)) = invalid else { return Ok(()) };
    let place = match subject {
        Subject::Table => "table".to_owned(),
        Subject::Index(index) => format!("index : {index}"),
    };
    Err(ApiError::parameter(format!(
        "Requested {name} for OnDemandThroughput for {place} is outside of valid range"
    )))
}

fn merged(current: RequestCeiling, asked: &OnDemandThroughput) -> RequestCeiling {
    let merge = |current: Option<i64>, asked: Option<i64>| match asked {
        None => current,
        Some(UNLIMITED) => None,
        Some(units) => Some(units),
    };
    RequestCeiling {
        read_units: merge(current.read_units, asked.max_read_request_units),
        write_units: merge(current.write_units, asked.max_write_request_units),
    }
}
