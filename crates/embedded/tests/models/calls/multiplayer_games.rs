//! The functions of `multiplayer-games`, called with the arguments of a step.

use crate::call::*;
use crate::generated::multiplayer_games::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Games>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "pending invitations by filter" => {
            call.query(|| {
                pending_invitations_by_filter(&call.db(), &call.argument::<String>("Opponent"))
            })
            .await
        }
        "pending invitations" => {
            call.query(|| pending_invitations(&call.db(), &call.argument::<String>("Opponent")))
                .await
        }
        "accept invitation" => {
            call.send(accept_invitation(
                &call.db(),
                &call.argument::<String>("GameId"),
                &call.argument::<String>("Opponent"),
                &call.argument::<String>("Date"),
            ))
            .await
        }
        _ => return None,
    })
}
