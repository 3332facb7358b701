//! `reference-counts.md`

use monotable::assert_cost;
use monotable::db::TransactError;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Repo, Star))]
pub struct Code;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Code)]
#[key(by_name: pk = "REPO#{name}", sk = "REPO")]
pub struct Repo {
    pub name: String,
    pub stars: u32,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Code)]
#[key(of_repo: pk = "REPO#{repo}", sk = "STAR#{user}")]
pub struct Star {
    pub repo: String,
    pub user: String,
}

#[derive(Debug, PartialEq)]
pub enum Refused {
    Starred,
    NotStarred,
    NoRepo,
}

async fn star(db: &Db<Code>, repo: &str, user: &str) -> Result<(), TransactError<Refused>> {
    db.transaction()
        .create(&Star { repo: repo.to_owned(), user: user.to_owned() })
        .or(Refused::Starred)
        .patch(patch(Repo::by_name(repo)).stars(add(1_u32)))
        .or(Refused::NoRepo)
        .await
}

async fn unstar(db: &Db<Code>, repo: &str, user: &str) -> Result<(), TransactError<Refused>> {
    db.transaction()
        .delete_existing(&Star::of_repo(repo).user(user))
        .or(Refused::NotStarred)
        .patch(patch(Repo::by_name(repo)).stars(sub(1_u32)))
        .or(Refused::NoRepo)
        .await
}

fn refused(outcome: Result<(), TransactError<Refused>>) -> Option<Refused> {
    match outcome {
        Err(TransactError::Refused(refusal)) => refusal.error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_count_moves_with_what_it_counts() -> Outcome {
    let db = Code::open("code", Embedded::in_memory());
    db.create_table().await?;
    db.create(&Repo { name: "monotable".to_owned(), stars: 0 }).await?;
    assert_cost!(db, 4.0 WCU, { star(&db, "monotable", "ada").await? });
    star(&db, "monotable", "bob").await?;
    assert_eq!(refused(star(&db, "monotable", "ada").await), Some(Refused::Starred));

    unstar(&db, "monotable", "bob").await?;
    assert_eq!(refused(unstar(&db, "monotable", "bob").await), Some(Refused::NotStarred));

    let repo = assert_cost!(db, 0.5 RCU, { db.get(Repo::by_name("monotable")).await? });
    assert_eq!(repo.map(|it| it.stars), Some(1));
    assert_eq!(refused(star(&db, "nothing", "ada").await), Some(Refused::NoRepo));
    assert_eq!(db.query(Star::of_repo("nothing")).count().await?, 0);
    Ok(())
}
