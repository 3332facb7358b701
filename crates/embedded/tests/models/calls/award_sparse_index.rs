//! The functions of `award-sparse-index`, called with the arguments of a step.

use crate::call::*;
use crate::generated::award_sparse_index::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<GameScoresTable>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "all who hold an award" => call.send(all_who_hold_an_award(&call.db())).await,
        "holders of an award" => {
            call.query(|| holders_of_an_award(&call.db(), &call.argument::<String>("Award"))).await
        }
        "give award" => {
            call.send(give_award(
                &call.db(),
                call.argument::<Number>("Id"),
                &call.argument::<String>("Award"),
            ))
            .await
        }
        "take award back" => {
            call.send(take_award_back(&call.db(), call.argument::<Number>("Id"))).await
        }
        _ => return None,
    })
}
