//! `ExportTableToPointInTime`: writes what a table was to Amazon S3, which nobody knows.

use std::convert::Infallible;

use monotable_protocol::export::{ExportTableToPointInTimeRequest, IncrementalExportSpecification};
use monotable_protocol::shapes::Timestamp;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::render::stream_label::date_and_time;
use crate::session::Session;
use crate::validate::{model, table_name};

/// The shortest time whose changes can be exported.
const PERIOD_MILLIS_MIN: i64 = 15 * 60 * 1000;

/// The changes that an incremental export is about.
struct Period {
    from: Timestamp,
    to: Option<Timestamp>,
}

/// Runs `ExportTableToPointInTime`. An export needs point-in-time recovery, which no table has.
pub(crate) async fn export_table_to_point_in_time<E: Engine>(
    api: &Session<'_, E>,
    request: ExportTableToPointInTimeRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let arn = request.table_arn.as_deref().unwrap_or_default();
    let name = table_name::of_arn(arn, "tableArn")?;
    check_encryption(&request)?;
    let period = period(&request)?;
    let wish = || Wish::new("ExportTableToPointInTime");
    let table = api.table_or(name, wish, || ApiError::unknown_table(arn)).await?;
    if let Some(period) = period {
        period.check(table.schema().created_millis, api.database.now_millis())?;
    }
    Err(ApiError::point_in_time_recovery_unavailable(&table.schema().name))
}

fn check_encryption(request: &ExportTableToPointInTimeRequest) -> Result<(), ApiError> {
    let is_kms = request.s3_sse_algorithm.as_deref() == Some("KMS");
    if request.s3_sse_kms_key_id.is_some() && !is_kms {
        Err(ApiError::invalid_request("KMS Key Id is not supported for this encryption type"))
    } else {
        Ok(())
    }
}

/// The changes that are asked for, if it is changes.
fn period(request: &ExportTableToPointInTimeRequest) -> Result<Option<Period>, ApiError> {
    let text = match (request.export_type.as_deref(), &request.incremental_export_specification) {
        (Some("INCREMENTAL_EXPORT"), Some(specification)) => {
            return read_period(specification).map(Some);
        }
        (Some("INCREMENTAL_EXPORT"), None) => {
            "Incremental Export Specification expected when export type is set as Incremental \
             Export"
        }
        (_, None) => return Ok(None),
        (None, Some(_)) => {
            "Export Type expected to be Incremental Export when incremental export specification \
             is provided"
        }
        (Some(_), Some(_)) => {
            "When Export Type is Full Export , Incremental Export Specification should not be \
             provided"
        }
    };
    Err(ApiError::invalid_request(text))
}

fn read_period(specification: &IncrementalExportSpecification) -> Result<Period, ApiError> {
    let from = specification.export_from_time.ok_or_else(|| {
        ApiError::invalid_request(
            "ExportFromTime must be provided in IncrementalExportSpecification",
        )
    })?;
    Ok(Period { from, to: specification.export_to_time })
}

impl Period {
    /// Checks the period of a table that was created, now.
    fn check(&self, created_millis: u64, now_millis: u64) -> Result<(), ApiError> {
        let (created, now) = (signed(created_millis), signed(now_millis));
        if self.from.epoch_millis < created {
            let from = written(self.from);
            return Err(ApiError::invalid_export_time(format!(
                "Incremental export period from time cannot be less than the table creation time \
                 : {from}"
            )));
        }
        let to = self.to.unwrap_or(Timestamp { epoch_millis: now });
        if to.epoch_millis > now {
            let to = written(to);
            return Err(ApiError::invalid_export_time(format!(
                "Incremental export period to time cannot be greater than the current time : {to}"
            )));
        }
        if to.epoch_millis.saturating_sub(self.from.epoch_millis) < PERIOD_MILLIS_MIN {
            return Err(ApiError::invalid_export_time(
                "Difference between export period from time and export period to time is less \
                 than 15 minutes",
            ));
        }
        Ok(())
    }
}

fn signed(millis: u64) -> i64 {
    i64::try_from(millis).unwrap_or(i64::MAX)
}

/// A moment as `2026-10-08T22:51:50Z`. None is before 1970 here.
fn written(time: Timestamp) -> String {
    format!("{}Z", date_and_time(u64::try_from(time.epoch_millis).unwrap_or_default()))
}
