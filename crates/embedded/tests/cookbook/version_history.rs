//! `version-history.md`

use monotable::assert_cost;
use monotable::db::TransactError;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Article, Version))]
pub struct Press;

/// Points to the version that readers see.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Press)]
#[key(by_id: pk = "ARTICLE#{id}", sk = "ARTICLE")]
pub struct Article {
    pub id: String,
    pub current: u32,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Press)]
#[key(of_article: pk = "ARTICLE#{article}", sk = "VERSION#{number:06}")]
pub struct Version {
    pub article: String,
    pub number: u32,
    pub text: String,
    #[attr(created)]
    pub written: Timestamp,
}

#[derive(Debug, PartialEq)]
pub struct Changed;

/// Adds the version after `known` and shows it, unless somebody else has added one.
async fn publish(
    db: &Db<Press>,
    id: &str,
    known: u32,
    text: &str,
) -> Result<(), TransactError<Changed>> {
    let version = Version {
        article: id.to_owned(),
        number: known + 1,
        text: text.to_owned(),
        written: monotable::Stamp::stamp(db.backend().now()),
    };
    db.transaction()
        .create(&version)
        .or(Changed)
        .patch(patch(Article::by_id(id)).current(known + 1).when(Article::CURRENT.is(known)))
        .or(Changed)
        .await
}

/// What readers see.
async fn read(db: &Db<Press>, id: &str) -> Result<Option<Version>, Error> {
    let Some(article) = db.get(Article::by_id(id)).await? else { return Ok(None) };
    db.get(Version::of_article(id).number(article.current)).await
}

#[tokio::test]
async fn a_version_is_shown_when_the_pointer_moves() -> Outcome {
    let db = Press::open("press", Embedded::in_memory());
    db.create_table().await?;
    db.create(&Article { id: "a".to_owned(), current: 0 }).await?;
    publish(&db, "a", 0, "draft").await?;
    assert_cost!(db, 4.0 WCU, { publish(&db, "a", 1, "final").await? });
    let late = publish(&db, "a", 1, "too late").await;
    assert!(matches!(late, Err(TransactError::Refused(_))));

    let shown = assert_cost!(db, 1.0 RCU, { read(&db, "a").await? });
    assert_eq!(shown.map(|it| it.text), Some("final".to_owned()));

    // Back to an older version: nothing is written but the pointer.
    db.patch(Article::by_id("a")).current(1_u32).await?;
    assert_eq!(read(&db, "a").await?.map(|it| it.text), Some("draft".to_owned()));
    let history = db.query(Version::of_article("a")).desc().all().await?;
    assert_eq!(history.iter().map(|it| it.number).collect::<Vec<_>>(), [2, 1]);
    Ok(())
}
