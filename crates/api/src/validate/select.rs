//! `Select`: what a Query or Scan returns, and whether the rest of the request agrees.

use monotable_database::Output;
use monotable_database::schema::{IndexKind, IndexSchema, Projected, TableSchema};
use monotable_expr::Projection;

use super::enums::Select;
use crate::error::ApiError;

/// The parameters that `Select` must agree with.
pub(crate) struct SelectParameters<'r> {
    pub(crate) select: Option<Select>,
    pub(crate) has_projection_expression: bool,
    pub(crate) has_attributes_to_get: bool,
    pub(crate) index_name: &'r Option<String>,
}

impl SelectParameters<'_> {
    /// Refuses a `Select` that contradicts another parameter.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        self.check_projection("ProjectionExpression", self.has_projection_expression)?;
        self.check_projection("AttributesToGet", self.has_attributes_to_get)?;
        let any = self.has_projection_expression || self.has_attributes_to_get;
        match self.select {
            Some(Select::SpecificAttributes) if !any => Err(ApiError::validation(
                "Must specify the AttributesToGet or ProjectionExpression when choosing to get \
                 SPECIFIC_ATTRIBUTES",
            )),
            Some(Select::AllProjectedAttributes) if self.index_name.is_none() => {
                Err(ApiError::validation(
                    "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
                ))
            }
            _ => Ok(()),
        }
    }

    fn check_projection(&self, parameter: &str, is_there: bool) -> Result<(), ApiError> {
        let chosen = match self.select {
            Some(Select::AllAttributes) => "ALL_ATTRIBUTES",
            Some(Select::AllProjectedAttributes) => "ALL_PROJECTED_ATTRIBUTES",
            Some(Select::Count) => "only the Count",
            Some(Select::SpecificAttributes) | None => return Ok(()),
        };
        if !is_there {
            return Ok(());
        }
        Err(ApiError::validation(format!(
            "Cannot specify the {parameter} when choosing to get {chosen}"
        )))
    }
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
    if select == Some(Select::AllAttributes) && index.projected != Projected::All {
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
    let wants_all = select == Some(Select::AllAttributes) && index.projected != Projected::All;
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
