//! The functions of `unique-user-email`, called with the arguments of a step.

use crate::call::*;
use crate::generated::unique_user_email::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "create user" => {
            call.send(create_user(&call.db(), &call.entity::<User>(), &call.entity::<UserEmail>()))
                .await
        }
        "change email" => {
            call.send(change_email(
                &call.db(),
                &call.argument::<String>("old"),
                &call.argument::<String>("new"),
                &call.argument::<String>("Username"),
            ))
            .await
        }
        "delete user" => {
            call.send(delete_user(
                &call.db(),
                &call.argument::<String>("Username"),
                &call.argument::<String>("Email"),
            ))
            .await
        }
        _ => return None,
    })
}
