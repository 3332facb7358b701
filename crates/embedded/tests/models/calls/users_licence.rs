//! The functions of `users-licence`, called with the arguments of a step.

use crate::call::*;
use crate::generated::users_licence::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Users>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "user by number" => {
            call.send(user_by_number(&call.db(), &call.argument::<String>("SSN"))).await
        }
        "several users" => call.send(several_users(&call.db(), call.keys(&["SSN"]))).await,
        "user by licence" => {
            call.query(|| user_by_licence(&call.db(), &call.argument::<String>("License"))).await
        }
        _ => return None,
    })
}
