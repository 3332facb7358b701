//! The functions of `optimistic-locking`, called with the arguments of a step.

use crate::call::*;
use crate::generated::optimistic_locking::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "read with version" => {
            call.send(read_with_version(&call.db(), &call.argument::<String>("ItemId"))).await
        }
        "write if unchanged" => {
            call.send(write_if_unchanged(
                &call.db(),
                &call.argument::<String>("ItemId"),
                &call.argument::<String>("data"),
                call.argument::<u64>("expected"),
            ))
            .await
        }
        _ => return None,
    })
}
