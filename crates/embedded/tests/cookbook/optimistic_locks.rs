//! `optimistic-locks.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Document))]
pub struct Wiki;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Wiki)]
#[key(by_name: pk = "DOCUMENT#{name}", sk = "DOCUMENT")]
pub struct Document {
    pub name: String,
    pub text: String,
    #[attr(lock)]
    pub rev: u64,
}

/// Appends a line, again if somebody else changed the document in between.
async fn append(db: &Db<Wiki>, name: &str, line: &str) -> Result<Document, Error> {
    let mut document = db.get(Document::by_name(name)).consistent().await?;
    for _ in 0..5 {
        let Some(read) = document else { break };
        let text = format!("{}{line}\n", read.text);
        let patch = db.patch(Document::by_name(name)).text(text).if_rev(read.rev);
        match patch.await {
            Err(WriteError::NotMet { current }) => document = current,
            outcome => return Ok(outcome?),
        }
    }
    Err(Error::NotMet { entity: "Document" })
}

#[tokio::test]
async fn nobody_overwrites_what_they_have_not_seen() -> Outcome {
    let db = Wiki::open("wiki", Embedded::in_memory());
    db.create_table().await?;
    let draft = Document { name: "home".to_owned(), text: String::new(), rev: 1 };
    let read = db.create(&draft).await?;
    append(&db, "home", "first").await?;

    // Whoever read before that is told, and gets the document as it is.
    let stale = db.patch(Document::by_name("home")).text("mine").if_rev(read.rev).await;
    match stale {
        Err(WriteError::NotMet { current: Some(current) }) => assert_eq!(current.rev, 2),
        other => panic!("{other:?}"),
    }
    let document = assert_cost!(db, 1.0 WCU, { append(&db, "home", "second").await? });
    assert_eq!((document.text.as_str(), document.rev), ("first\nsecond\n", 3));
    assert!(append(&db, "nothing", "line").await.is_err());
    Ok(())
}
