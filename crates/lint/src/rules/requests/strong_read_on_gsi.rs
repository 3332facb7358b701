//! A consistent read of a global index.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{IndexChoice, IndexKind, Model, Pattern, Tree};
use monotable_plan::{Plan, Reason};

use crate::Subject;
use crate::request_part::{RequestPart, request_parts};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "strong-read-on-gsi",
    Error,
    Requests,
    Model,
    "a read of a global index asks for consistency, which such an index cannot give",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.planned().filter_map(|(pattern, plan)| {
        let index = declared(subject.model, pattern, plan)?;
        Some(found(Place::pattern(&pattern.name).member("consistent"), &index))
    });
    declared.chain(request_parts(subject).iter().filter_map(recorded)).collect()
}

/// The global index that the pattern insists on, or that would serve it if it were not for
/// consistency.
fn declared(model: &Model, pattern: &Pattern, plan: &Plan) -> Option<String> {
    if !pattern.consistent {
        return None;
    }
    let is_global = |name: &str| {
        let mut indexes = model.tables.iter().filter_map(|table| table.index(name));
        indexes.any(|index| index.kind == IndexKind::Global)
    };
    if let Some(IndexChoice::Named(name)) = &pattern.index
        && is_global(name)
    {
        return Some(name.clone());
    }
    let own = plan.unserved.iter().filter(|unserved| unserved.pattern == pattern.name);
    let mut rejections = own.flat_map(|unserved| &unserved.rejections);
    let only = rejections.find(|one| one.reasons == [Reason::ConsistentOnGlobalIndex])?;
    Some(only.target.to_string())
}

fn recorded(part: &RequestPart<'_>) -> Option<Diagnostic> {
    let index = part.index.filter(|index| index.kind == IndexKind::Global)?;
    let is_strong = part.body.member("ConsistentRead").is_some_and(Tree::is_true);
    is_strong.then(|| found(part.place.member("ConsistentRead"), &index.name))
}

fn found(place: Place, index: &str) -> Diagnostic {
    let message =
        format!("the global index {index} follows its table, and cannot be read consistently");
    let suggestion = "read it as it is, or read by the table's key or a local index";
    Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
}
