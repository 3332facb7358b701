//! `design`: all that follows from a model, or what is wrong with it.

use monotable_chart::{
    Chart, Part, Selection, render_collections_svg, render_json as render_chart, render_svg,
};
use monotable_item::{Type, Value};
use monotable_lint::{Evidence, Judgement, lint, render_report_json};
use monotable_model::diagnostic::{Diagnostic, SourceFile, render_json as render_diagnostics};
use monotable_model::document::{
    Document, Index, KeyAttribute, Model, Pattern, PeriodName, Table, Tree,
};
use monotable_plan::cost::render_json as render_cost;
use monotable_plan::run::{PatternParameter, parameters_of};
use monotable_plan::{diagnose, plan};

use super::cost::estimate;
use super::member::{object, optional, string, strings};
use super::{Complaint, document_of, queries, text_of};

/// A moment whose periods stand for all others.
const MOMENT: &str = "2026-11-18T23:00:00Z";

/// What the text is called in diagnostics.
const NAME: &str = "model";

/// Diagnostics, tables, charts, patterns, findings and cost.
pub(super) fn answer(question: &Tree) -> Result<Tree, Complaint> {
    let text = text_of(question)?;
    let source = SourceFile::new(NAME.to_owned(), text.to_owned());
    match document_of(text) {
        Ok(document) => consistent(&document, &source),
        Err(mistakes) => Ok(inconsistent(&mistakes, &source)),
    }
}

fn inconsistent(mistakes: &[Diagnostic], source: &SourceFile) -> Tree {
    object([
        ("consistent", Tree::Bool(false)),
        ("diagnostics", render_diagnostics(mistakes, source)),
    ])
}

fn consistent(document: &Document, source: &SourceFile) -> Result<Tree, Complaint> {
    let Document { model, places } = document;
    let mut findings = diagnose(model);
    places.locate(&mut findings);
    let mut report = lint(model, Evidence::default(), &Judgement::of(model));
    report.locate(places);
    let chart = Chart::of(model, estimate(model)?);
    let selection = Selection { parts: Part::ALL.to_vec(), view: None };
    Ok(object([
        ("consistent", Tree::Bool(true)),
        ("diagnostics", render_diagnostics(&findings, source)),
        ("name", string(&model.name)),
        ("title", optional(model.title.as_deref())),
        ("description", optional(model.description.as_deref())),
        ("legend", strings(chart.legend.iter().map(|entry| entry.entity.as_str()))),
        ("tables", Tree::List(model.tables.iter().map(table).collect())),
        ("patterns", Tree::List(model.patterns.iter().map(|one| pattern(model, one)).collect())),
        ("chart", render_chart(&chart, &selection)),
        ("diagram", string(render_svg(&chart.diagram))),
        ("collections", string(render_collections_svg(&chart, &selection))),
        ("cost", render_cost(&chart.estimate)),
        ("lint", render_report_json(&report, source)),
        ("samples", Tree::Number(model.samples.len().to_string())),
        ("queries", queries::of(model)),
    ]))
}

fn table(table: &Table) -> Tree {
    object([
        ("name", string(&table.name)),
        ("physical_name", string(table.physical_name())),
        ("period", table.period_name.as_ref().and_then(period).unwrap_or(Tree::Null)),
        ("type_attribute", optional(table.type_attribute.as_deref())),
        ("ttl", optional(table.ttl.as_deref())),
        ("keys", names(table.key_attributes())),
        ("indexes", Tree::List(table.indexes.iter().map(index).collect())),
    ])
}

/// What the names of the tables that there are for periods are made of: a beginning, a period that
/// looks like the one here, an end.
fn period(name: &PeriodName) -> Option<Tree> {
    let of_moment = name.at(Value::from(MOMENT)).ok()?;
    let like = name.period_in(&of_moment)?;
    let (before, after) = of_moment.split_once(like)?;
    Some(object([("before", string(before)), ("like", string(like)), ("after", string(after))]))
}

fn index(index: &Index) -> Tree {
    object([("name", string(&index.name)), ("keys", names(index.key_attributes()))])
}

fn names<'k>(keys: impl Iterator<Item = &'k KeyAttribute>) -> Tree {
    strings(keys.map(|key| key.name.as_str()))
}

fn pattern(model: &Model, pattern: &Pattern) -> Tree {
    let plan = plan(model, pattern);
    let parameters = parameters_of(model, pattern);
    object([
        ("name", string(&pattern.name)),
        ("description", optional(pattern.description.as_deref())),
        ("group", optional(pattern.group.as_deref())),
        ("served", Tree::Bool(plan.is_served())),
        ("plan", strings(plan.lines())),
        ("parameters", Tree::List(parameters.iter().map(parameter).collect())),
    ])
}

fn parameter(parameter: &PatternParameter) -> Tree {
    let attribute = parameter.attribute.as_ref();
    let description = attribute.and_then(|attribute| attribute.description.as_deref());
    let values = attribute.map(|attribute| attribute.values.as_slice()).unwrap_or_default();
    object([
        ("name", string(&parameter.name)),
        ("type", optional(parameter.kind().map(Type::code))),
        ("required", Tree::Bool(parameter.is_required)),
        ("list", Tree::Bool(parameter.takes_lists)),
        ("description", optional(description)),
        ("values", strings(values.iter().filter_map(monotable_model::document::plain_text))),
    ])
}
