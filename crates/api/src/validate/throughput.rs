//! How a table is paid for, and how much it and its indexes may read and write.

use std::fmt::Display;

use monotable_database::schema::{Billing, Throughput};
use monotable_protocol::shapes::ProvisionedThroughput;

use super::constraint::{Violations, missing, old, value_at_least};
use super::enums::Member;
use crate::error::ApiError;

/// The most units a second that can be asked for.
const UNITS_MAX: u64 = 1_000_000_000_000;

pub(crate) const BILLING_MODE: Member<Option<Billing>> = Member {
    path: "billingMode",
    default: None,
    values: &[
        ("PROVISIONED", Some(Billing::Provisioned)),
        ("PAY_PER_REQUEST", Some(Billing::OnDemand)),
    ],
};

/// Reads how a table is to be paid for.
pub(crate) fn read_billing(
    violations: &mut Violations,
    billing_mode: &Option<String>,
) -> Option<Billing> {
    let billing = BILLING_MODE.read(billing_mode);
    violations.extend(billing.as_ref().err().cloned());
    billing.unwrap_or_default()
}

/// Reads a throughput, which may be absent.
pub(crate) fn read(
    violations: &mut Violations,
    path: &dyn Display,
    throughput: &Option<ProvisionedThroughput>,
) -> Option<Throughput> {
    let throughput = throughput.as_ref()?;
    let mut read =
        |name: &str, units| read_units(violations, &format_args!("{path}.{name}"), units);
    let write_units = read("writeCapacityUnits", throughput.write_capacity_units);
    let read_units = read("readCapacityUnits", throughput.read_capacity_units);
    Some(Throughput { read_units: read_units?, write_units: write_units? })
}

fn read_units(violations: &mut Violations, path: &dyn Display, units: Option<i64>) -> Option<u64> {
    let Some(units) = units else {
        violations.push(missing(path));
        return None;
    };
    match u64::try_from(units) {
        Ok(positive) if positive > 0 => Some(positive),
        Ok(_) | Err(_) => {
            violations.push(old(units, path, &value_at_least(1)));
            None
        }
    }
}

/// Refuses more units than can be asked for, of the table or of the index named.
pub(crate) fn check_bounds(
    throughput: Option<Throughput>,
    index: Option<&str>,
) -> Result<(), ApiError> {
    let Some(Throughput { read_units, write_units }) = throughput else { return Ok(()) };
    check_units("ReadCapacityUnits", read_units, index)?;
    check_units("WriteCapacityUnits", write_units, index)
}

fn check_units(name: &str, units: u64, index: Option<&str>) -> Result<(), ApiError> {
    if units <= UNITS_MAX {
        return Ok(());
    }
    let place = index.map_or_else(String::new, |index| format!(" for index {index}"));
    Err(ApiError::validation(format!("Given value {units} for {name} is out of bounds{place}")))
}

/// Refuses a throughput for a table that is paid for by request.
pub(crate) fn check_not_on_demand(
    billing: Option<Billing>,
    throughput: Option<Throughput>,
) -> Result<(), ApiError> {
    match (billing, throughput) {
        (Some(Billing::OnDemand), Some(_)) => Err(ApiError::parameter(
            "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
             PAY_PER_REQUEST",
        )),
        (Some(Billing::OnDemand), None) | (Some(Billing::Provisioned) | None, _) => Ok(()),
    }
}

/// The throughput of a table to be created: none if it is paid for by request.
pub(crate) fn of_new_table(
    billing: Billing,
    throughput: Option<Throughput>,
) -> Result<Throughput, ApiError> {
    match billing {
        Billing::OnDemand => Ok(Throughput::default()),
        Billing::Provisioned => throughput.ok_or_else(|| {
            ApiError::parameter(
                "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode \
                 is PROVISIONED",
            )
        }),
    }
}

/// The throughput of an index to be created: none if its table is paid for by request.
pub(crate) fn of_new_index(
    billing: Billing,
    throughput: Option<Throughput>,
    index: &str,
) -> Result<Throughput, ApiError> {
    match (billing, throughput) {
        (Billing::Provisioned, Some(throughput)) => Ok(throughput),
        (Billing::OnDemand, None) => Ok(Throughput::default()),
        (Billing::Provisioned, None) => Err(ApiError::parameter(format!(
            "ProvisionedThroughput is not specified for index: {index}"
        ))),
        (Billing::OnDemand, Some(_)) => Err(ApiError::parameter(format!(
            "ProvisionedThroughput should not be specified for index: {index} when BillingMode is \
             PAY_PER_REQUEST"
        ))),
    }
}

/// Refuses a throughput that the table has already.
pub(crate) fn check_table_changes(current: Throughput, asked: Throughput) -> Result<(), ApiError> {
    check_changes("the table", "the table", current, asked)
}

/// Refuses a throughput that the index has already.
pub(crate) fn check_index_changes(
    index: &str,
    current: Throughput,
    asked: Throughput,
) -> Result<(), ApiError> {
    check_changes(&format!("the index {index}"), &format!("index {index}"), current, asked)
}

fn check_changes(
    subject: &str,
    place: &str,
    current: Throughput,
    asked: Throughput,
) -> Result<(), ApiError> {
    if current != asked {
        return Ok(());
    }
    Err(ApiError::validation(format!(
        "The provisioned throughput for {subject} will not change. The requested value equals the \
         current value. Current ReadCapacityUnits provisioned for {place}: {read}. Requested \
         ReadCapacityUnits: {read}. Current WriteCapacityUnits provisioned for {place}: {write}. \
         Requested WriteCapacityUnits: {write}. Refer to the Amazon DynamoDB Developer Guide for \
         current limits and how to request higher limits.",
        read = asked.read_units,
        write = asked.write_units,
    )))
}
