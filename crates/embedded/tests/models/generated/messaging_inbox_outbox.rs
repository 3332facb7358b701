//! Messages with inbox and outbox
//!
//! Tables, entities and access patterns of the model `messaging-inbox-outbox`, written by
//! `monotable model export --to rust`.

use monotable::db::{Create, GetMany, Query};
use monotable::prelude::*;

/// The table `Messages`.
#[derive(Table)]
#[table(name = "Messages", pk = "MsgId", entities(Message,))]
#[gsi(
    Inbox,
    name = "Inbox",
    pk = "Recipient": string,
    sk = "Date": string,
    project("Sender", "Subject"),
)]
#[gsi(
    Outbox,
    name = "Outbox",
    pk = "Sender": string,
    sk = "Date": string,
    project("Recipient", "Subject"),
)]
pub struct Messages;

/// The entity `Message`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Messages)]
#[key(by_msg_id: pk = "{msg_id}")]
#[index(Inbox by_recipient:
    pk = "{recipient}",
    sk = "{date}",
    view(recipient, sender, date, subject),
)]
#[index(Outbox by_sender: pk = "{sender}", sk = "{date}", view(recipient, sender, date, subject))]
pub struct Message {
    /// The attribute `MsgId`.
    #[attr(name = "MsgId", max_len = 20)]
    pub msg_id: String,
    /// The attribute `Recipient`.
    #[attr(name = "Recipient", max_len = 40)]
    pub recipient: String,
    /// The attribute `Sender`.
    #[attr(name = "Sender", max_len = 40)]
    pub sender: String,
    /// The attribute `Date`.
    #[attr(name = "Date")]
    pub date: String,
    /// The attribute `Subject`.
    #[attr(name = "Subject", max_len = 60)]
    pub subject: Option<String>,
    /// In no index
    #[attr(name = "Body", max_len = 390000)]
    pub body: Option<String>,
}

/// Access pattern: send message.
pub fn send_message(db: &Db<Messages>, message: &Message) -> Create<Message> {
    db.create(message)
}

/// Access pattern: inbox.
pub fn inbox(db: &Db<Messages>, recipient: &str) -> Query<message::ByRecipient> {
    db.query(Message::by_recipient(recipient)).desc().limit(50)
}

/// Access pattern: outbox.
pub fn outbox(db: &Db<Messages>, sender: &str) -> Query<message::BySender> {
    db.query(Message::by_sender(sender)).desc().limit(50)
}

/// Access pattern: messages with their bodies.
///
/// At most 100 ids; an answer ends at 16 MB and says what is left
pub fn messages_with_their_bodies(
    db: &Db<Messages>,
    keys: impl IntoIterator<Item = Key<Message>>,
) -> GetMany<Message> {
    db.get_many(keys)
}
