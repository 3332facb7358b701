//! `ttl.md`

use std::time::{Duration, SystemTime};

use monotable::assert_cost;
use monotable::{Stamp, prelude::*};
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", ttl = "expires", entities(Session))]
pub struct App;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = App)]
#[key(of_user: pk = "USER#{user}", sk = "SESSION#{token}")]
pub struct Session {
    pub user: String,
    pub token: String,
    #[attr(ttl)]
    pub expires: UnixSeconds,
}

/// The sessions that are still good. An expired item is there until the database gets to it, which
/// on AWS may take days.
async fn sessions(db: &Db<App>, user: &str) -> Result<Vec<Session>, Error> {
    let now = UnixSeconds::stamp(db.backend().now());
    db.query(Session::of_user(user)).filter(Session::EXPIRES.gt(now)).all().await
}

#[tokio::test]
async fn an_expired_session_is_not_shown_and_then_gone() -> Outcome {
    let new_year = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let embedded = Embedded::builder().clock_at(new_year).in_memory();
    let db = App::open("app", embedded.clone());
    db.create_table().await?;

    let day = Duration::from_secs(24 * 60 * 60);
    let session = Session {
        user: "ada".to_owned(),
        token: "t1".to_owned(),
        expires: UnixSeconds::stamp(embedded.clock().now() + day),
    };
    assert_cost!(db, 1.0 WCU, { db.create(&session).await? });
    assert_eq!(sessions(&db, "ada").await?.len(), 1);

    embedded.clock().advance(2 * day).await?;
    assert_eq!(sessions(&db, "ada").await?, []);
    assert_eq!(db.get(Session::of_user("ada").token("t1")).await?, None);
    Ok(())
}
