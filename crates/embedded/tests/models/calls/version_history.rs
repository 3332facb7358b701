//! The functions of `version-history`, called with the arguments of a step.

use crate::call::*;
use crate::generated::version_history::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "get pointer" => {
            call.send(get_pointer(&call.db(), &call.argument::<String>("DocumentId"))).await
        }
        "get version" => {
            call.send(get_version(
                &call.db(),
                &call.argument::<String>("DocumentId"),
                call.argument::<Number>("Version"),
            ))
            .await
        }
        "prepare next version" => {
            call.send(prepare_next_version(&call.db(), &call.entity::<Version>())).await
        }
        "make version current" => {
            call.send(make_version_current(
                &call.db(),
                &call.argument::<String>("DocumentId"),
                call.argument::<Number>("next"),
                call.argument::<Number>("expected"),
            ))
            .await
        }
        _ => return None,
    })
}
