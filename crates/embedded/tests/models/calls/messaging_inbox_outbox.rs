//! The functions of `messaging-inbox-outbox`, called with the arguments of a step.

use crate::call::*;
use crate::generated::messaging_inbox_outbox::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Messages>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "send message" => call.send(send_message(&call.db(), &call.entity::<Message>())).await,
        "inbox" => call.query(|| inbox(&call.db(), &call.argument::<String>("Recipient"))).await,
        "outbox" => call.query(|| outbox(&call.db(), &call.argument::<String>("Sender"))).await,
        "messages with their bodies" => {
            call.send(messages_with_their_bodies(&call.db(), call.keys(&["MsgId"]))).await
        }
        _ => return None,
    })
}
