//! The functions of `voting-shards`, called with the arguments of a step.

use crate::call::*;
use crate::generated::voting_shards::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Votes>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "vote" => {
            call.send(vote(
                &call.db(),
                &call.argument::<String>("Candidate"),
                call.argument::<Number>("Shard"),
                call.argument::<Number>("one"),
            ))
            .await
        }
        "add up votes" => {
            call.send(add_up_votes(&call.db(), call.keys(&["Candidate", "Shard"]))).await
        }
        "publish total" => call.send(publish_total(&call.db(), &call.entity::<VoteTotal>())).await,
        _ => return None,
    })
}
