//! The functions of `stream-view-types`, called with the arguments of a step.

use crate::call::*;
use crate::generated::stream_view_types::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<TravellersOldImage>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "change destination" => {
            call.send(change_destination(
                &call.db(),
                &call.argument::<String>("Name"),
                &call.argument::<String>("Destination"),
            ))
            .await
        }
        _ => return None,
    })
}
