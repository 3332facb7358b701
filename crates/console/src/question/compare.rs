//! `compare`: what is different between two models, and what both cost.

use monotable_migration::{diff, render_json as render_difference};
use monotable_model::document::{Model, Tree};
use monotable_plan::cost::render_json as render_cost;

use super::cost::estimate;
use super::member::{self, object, optional, string};
use super::{Complaint, consistent_model, model_of};

/// The changes that lead from the model `other` to the model of the question.
pub(super) fn answer(question: &Tree) -> Result<Tree, Complaint> {
    let after = model_of(question)?;
    let before = consistent_model(member::text(question, "other")?)?;
    Ok(object([
        ("difference", render_difference(&diff(&before, &after))),
        ("before", side(&before)?),
        ("after", side(&after)?),
    ]))
}

fn side(model: &Model) -> Result<Tree, Complaint> {
    Ok(object([
        ("name", string(&model.name)),
        ("title", optional(model.title.as_deref())),
        ("cost", render_cost(&estimate(model)?)),
    ]))
}
