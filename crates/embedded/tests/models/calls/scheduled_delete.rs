//! The functions of `scheduled-delete`, called with the arguments of a step.

use crate::call::*;
use crate::generated::scheduled_delete::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "live items of a user" => {
            call.query(|| {
                live_items_of_a_user(
                    &call.db(),
                    &call.argument::<String>("Username"),
                    call.argument::<Number>("now"),
                )
            })
            .await
        }
        _ => return None,
    })
}
