//! The functions of `post-likes`, called with the arguments of a step.

use crate::call::*;
use crate::generated::post_likes::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "like a post" => {
            call.send(like_a_post(
                &call.db(),
                &call.entity::<Like>(),
                &call.argument::<String>("PostId"),
            ))
            .await
        }
        "take a like back" => {
            call.send(take_a_like_back(
                &call.db(),
                &call.argument::<String>("PostId"),
                &call.argument::<String>("Username"),
            ))
            .await
        }
        "post with its likes" => {
            call.query(|| post_with_its_likes(&call.db(), &call.argument::<String>("PostId"))).await
        }
        _ => return None,
    })
}
