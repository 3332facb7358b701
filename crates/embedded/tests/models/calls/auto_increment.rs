//! The functions of `auto-increment`, called with the arguments of a step.

use crate::call::*;
use crate::generated::auto_increment::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "next number" => call.send(next_number(&call.db())).await,
        "next number, the first included" => {
            call.send(next_number_the_first_included(&call.db(), call.argument::<Number>("one")))
                .await
        }
        _ => return None,
    })
}
