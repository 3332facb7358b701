//! `DescribeExport`: tells how far an export is, of which there is none.

use std::convert::Infallible;

use monotable_protocol::export::DescribeExportRequest;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::table_part::{PartKind, TablePart};
use crate::validate::model;

/// Runs `DescribeExport`.
pub(crate) async fn describe_export<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeExportRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let export = TablePart::read(PartKind::Export, request.export_arn.as_deref())?;
    api.authorize_part(&export, "DescribeExport")?;
    Err(ApiError::export_not_found(export.as_sent()))
}
