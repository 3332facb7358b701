//! `Select`: what a Query or Scan returns, and whether the rest of the request agrees.

use monotable_database::Output;
use monotable_database::schema::{IndexKind, IndexProjection, IndexSchema, TableSchema};
use monotable_expr::Projection;

use super::enums::Select;
use crate::error::ApiError;

/// Refuses a `Select` that contradicts another parameter.
pub(crate) fn check(
    select: Option<Select>,
    index_name: &Option<String>,
    projection_expression: &Option<String>,
    attributes_to_get: &Option<Vec<String>>,
) -> Result<(), ApiError> {
    let expression = projection_expression.as_ref().map(|_| "ProjectionExpression");
    let projection = expression.or(attributes_to_get.as_ref().map(|_| "AttributesToGet"));
    let chosen = match select {
        Some(Select::AllAttributes) => "ALL_ATTRIBUTES",
        Some(Select::AllProjectedAttributes) => "ALL_PROJECTED_ATTRIBUTES",
        Some(Select::Count) => "only the Count",
        Some(Select::SpecificAttributes) if projection.is_none() => {
            return Err(ApiError::validation(
                "Must specify the AttributesToGet or ProjectionExpression when choosing to get \
                 SPECIFIC_ATTRIBUTES",
            ));
        }
        Some(Select::SpecificAttributes) | None => return Ok(()),
    };
    if let Some(parameter) = projection {
        return Err(ApiError::validation(format!(
            "Cannot specify the {parameter} when choosing to get {chosen}"
        )));
    }
    if select == Some(Select::AllProjectedAttributes) && index_name.is_none() {
        return Err(ApiError::validation(
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ));
    }
    Ok(())
}

/// What a page returns, and whether the items must be fetched from the table for it.
pub(crate) struct PageOutput {
    pub(crate) output: Output,
    pub(crate) fetch_items: bool,
}

impl PageOutput {
    /// Decides it for the index that is read, if one is.
    pub(crate) fn new(
        schema: &TableSchema,
        index: Option<&IndexSchema>,
        select: Option<Select>,
        projection: Option<Projection>,
    ) -> Result<PageOutput, ApiError> {
        if let Some(index) = index.filter(|index| index.kind == IndexKind::Global) {
            check_global(schema, index, select, projection.as_ref())?;
        }
        let fetch_items =
            index.is_some_and(|index| needs_items(schema, index, select, projection.as_ref()));
        let output = match (select, projection) {
            (Some(Select::Count), _) => Output::Count,
            (_, Some(projection)) => Output::Parts(projection),
            (_, None) => Output::Whole,
        };
        Ok(PageOutput { output, fetch_items })
    }
}

/// Refuses attributes that a global index does not hold: it never fetches items.
fn check_global(
    schema: &TableSchema,
    index: &IndexSchema,
    select: Option<Select>,
    projection: Option<&Projection>,
) -> Result<(), ApiError> {
    if select == Some(Select::AllAttributes) && index.projected != IndexProjection::All {
        return Err(ApiError::parameter(format!(
            "Select type ALL_ATTRIBUTES is not supported for global secondary index {} because its \
             projection type is not ALL",
            index.name
        )));
    }
    let missing = unprojected(schema, index, projection);
    if missing.is_empty() {
        return Ok(());
    }
    Err(ApiError::parameter(format!(
        "Global secondary index {} does not project [{}]",
        index.name,
        missing.join(", ")
    )))
}

fn needs_items(
    schema: &TableSchema,
    index: &IndexSchema,
    select: Option<Select>,
    projection: Option<&Projection>,
) -> bool {
    let wants_all =
        select == Some(Select::AllAttributes) && index.projected != IndexProjection::All;
    wants_all || !unprojected(schema, index, projection).is_empty()
}

fn unprojected<'p>(
    schema: &TableSchema,
    index: &IndexSchema,
    projection: Option<&'p Projection>,
) -> Vec<&'p str> {
    let roots = projection.map(Projection::roots).unwrap_or_default();
    roots.into_iter().filter(|name| !index.projects(&schema.key, name)).collect()
}
