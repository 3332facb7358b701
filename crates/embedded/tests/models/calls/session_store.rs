//! The functions of `session-store`, called with the arguments of a step.

use crate::call::*;
use crate::generated::session_store::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<SessionStore>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "create session" => call.send(create_session(&call.db(), &call.entity::<Session>())).await,
        "get session" => {
            call.query(|| {
                get_session(
                    &call.db(),
                    &call.argument::<String>("SessionToken"),
                    call.argument::<Number>("now"),
                )
            })
            .await
        }
        "sessions of a user" => {
            call.query(|| sessions_of_a_user(&call.db(), &call.argument::<String>("Username")))
                .await
        }
        "delete session" => {
            call.send(delete_session(&call.db(), &call.argument::<String>("SessionToken"))).await
        }
        _ => return None,
    })
}
