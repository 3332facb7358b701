//! The functions of `replica-index`, called with the arguments of a step.

use crate::call::*;
use crate::generated::replica_index::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "short form of a product" => {
            call.query(|| {
                short_form_of_a_product(&call.db(), &call.argument::<String>("ProductId"))
            })
            .await
        }
        "whole product" => {
            call.send(whole_product(&call.db(), &call.argument::<String>("ProductId"))).await
        }
        _ => return None,
    })
}
