//! `uniqueness.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(User))]
pub struct App;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = App)]
#[key(by_name: pk = "USER#{name}", sk = "USER")]
#[unique(email = "EMAIL#{email:fold}")]
pub struct User {
    pub name: String,
    pub email: String,
}

fn user(name: &str, email: &str) -> User {
    User { name: name.to_owned(), email: email.to_owned() }
}

#[tokio::test]
async fn two_attributes_are_unique_each_for_itself() -> Outcome {
    let db = App::open("app", Embedded::in_memory());
    db.create_table().await?;
    assert_cost!(db, 4.0 WCU, { db.create(&user("ada", "ada@example.org")).await? });

    match db.create(&user("eve", "ADA@example.org")).await {
        Err(WriteError::Taken { attribute, .. }) => assert_eq!(attribute, "email"),
        other => panic!("{other:?}"),
    }
    match db.create(&user("ada", "other@example.org")).await {
        Err(WriteError::NotMet { current: Some(user) }) => assert_eq!(user.name, "ada"),
        other => panic!("{other:?}"),
    }
    // The old value goes and the new one is taken in the transaction that changes the user.
    let (old, new) = ("ada@example.org".to_owned(), "lovelace@example.org".to_owned());
    assert_cost!(db, 6.0 WCU, {
        db.patch(User::by_name("ada")).email_from(old, new).await?
    });
    db.create(&user("eve", "ada@example.org")).await?;

    // A user who is removed gives the value free.
    db.delete(User::by_name("eve")).await?;
    db.create(&user("bob", "ada@example.org")).await?;
    Ok(())
}
