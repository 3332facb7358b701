//! A run for programs.

use monotable_item::Type;
use monotable_model::document::{Model, Pattern};
use monotable_plan::run::{PatternParameter, parameters_of};
use monotable_plan::{Request, plan};
use monotable_remote::encode_item;
use serde_json::{Value, json};

use crate::commands::model::player::{Played, PlayedRequest, Row, body, estimated};
use crate::outcome::Outcome;

/// The patterns of a model with what they need to know.
pub(super) fn patterns(model: &Model) -> Value {
    let parameter = |parameter: &PatternParameter| {
        json!({
            "name": parameter.name, "type": parameter.kind().map(Type::code),
            "required": parameter.is_required,
        })
    };
    let pattern = |pattern: &Pattern| {
        let parameters = parameters_of(model, pattern);
        let parameters: Vec<Value> = parameters.iter().map(parameter).collect();
        let plan = plan(model, pattern).lines();
        json!({ "name": pattern.name, "parameters": parameters, "plan": plan })
    };
    json!({ "patterns": model.patterns.iter().map(pattern).collect::<Vec<_>>() })
}

/// Requests that are not sent.
pub(super) fn requests(requests: &[Request]) -> Value {
    json!({ "requests": requests.iter().map(request).collect::<Vec<_>>() })
}

/// All that a run brought.
pub(super) fn report(model: &Model, pattern: &Pattern, played: &Played) -> Value {
    let (consumed, estimated) = (played.consumed(), estimated(model, pattern));
    json!({
        "pattern": pattern.name,
        "found": played.outcome(pattern) == Outcome::Done,
        "requests": played.requests.iter().map(|one| answered(model, one)).collect::<Vec<_>>(),
        "consumed": { "read": consumed.read, "write": consumed.write },
        "estimated": estimated.map(|load| json!({ "read": load.read, "write": load.write })),
    })
}

fn request(request: &Request) -> Value {
    json!({ "operation": request.operation(), "body": body(request).unwrap_or_default() })
}

fn answered(model: &Model, played: &PlayedRequest) -> Value {
    let refusal = played.refusal.as_ref();
    json!({
        "request": request(&played.request),
        "rows": played.rows.iter().map(|row| row_report(model, row)).collect::<Vec<_>>(),
        "scanned": played.scanned,
        "discarded": played.discarded(),
        "pages": played.pages,
        "next": played.next,
        "consumed": played.consumed,
        "refusal": refusal.map(|one| json!({ "message": one.message, "members": one.members })),
    })
}

fn row_report(model: &Model, row: &Row) -> Value {
    let entity = row.entity(model).map(|entity| entity.name.clone());
    json!({ "entity": entity, "table": row.table, "item": encode_item(&row.item) })
}
