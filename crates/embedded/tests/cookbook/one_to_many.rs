//! `one-to-many.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::{Outcome, time};

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Customer, Order))]
pub struct Shop;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(by_id: pk = "CUSTOMER#{id}", sk = "CUSTOMER")]
pub struct Customer {
    pub id: String,
    pub name: String,
    pub phones: Vec<String>,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(by_customer: pk = "CUSTOMER#{customer}", sk = "ORDER#{placed}#{number:06}")]
pub struct Order {
    pub customer: String,
    pub placed: Timestamp,
    pub number: u32,
    pub total: u64,
}

#[derive(Collection, Debug, PartialEq)]
#[collection(Shop, pk = "CUSTOMER#{customer}")]
pub enum CustomerRow {
    Customer(Customer),
    Order(Order),
}

#[derive(Gather, Debug, PartialEq)]
#[gather(CustomerRow)]
pub struct CustomerPage {
    #[one]
    pub customer: Option<Customer>,
    #[many(desc, max = 10)]
    pub newest: Vec<Order>,
}

fn order(number: u32, placed: &str) -> Order {
    Order { customer: "ada".to_owned(), placed: time(placed), number, total: 100 }
}

#[tokio::test]
async fn a_parent_and_its_children_are_one_partition() -> Outcome {
    let db = Shop::open("shop", Embedded::in_memory());
    db.create_table().await?;
    let ada = Customer { id: "ada".to_owned(), name: "Ada".to_owned(), phones: Vec::new() };
    let (first, second) = (order(1, "2026-01-03T12:00:00Z"), order(2, "2026-02-01T08:00:00Z"));

    db.create(&ada).await?;
    db.create(&first).await?;
    assert_cost!(db, 1.0 WCU, { db.create(&second).await? });

    // The children alone, one of them, and those of a month.
    let all = db.query(Order::by_customer("ada")).desc().all().await?;
    let one = db.get(Order::by_customer("ada").at(first.placed, 1_u32)).await?;
    let january = db.query(Order::by_customer("ada").placed_begins("2026-01")).all().await?;

    // The parent and its newest children.
    let page: CustomerPage =
        assert_cost!(db, 1.0 RCU, { db.gather(CustomerRow::of("ada")).await? });

    // Everything there is, as rows of an enum.
    let rows = assert_cost!(db, 0.5 RCU, { db.query(CustomerRow::of("ada")).all().await? });
    assert_eq!(all, [second.clone(), first.clone()]);
    assert_eq!(one, Some(first.clone()));
    assert_eq!(january, std::slice::from_ref(&first));
    assert_eq!(page.newest, [second.clone(), first.clone()]);
    assert_eq!(page.customer, Some(ada.clone()));
    assert_eq!(
        rows,
        [CustomerRow::Customer(ada), CustomerRow::Order(first), CustomerRow::Order(second)]
    );
    Ok(())
}
