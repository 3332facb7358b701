//! `summaries.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::{Outcome, time};

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Message))]
#[gsi(Inbox, pk = "gsi1pk", sk = "gsi1sk", project(sender, subject))]
pub struct Mail;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Mail)]
#[key(by_id: pk = "MESSAGE#{id}", sk = "MESSAGE")]
#[index(Inbox inbox: pk = "USER#{recipient}", sk = "{sent}#{id}", view(sender, subject))]
pub struct Message {
    pub id: String,
    #[attr(create_only)]
    pub recipient: String,
    #[attr(create_only)]
    pub sent: Timestamp,
    pub sender: String,
    pub subject: String,
    pub body: String,
}

#[tokio::test]
async fn a_list_reads_what_it_shows() -> Outcome {
    let db = Mail::open("mail", Embedded::in_memory());
    db.create_table().await?;
    for number in 0..10 {
        let [recipient, sender] = ["ada", "bob"].map(str::to_owned);
        let sent = time(&format!("2026-01-03T12:0{number}:00Z"));
        let (id, subject) = (format!("m{number}"), format!("News {number}"));
        let body = "x".repeat(10_000);
        db.create(&Message { id, recipient, sent, sender, subject, body }).await?;
    }
    // Ten subjects, out of 100 KB of messages.
    let page = assert_cost!(db, 0.5 RCU, {
        db.query(Message::inbox("ada")).desc().exactly(10).await?
    });
    let newest = &page.rows()[0];
    assert_eq!((newest.id.as_str(), newest.subject.as_str()), ("m9", "News 9"));

    // The body of the one that is opened.
    let message = assert_cost!(db, 1.5 RCU, { db.get(Message::by_id(&newest.id)).await? });
    assert_eq!(message.map(|it| it.body.len()), Some(10_000));

    // Or whole items of a selection, by the index and then by key.
    let first_minutes = time("2026-01-03T12:00:00Z")..time("2026-01-03T12:02:00Z");
    let whole = db.query(Message::inbox("ada").sent_in(first_minutes)).hydrate().await?;
    assert_eq!(whole.len(), 2);
    Ok(())
}
