//! `paging.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::{Outcome, time};

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Comment))]
pub struct Forum;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Forum)]
#[key(of_thread: pk = "THREAD#{thread}", sk = "COMMENT#{written}")]
pub struct Comment {
    pub thread: String,
    pub written: Timestamp,
    pub text: String,
}

pub struct CommentPage {
    pub comments: Vec<Comment>,
    /// For the next request, as text that a browser can keep and cannot make.
    pub next: Option<String>,
}

async fn page(
    db: &Db<Forum>,
    thread: &str,
    after: Option<&str>,
    secret: &[u8],
) -> Result<CommentPage, Error> {
    let mut query = db.query(Comment::of_thread(thread)).desc().exactly(10);
    if let Some(sealed) = after {
        query = query.after(Cursor::open(sealed, secret)?);
    }
    let page = query.await?;
    let next = page.next().map(|cursor| cursor.seal(secret));
    Ok(CommentPage { comments: page.into_rows(), next })
}

#[tokio::test]
async fn a_cursor_goes_to_the_browser_and_back() -> Outcome {
    let db = Forum::open("forum", Embedded::in_memory());
    db.create_table().await?;
    for minute in 0..25 {
        let written = time(&format!("2026-01-03T12:{minute:02}:00Z"));
        let comment = Comment { thread: "t".to_owned(), written, text: format!("{minute}") };
        db.create(&comment).await?;
    }
    let secret = b"of this service";
    let first = assert_cost!(db, 0.5 RCU, { page(&db, "t", None, secret).await? });
    let second = page(&db, "t", first.next.as_deref(), secret).await?;
    let third = page(&db, "t", second.next.as_deref(), secret).await?;
    assert_eq!(third.comments.len(), 5);
    assert_eq!(third.next, None);

    let elsewhere = page(&db, "other", first.next.as_deref(), secret).await;
    assert!(matches!(elsewhere, Err(Error::Cursor(_))), "of another thread");
    let forged = page(&db, "t", Some("AAAA"), secret).await;
    assert!(matches!(forged, Err(Error::Cursor(_))), "not sealed here");
    assert_eq!(first.comments[0].text, "24");
    assert_eq!(second.comments[0].text, "14");
    Ok(())
}

#[tokio::test]
async fn pages_lead_back_too() -> Outcome {
    let db = Forum::open("forum", Embedded::in_memory());
    db.create_table().await?;
    for minute in 0..6 {
        let written = time(&format!("2026-01-03T12:{minute:02}:00Z"));
        db.create(&Comment { thread: "t".to_owned(), written, text: String::new() }).await?;
    }
    let comments = || db.query(Comment::of_thread("t")).exactly(2);
    let first = comments().await?;
    let second = comments().after(first.next().expect("there are three pages")).await?;
    let back = comments().before(second.previous().expect("it is not the first")).await?;
    assert_eq!(back.rows(), first.rows());
    Ok(())
}
