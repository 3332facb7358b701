//! Unique values whose owners were removed by others, such as by their expiry.

use std::time::{Duration, SystemTime};

use monotable::db::TransactError;
use monotable::prelude::*;
use monotable::{Stamp, Value};
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", ttl = "expires", entities(Account))]
pub struct App;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = App)]
#[key(by_name: pk = "ACCOUNT#{name}", sk = "ACCOUNT")]
#[unique(email = "EMAIL#{email:fold}")]
#[unique(phone)]
pub struct Account {
    pub name: String,
    pub email: String,
    pub phone: Option<String>,
    #[attr(ttl)]
    pub expires: Option<UnixSeconds>,
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn account(name: &str, email: &str) -> Account {
    let email = email.to_owned();
    Account { name: name.to_owned(), email, phone: Some("1".to_owned()), expires: None }
}

/// An account with this address and the phone number 1, which is then removed by its expiry.
async fn expired(name: &str, email: &str) -> Db<App> {
    let new_year = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let embedded = Embedded::builder().clock_at(new_year).in_memory();
    let db = App::open("app", embedded.clone());
    db.create_table().await.unwrap();
    let expires = Some(UnixSeconds::stamp(new_year + DAY));
    db.create(&Account { expires, ..account(name, email) }).await.unwrap();
    embedded.clock().advance(2 * DAY).await.unwrap();
    assert_eq!(db.get(Account::by_name(name)).await.unwrap(), None);
    db
}

fn is_taken<T>(outcome: &Result<T, WriteError<Account>>, attribute: &str) -> bool {
    matches!(outcome, Err(WriteError::Taken { attribute: it, .. }) if *it == attribute)
}

#[tokio::test]
async fn an_item_that_expired_gives_its_unique_values_free() {
    let db = expired("ada", "ada@example.org").await;
    db.create(&account("eve", "ADA@example.org")).await.unwrap();
    let refused = db.create(&account("bob", "ada@example.org")).await;
    assert!(is_taken(&refused, "email"), "{refused:?}");

    // The first owner may be there again, with values of its own.
    let again = Account { phone: None, ..account("ada", "again@example.org") };
    db.create(&again).await.unwrap();
    let refused = db.create(&account("bob", "bob@example.org")).await;
    assert!(is_taken(&refused, "phone"), "{refused:?}");
}

#[tokio::test]
async fn the_owner_itself_takes_its_value_again() {
    let db = expired("ada", "ada@example.org").await;
    db.create(&account("ada", "ada@example.org")).await.unwrap();
    let refused = db.create(&account("eve", "ada@example.org")).await;
    assert!(is_taken(&refused, "email"), "{refused:?}");
}

#[tokio::test]
async fn a_patch_takes_the_value_of_an_owner_that_has_another() {
    let db = expired("ada", "ada@example.org").await;
    let ada = Account { phone: None, ..account("ada", "new@example.org") };
    db.create(&ada).await.unwrap();
    db.create(&Account { phone: None, ..account("eve", "eve@example.org") }).await.unwrap();
    let (old, new) = ("eve@example.org".to_owned(), "ada@example.org".to_owned());
    db.patch(Account::by_name("eve")).email_from(old, new.clone()).await.unwrap();

    let refused = db.patch(Account::by_name("ada")).email_from(ada.email.clone(), new).await;
    assert!(is_taken(&refused, "email"), "{refused:?}");
}

#[tokio::test]
async fn a_transaction_takes_it_unless_it_is_sent_under_a_token() {
    let db = expired("ada", "ada@example.org").await;
    let eve = account("eve", "ada@example.org");
    let transaction = || db.transaction::<()>().create(&eve);
    match transaction().token("t").await {
        Err(TransactError::Refused(refusal)) => assert!(refusal.taken.is_some()),
        other => panic!("{other:?}"),
    }
    transaction().await.unwrap();
    let owner = Account::by_name("eve").to_item().unwrap();
    match db.create(&account("bob", "ada@example.org")).await {
        Err(WriteError::Taken { by, .. }) => assert_eq!(by, Some(owner)),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_owner_that_this_entity_cannot_read_keeps_its_value() {
    let db = expired("ada", "ada@example.org").await;
    // Another kind of item lies where the owner was.
    let mut item = Account::by_name("ada").to_item().unwrap();
    item.insert("type".to_owned(), Value::from("Robot"));
    let put = monotable::backend::PutItem {
        table: "app".into(),
        item,
        condition: None,
        names: Default::default(),
        values: Default::default(),
        returns: Default::default(),
        item_on_failure: false,
        capacity: Default::default(),
    };
    db.backend().put_item(put).await.unwrap();
    let refused = db.create(&account("eve", "ada@example.org")).await;
    assert!(is_taken(&refused, "email"), "{refused:?}");
}
