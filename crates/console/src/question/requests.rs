//! `requests`: the requests of an access pattern, one step after the other.

use monotable_model::document::{Pattern, Tree};
use monotable_plan::run::{Row, Run, parameters_of, read_arguments};
use monotable_plan::{Request, plan};

use super::member::{self, object, string};
use super::{Complaint, model_of};

/// How many steps a run may have.
const STEPS_MAX: usize = 100;
/// How many rows of a step may say what the next one asks for.
const ROWS_MAX: usize = 10_000;

/// The requests of the step that follows the given ones, each of which is given by its rows; null
/// after the last.
pub(super) fn answer(question: &Tree) -> Result<Tree, Complaint> {
    let model = model_of(question)?;
    let name = member::text(question, "pattern")?;
    let unknown = || Complaint::Unknown { what: "access pattern", name: name.to_owned() };
    let pattern: &Pattern = model.pattern(name).ok_or_else(unknown)?;
    let values = read_arguments(&parameters_of(&model, pattern), &arguments(question), &[])
        .map_err(|errors| unfit(&errors))?;
    let plan = plan(&model, pattern);
    let mut run = Run::new(&model, &plan, values);
    let mut step = run.next(&[]).map_err(|error| unfit(&[error]))?;
    for rows in steps(question)? {
        step = run.next(&rows).map_err(|error| unfit(&[error]))?;
    }
    let requests = step.map(|step| step.requests.iter().map(request).collect());
    Ok(object([("requests", requests.map_or(Tree::Null, Tree::List))]))
}

fn arguments(question: &Tree) -> Vec<(String, String)> {
    let arguments = question.member("arguments").map(Tree::members).unwrap_or_default();
    let text = |(name, value): &(String, Tree)| Some((name.clone(), value.text()?.to_owned()));
    arguments.iter().filter_map(text).collect()
}

/// The rows of each step, with the tables that they are from.
fn steps(question: &Tree) -> Result<Vec<Vec<Row>>, Complaint> {
    let rows = |step: &Tree| {
        let rows = step.elements();
        if rows.len() > ROWS_MAX {
            let count = rows.len();
            return Err(Complaint::TooMany { what: "rows", count, count_max: ROWS_MAX });
        }
        rows.iter().map(row).collect()
    };
    member::list(question, "steps", STEPS_MAX)?.iter().map(rows).collect()
}

fn row(tree: &Tree) -> Result<Row, Complaint> {
    let item = tree.member("item").ok_or(Complaint::Missing { member: "item" })?;
    Ok(Row { table: member::text(tree, "table")?.to_owned(), item: member::item(item)? })
}

fn request(request: &Request) -> Tree {
    object([("operation", string(request.operation())), ("body", request.body())])
}

fn unfit(errors: &[impl ToString]) -> Complaint {
    let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
    Complaint::Unfit { reasons: reasons.join("\n") }
}
