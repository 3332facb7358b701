//! The functions of `places-delimiters`, called with the arguments of a step.

use crate::call::*;
use crate::generated::places_delimiters::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Places>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "places of a state" => {
            call.query(|| places_of_a_state(&call.db(), &call.argument::<String>("state"))).await
        }
        "places of a city" => {
            call.query(|| {
                places_of_a_city(
                    &call.db(),
                    &call.argument::<String>("state"),
                    &call.argument::<String>("city"),
                )
            })
            .await
        }
        _ => return None,
    })
}
