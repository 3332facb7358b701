//! Reads.

use monotable_expr::KeyComparison;
use monotable_item::Item;
use monotable_model::document::RangeComparison;

use super::{GetRequest, Placeholders, QueryRequest, ScanRequest};
use crate::fill::{Arguments, FillError};
use crate::request_plan::{
    AddedFilter, FilterComparison, FilterPart, FilterPlan, GetPlan, KeyPart, QueryPlan, ScanPlan,
};

/// The key with all values.
pub(super) fn fill_key(key: &[KeyPart], arguments: &Arguments<'_>) -> Result<Item, FillError> {
    key.iter().map(|part| Ok((part.attribute.clone(), part.text.fill(arguments)?))).collect()
}

pub(super) fn get(
    table: &str,
    plan: &GetPlan,
    arguments: &Arguments<'_>,
) -> Result<GetRequest, FillError> {
    let mut placeholders = Placeholders::default();
    Ok(GetRequest {
        table: table.to_owned(),
        key: fill_key(&plan.key, arguments)?,
        projection: placeholders.bind_all(plan.project.as_ref(), arguments)?,
        placeholders,
        consistent: plan.consistent,
    })
}

pub(super) fn query(
    table: &str,
    index: Option<&String>,
    plan: &QueryPlan,
    arguments: &Arguments<'_>,
) -> Result<QueryRequest, FillError> {
    let mut placeholders = Placeholders::default();
    let projection = placeholders.bind_all(plan.project.as_ref(), arguments)?;
    let filter = fill_filter(&plan.filter, &mut placeholders, arguments)?;
    let mut conditions = Vec::new();
    for part in plan.partition.iter().chain(&plan.leading) {
        let equal = KeyComparison::Equal(part.text.fill(arguments)?);
        conditions.push(placeholders.comparison(&part.attribute, equal));
    }
    if let Some((attribute, condition)) = &plan.sort {
        conditions.push(placeholders.comparison(attribute, condition.fill(arguments)?));
    }
    Ok(QueryRequest {
        table: table.to_owned(),
        index: index.cloned(),
        key_condition: conditions.join(" AND "),
        filter,
        projection,
        placeholders,
        order: plan.order,
        limit: plan.limit,
        consistent: plan.consistent,
    })
}

pub(super) fn scan(
    table: &str,
    index: Option<&String>,
    plan: &ScanPlan,
    arguments: &Arguments<'_>,
) -> Result<ScanRequest, FillError> {
    let mut placeholders = Placeholders::default();
    Ok(ScanRequest {
        table: table.to_owned(),
        index: index.cloned(),
        projection: placeholders.bind_all(plan.project.as_ref(), arguments)?,
        filter: fill_filter(&plan.filter, &mut placeholders, arguments)?,
        placeholders,
        limit: plan.limit,
        consistent: plan.consistent,
    })
}

fn fill_filter(
    plan: &FilterPlan,
    placeholders: &mut Placeholders,
    arguments: &Arguments<'_>,
) -> Result<Option<String>, FillError> {
    let is_given = |name: &String| arguments.values.contains_key(name);
    let is_sent = |part: &&FilterPart| part.optional.iter().all(is_given);
    let declared: Vec<String> = plan
        .parts
        .iter()
        .filter(is_sent)
        .map(|part| placeholders.bind(&part.expression, arguments))
        .collect::<Result<_, _>>()?;
    let declared = Some(declared.join(" AND ")).filter(|declared| !declared.is_empty());
    let mut parts: Vec<String> = declared.into_iter().collect();
    if let ([declared], false) = (parts.as_mut_slice(), plan.added.is_empty()) {
        *declared = format!("({declared})");
    }
    for filter in &plan.added {
        parts.push(fill_added(filter, placeholders, arguments)?);
    }
    Ok((!parts.is_empty()).then(|| parts.join(" AND ")))
}

fn fill_added(
    filter: &AddedFilter,
    placeholders: &mut Placeholders,
    arguments: &Arguments<'_>,
) -> Result<String, FillError> {
    let value = |source| arguments.value(source);
    let comparison = match &filter.comparison {
        FilterComparison::Equal(source) => KeyComparison::Equal(value(source)?),
        FilterComparison::Range(range) => match range {
            RangeComparison::Less(source) => KeyComparison::Less(value(source)?),
            RangeComparison::LessOrEqual(source) => KeyComparison::LessOrEqual(value(source)?),
            RangeComparison::Greater(source) => KeyComparison::Greater(value(source)?),
            RangeComparison::GreaterOrEqual(source) => {
                KeyComparison::GreaterOrEqual(value(source)?)
            }
            RangeComparison::Between(from, to) => KeyComparison::Between(value(from)?, value(to)?),
            RangeComparison::BeginsWith(source) => KeyComparison::BeginsWith(value(source)?),
        },
    };
    let text = placeholders.comparison(&filter.attribute, comparison);
    if !filter.passes_without {
        return Ok(text);
    }
    let name = placeholders.name(&filter.attribute);
    Ok(format!("(attribute_not_exists({name}) OR {text})"))
}
