//! `filters.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::{Outcome, time};

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Order))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
pub struct Shop;

#[derive(KeyPart, Debug, Clone, Copy, PartialEq)]
pub enum Status {
    Placed,
    Shipped,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(by_customer: pk = "CUSTOMER#{customer}", sk = "ORDER#{placed:time(ms)}")]
#[index(Gsi1 by_status: pk = "CUSTOMER#{customer}", sk = "{status}#{placed:time(ms)}")]
pub struct Order {
    pub customer: String,
    pub placed: Timestamp,
    pub status: Status,
    pub total: u64,
}

#[tokio::test]
async fn what_the_key_says_is_not_read_and_thrown_away() -> Outcome {
    let db = Shop::open("shop", Embedded::in_memory());
    db.create_table().await?;
    for hour in 0..20 {
        let placed = time(&format!("2026-01-{:02}T{hour:02}:00:00Z", 1 + hour));
        let status = if hour < 18 { Status::Shipped } else { Status::Placed };
        let customer = "ada".to_owned();
        db.create(&Order { customer, placed, status, total: 10 * hour }).await?;
    }
    // A status and a range of dates, from the key of an index.
    let first_days = time("2026-01-03T00:00:00Z")..time("2026-01-06T00:00:00Z");
    let shipped = Order::by_status("ada").status(Status::Shipped).placed_in(first_days);
    let shipped = assert_cost!(db, 0.5 RCU, { db.query(shipped).all().await? });
    assert_eq!(shipped.len(), 3);

    // The rest with a filter. It is read and paid for, and a page still has the number asked for.
    let dear = Order::TOTAL.ge(100_u64) & !Order::TOTAL.one_of([120_u64, 130]);
    let page = db.query(Order::by_customer("ada")).filter(dear).exactly(4).await?;
    let totals: Vec<u64> = page.rows().iter().map(|order| order.total).collect();
    assert_eq!(totals, [100, 110, 140, 150]);
    Ok(())
}
