//! `idempotency.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Account, Deposit))]
pub struct Bank;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Bank)]
#[key(by_id: pk = "ACCOUNT#{id}", sk = "ACCOUNT")]
pub struct Account {
    pub id: String,
    pub cents: i64,
}

/// One for each message that was worked on.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Bank)]
#[key(of_account: pk = "ACCOUNT#{account}", sk = "DEPOSIT#{message}")]
pub struct Deposit {
    pub account: String,
    pub message: String,
    pub cents: i64,
}

/// What became of a message.
#[derive(Debug, PartialEq)]
pub enum Handled {
    Done,
    DoneBefore,
    NoAccount,
}

/// Works on a message that may be delivered more than once.
async fn handle(db: &Db<Bank>, deposit: &Deposit) -> Result<Handled, Error> {
    use monotable::db::TransactError;

    let outcome = db
        .transaction()
        .create(deposit)
        .or(Handled::DoneBefore)
        .patch(patch(Account::by_id(&deposit.account)).cents(add(deposit.cents)))
        .or(Handled::NoAccount)
        .await;
    match outcome {
        Ok(()) => Ok(Handled::Done),
        Err(TransactError::Refused(refusal)) => Ok(refusal.error.unwrap_or(Handled::NoAccount)),
        Err(TransactError::Failed(error)) => Err(error),
        Err(_) => Err(Error::NotMet { entity: "Deposit" }),
    }
}

#[tokio::test]
async fn a_message_counts_once() -> Outcome {
    let db = Bank::open("bank", Embedded::in_memory());
    db.create_table().await?;
    db.create(&Account { id: "a".to_owned(), cents: 0 }).await?;
    let [account, message] = ["a", "m1"].map(str::to_owned);
    let deposit = Deposit { account, message, cents: 500 };
    assert_eq!(assert_cost!(db, 4.0 WCU, { handle(&db, &deposit).await? }), Handled::Done);
    assert_eq!(handle(&db, &deposit).await?, Handled::DoneBefore);
    let account = db.get(Account::by_id("a")).await?;
    assert_eq!(account.map(|it| it.cents), Some(500));

    // The same call within ten minutes, after an answer that was lost.
    for _attempt in 0..2 {
        let patch = patch(Account::by_id("a")).cents(sub(200_i64));
        db.transaction::<()>().patch(patch).token("withdrawal-17").await?;
    }
    let account = db.get(Account::by_id("a")).await?;
    assert_eq!(account.map(|it| it.cents), Some(300));
    Ok(())
}
