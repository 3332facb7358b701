//! `migration.md`

use std::sync::Arc;

use futures_util::TryStreamExt;
use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

/// The application as it was.
mod old {
    use monotable::prelude::*;

    #[derive(Table)]
    #[table(pk = "pk", sk = "sk", type_attr = "type", entities(Post))]
    #[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
    pub struct Blog;

    #[derive(Entity, Debug, Clone, PartialEq)]
    #[entity(table = Blog)]
    #[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{slug}")]
    pub struct Post {
        pub author: String,
        pub slug: String,
        pub topic: String,
        #[attr(lock)]
        pub rev: u64,
    }
}

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Post))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
pub struct Blog;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Blog)]
#[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{slug}")]
#[index(Gsi1 by_topic: pk = "TOPIC#{topic}", sk = "{author}#{slug}")]
pub struct Post {
    pub author: String,
    pub slug: String,
    pub topic: String,
    /// Items that were written before have none.
    pub summary: Option<String>,
    #[attr(lock)]
    pub rev: u64,
}

fn old_post(slug: &str) -> old::Post {
    let [author, slug, topic] = ["ada", slug, "keys"].map(str::to_owned);
    old::Post { author, slug, topic, rev: 1 }
}

#[tokio::test]
async fn items_come_into_a_new_index_one_by_one() -> Outcome {
    let backend: Arc<dyn Backend> = Arc::new(Embedded::in_memory());
    let before: Db<old::Blog> = Db::new("blog", Arc::clone(&backend));
    before.create_table().await?;
    for slug in ["a", "b", "c"] {
        before.create(&old_post(slug)).await?;
    }

    let db: Db<Blog> = Db::new("blog", backend);
    assert_eq!(db.query(Post::by_topic("keys")).count().await?, 0);
    assert_eq!(db.get(Post::by_author("ada").slug("a")).await?.and_then(|it| it.summary), None);

    let mut posts = std::pin::pin!(db.scan_everything::<Post>().segments(4).stream());
    while let Some(post) = posts.try_next().await? {
        db.rekey(Key::of(&post)?).await?;
    }
    let found = assert_cost!(db, 0.5 RCU, { db.query(Post::by_topic("keys")).all().await? });
    assert_eq!(found.len(), 3);
    let rekeyed = Post::by_author("ada").slug("a");
    assert_cost!(db, 1.0 RCU, 0.0 WCU, { db.rekey(rekeyed).await? });
    Ok(())
}

#[tokio::test]
async fn what_changes_while_the_pass_goes_on_comes_into_the_index_too() -> Outcome {
    let backend: Arc<dyn Backend> = Arc::new(Embedded::in_memory());
    let before: Db<old::Blog> = Db::new("blog", Arc::clone(&backend));
    before.create_table().await?;
    before.create(&old_post("a")).await?;

    let db: Db<Blog> = Db::new("blog", backend);
    let mut posts = std::pin::pin!(db.scan_everything::<Post>().segments(4).stream());
    while let Some(post) = posts.try_next().await? {
        // Between the read and the write, the application changes what is in no key.
        let summary = db.patch(Key::of(&post)?).summary("in short").await?;
        assert_eq!(summary.rev, 2);
        db.rekey(Key::of(&post)?).await?;
    }
    let found = db.query(Post::by_topic("keys")).all().await?;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].rev, found[0].summary.as_deref()), (2, Some("in short")));
    Ok(())
}
