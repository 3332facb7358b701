//! The functions of `user-games`, called with the arguments of a step.

use crate::call::*;
use crate::generated::user_games::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<UserGamesTable>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "games of a user" => {
            call.query(|| games_of_a_user(&call.db(), &call.argument::<String>("UserId"))).await
        }
        "users of a game" => {
            call.query(|| users_of_a_game(&call.db(), &call.argument::<String>("GameId"))).await
        }
        _ => return None,
    })
}
