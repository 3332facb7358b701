//! The functions of `settings-copies`, called with the arguments of a step.

use crate::call::*;
use crate::generated::settings_copies::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "read settings" => {
            call.send(read_settings(&call.db(), call.argument::<Number>("Copy"))).await
        }
        "change settings" => {
            call.send(change_settings(
                &call.db(),
                &call.argument::<BTreeMap<String, Value>>("Settings"),
                &call.argument::<Vec<Number>>("copies"),
            ))
            .await
        }
        _ => return None,
    })
}
