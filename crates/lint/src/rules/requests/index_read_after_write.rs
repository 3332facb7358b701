//! An index that is read right after an item was written, as if it were up to date.

use monotable_expr::KeyComparison;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{IndexKind, Model, Operation, Pattern};
use monotable_plan::Target;

use crate::Subject;
use crate::evidence::RecordedRequest;
use crate::flow::followers;
use crate::pattern_write::writes_of;
use crate::request_part::{RequestPart, parts_of, request_place};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "index-read-after-write",
    Warning,
    Requests,
    Model,
    "a global index is read right after a write, as if it had followed already",
    check
);

const INSTEAD: &str = "read by the table's key, which can be consistent; or use what was written, \
                       and let the index catch up";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.model.patterns.iter().filter_map(|one| declared(subject, one));
    let requests = subject.requests.iter().enumerate();
    let recorded = requests.filter_map(|(position, one)| recorded(subject, position, one));
    declared.chain(recorded).collect()
}

fn declared(subject: &Subject<'_>, pattern: &Pattern) -> Option<Diagnostic> {
    let mut written: Vec<&str> = Vec::new();
    for (position, step) in pattern.steps.iter().enumerate() {
        let part = subject.model.pattern(&step.pattern)?;
        let plan = subject.plans.iter().find(|plan| plan.pattern == part.name)?;
        let global = plan.steps.iter().find(|one| is_global(subject.model, &one.target));
        let entity = part.entities.iter().find(|name| written.contains(&name.as_str()));
        if let (Operation::Query | Operation::Scan, Some(read), Some(entity)) =
            (part.operation, global, entity)
        {
            let message = format!(
                "{} is read here, and may not have {entity} of the step before yet",
                read.target
            );
            let place = Place::pattern(&pattern.name).member("steps").index(position);
            return Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(INSTEAD));
        }
        let writes = writes_of(subject.model, part);
        written.extend(writes.into_iter().map(|write| write.entity.name.as_str()));
    }
    None
}

fn is_global(model: &Model, target: &Target) -> bool {
    let index = target.index.as_ref().and_then(|name| model.table(&target.table)?.index(name));
    index.is_some_and(|index| index.kind == IndexKind::Global)
}

fn recorded(
    subject: &Subject<'_>,
    position: usize,
    request: &RecordedRequest,
) -> Option<Diagnostic> {
    let writes = parts_of(subject.model, request);
    let next = followers(subject.requests, position).next()?;
    let reads = parts_of(subject.model, next);
    let read = reads.iter().find(|part| reads_what_is_written(part, &writes))?;
    let index = &read.index?.name;
    let message = format!("{index} may not have what line {} has just written", request.line);
    let place = request_place(next.line);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(INSTEAD))
}

/// Whether a query of a global index asks for the partition that an item was just put into.
fn reads_what_is_written(read: &RequestPart<'_>, writes: &[RequestPart<'_>]) -> bool {
    let Some(index) = read.index.filter(|index| index.kind == IndexKind::Global) else {
        return false;
    };
    let (Some(Ok(condition)), Some(key)) = (read.key_condition(), index.partition_key.first())
    else {
        return false;
    };
    let Some(KeyComparison::Equal(asked)) = condition.comparison(&key.name) else { return false };
    writes
        .iter()
        .filter(|write| write.kind.is_write())
        .any(|write| write.item().is_some_and(|item| item.get(&key.name) == Some(asked)))
}
