//! `DescribeImport`: tells how far an import is, of which there is none.

use std::convert::Infallible;

use monotable_protocol::import::DescribeImportRequest;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::table_part::{PartKind, TablePart};
use crate::validate::model;

/// Runs `DescribeImport`.
pub(crate) async fn describe_import<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeImportRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let import = TablePart::read(PartKind::Import, request.import_arn.as_deref())?;
    api.authorize_part(&import, "DescribeImport")?;
    Err(ApiError::import_not_found(import.as_sent()))
}
