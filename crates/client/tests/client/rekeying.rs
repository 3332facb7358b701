//! Items that were stored before their entity was in an index come into it by `rekey`.

use std::sync::Arc;

use monotable::assert_cost;
use monotable::backend::{Recorder, Request};
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::starting::{self, Visits};

mod old {
    use monotable::prelude::*;

    #[derive(Table)]
    #[table(pk = "pk", sk = "sk", type_attr = "type", entities(Post))]
    #[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
    #[gsi(Gsi2, pk = "gsi2pk", sk = "gsi2sk")]
    pub struct Blog;

    #[derive(Entity, Debug, Clone, PartialEq)]
    #[entity(table = Blog)]
    #[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{slug}")]
    #[index(Gsi1 by_topic: pk = "OLD#{topic}", sk = "{slug}")]
    pub struct Post {
        pub author: String,
        pub slug: String,
        pub topic: Option<String>,
        pub likes: u32,
    }
}

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Post))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
#[gsi(Gsi2, pk = "gsi2pk", sk = "gsi2sk")]
pub struct Blog;

/// The key of one index is another than it was, and the entity is new in the other.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Blog)]
#[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{slug}")]
#[index(Gsi1 by_topic: pk = "TOPIC#{topic}", sk = "{slug}", when = "likes > 0")]
#[index(Gsi2 everything: pk = "POSTS", sk = "{author}#{slug}")]
pub struct Post {
    pub author: String,
    pub slug: String,
    pub topic: Option<String>,
    pub likes: u32,
}

struct Fixture {
    recorder: Arc<Recorder>,
    before: Db<old::Blog>,
    db: Db<Blog>,
}

/// A table with a post that the old program stored.
async fn stored(likes: u32) -> Fixture {
    let recorder = Arc::new(Recorder::wrap(Embedded::in_memory()));
    let before: Db<old::Blog> = Db::new("blog", recorder.clone());
    before.create_table().await.unwrap();
    let [author, slug, topic] = ["ada", "a", "keys"].map(str::to_owned);
    before.create(&old::Post { author, slug, topic: Some(topic), likes }).await.unwrap();
    let db = Db::new("blog", recorder.clone());
    Fixture { recorder, before, db }
}

fn key() -> Key<Post> {
    Post::by_author("ada").slug("a")
}

async fn topics(db: &Db<Blog>, topic: &str) -> u64 {
    db.query(Post::by_topic(topic)).count().await.unwrap()
}

#[tokio::test]
async fn an_item_comes_into_indexes_whatever_their_keys_are_made_of() {
    let Fixture { before, db, .. } = stored(1).await;
    assert_eq!(db.query(Post::everything()).count().await.unwrap(), 0);
    let post = db.rekey(key()).await.unwrap().expect("it is there");
    assert_eq!(db.query(Post::everything()).all().await.unwrap(), [post]);
    assert_eq!(topics(&db, "keys").await, 1);
    assert_eq!(before.query(old::Post::by_topic("keys")).count().await.unwrap(), 0);
    assert_eq!(db.rekey(Post::by_author("ada").slug("b")).await.unwrap(), None);
}

#[tokio::test]
async fn an_item_leaves_an_index_whose_condition_it_does_not_meet() {
    let Fixture { before, db, .. } = stored(0).await;
    assert_eq!(before.query(old::Post::by_topic("keys")).count().await.unwrap(), 1);
    db.rekey(key()).await.unwrap();
    assert_eq!(before.query(old::Post::by_topic("keys")).count().await.unwrap(), 0);
    assert_eq!(topics(&db, "keys").await, 0);
}

#[tokio::test]
async fn an_item_whose_keys_are_right_is_only_read() {
    let Fixture { db, .. } = stored(1).await;
    db.rekey(key()).await.unwrap();
    assert_cost!(db, 1.0 RCU, 0.0 WCU, { db.rekey(key()).await.unwrap() });
}

#[tokio::test]
async fn keys_are_not_written_from_what_is_there_no_more() {
    let Fixture { recorder, before, db } = stored(1).await;
    recorder.take();
    db.rekey(key()).await.unwrap();
    let Some(Request::UpdateItem(request)) = recorder.take().pop() else {
        panic!("the keys are written by an update")
    };

    // The same update, from a process that read the post before the old program changed its topic.
    let old_key = || old::Post::by_author("ada").slug("a");
    before.patch(old_key()).topic(Some("sorting".to_owned())).await.unwrap();
    assert!(db.backend().update_item(request.clone()).await.is_err());
    db.rekey(key()).await.unwrap();
    assert_eq!((topics(&db, "keys").await, topics(&db, "sorting").await), (0, 1));

    before.delete(old_key()).await.unwrap();
    assert!(db.backend().update_item(request).await.is_err(), "it would make half an item");
}

#[tokio::test]
async fn an_older_item_is_written_whole_with_its_keys() {
    let db = starting::site().await;
    starting::store_older(&db, None).await;
    let visits = db.rekey(starting::home()).await.unwrap().expect("it is there");
    assert_eq!(visits.count, Some(40));
    assert_eq!(db.query(Visits::by_day(7_u8)).all().await.unwrap(), [visits]);
}
