//! `permissions.md`

use std::collections::BTreeSet;

use monotable::assert_cost;
use monotable::db::TransactError;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Team, Page))]
pub struct Wiki;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Wiki)]
#[key(by_name: pk = "TEAM#{name}", sk = "TEAM")]
pub struct Team {
    pub name: String,
    pub admins: BTreeSet<String>,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Wiki)]
#[key(of_team: pk = "TEAM#{team}", sk = "PAGE#{title}")]
pub struct Page {
    pub team: String,
    pub title: String,
    pub text: String,
    pub editors: BTreeSet<String>,
}

#[derive(Debug, PartialEq)]
pub enum Refused {
    NotAdmin,
    NoPage,
}

/// The right lies on the item: it is a condition of the write.
async fn edit(db: &Db<Wiki>, user: &str, title: &str, text: &str) -> Result<Page, Error> {
    let page = db.patch(Page::of_team("docs").title(title)).text(text);
    Ok(page.when(Page::EDITORS.contains(user)).await?)
}

/// The right lies on another item: it is checked in the same transaction.
async fn remove_page(db: &Db<Wiki>, user: &str, title: &str) -> Result<(), TransactError<Refused>> {
    db.transaction()
        .check(&Team::by_name("docs"), Team::ADMINS.contains(user))
        .or(Refused::NotAdmin)
        .delete_existing(&Page::of_team("docs").title(title))
        .or(Refused::NoPage)
        .await
}

#[tokio::test]
async fn a_right_is_checked_by_the_write_itself() -> Outcome {
    let db = Wiki::open("wiki", Embedded::in_memory());
    db.create_table().await?;
    let set = |user: &str| BTreeSet::from([user.to_owned()]);
    db.create(&Team { name: "docs".to_owned(), admins: set("ada") }).await?;
    let [team, title, text] = ["docs", "home", "hello"].map(str::to_owned);
    db.create(&Page { team, title, text, editors: set("bob") }).await?;
    assert_cost!(db, 1.0 WCU, { edit(&db, "bob", "home", "welcome").await? });
    let refused = edit(&db, "eve", "home", "nonsense").await;
    assert_eq!(refused, Err(Error::NotMet { entity: "Page" }));

    match remove_page(&db, "bob", "home").await {
        Err(TransactError::Refused(it)) => assert_eq!(it.error, Some(Refused::NotAdmin)),
        other => panic!("{other:?}"),
    }
    assert_cost!(db, 4.0 WCU, { remove_page(&db, "ada", "home").await? });
    assert_eq!(db.get(Page::of_team("docs").title("home")).await?, None);
    Ok(())
}
