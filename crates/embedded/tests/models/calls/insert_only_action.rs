//! The functions of `insert-only-action`, called with the arguments of a step.

use crate::call::*;
use crate::generated::insert_only_action::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "log action once" => call.send(log_action_once(&call.db(), &call.entity::<Action>())).await,
        "replace action that is there" => {
            call.send(replace_action_that_is_there(&call.db(), &call.entity::<Action>())).await
        }
        _ => return None,
    })
}
