//! `sparse-index.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::{Outcome, time};

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Ticket))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
#[gsi(Gsi2, pk = "gsi2pk", sk = "gsi2sk")]
pub struct Desk;

#[derive(KeyPart, Debug, Clone, Copy, PartialEq)]
pub enum State {
    Open,
    Closed,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Desk)]
#[key(by_customer: pk = "CUSTOMER#{customer}", sk = "TICKET#{number:06}")]
#[index(
    Gsi1 open: pk = "OPEN#{customer}", sk = "{number:06}",
    when = "state = 'Open'"
)]
#[index(Gsi2 escalated: pk = "ESCALATED", sk = "{escalated}#{customer}#{number:06}")]
pub struct Ticket {
    pub customer: String,
    pub number: u32,
    pub state: State,
    pub escalated: Option<Timestamp>,
}

#[tokio::test]
async fn an_item_enters_and_leaves_a_sparse_index_with_its_state() -> Outcome {
    let db = Desk::open("desk", Embedded::in_memory());
    db.create_table().await?;
    for number in 1..=40 {
        let state = if number > 38 { State::Open } else { State::Closed };
        let customer = "acme".to_owned();
        db.create(&Ticket { customer, number, state, escalated: None }).await?;
    }
    let key = Ticket::by_customer("acme").number(40_u32);

    let open = assert_cost!(db, 0.5 RCU, { db.query(Ticket::open("acme")).all().await? });
    assert_eq!(open.len(), 2);

    // An absent part keeps an item out of an index, a present one brings it in.
    db.patch(key.clone()).escalated(Some(time("2026-01-03T12:00:00Z"))).await?;
    assert_eq!(db.query(Ticket::escalated()).count().await?, 1);

    // So does the condition. Its keys are removed in the same request.
    assert_cost!(db, 3.0 WCU, { db.patch(key.clone()).state(State::Closed).await? });
    assert_eq!(db.query(Ticket::open("acme")).count().await?, 1);
    db.patch(key).escalated(None).await?;
    assert_eq!(db.query(Ticket::escalated()).count().await?, 0);
    Ok(())
}
