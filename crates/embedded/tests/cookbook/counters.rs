//! `counters.md`

use monotable::assert_cost;
use monotable::db::TransactError;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Product, Order))]
pub struct Shop;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(by_sku: pk = "PRODUCT#{sku}", sk = "PRODUCT")]
pub struct Product {
    pub sku: String,
    pub stock: u32,
    pub sold: u32,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(by_id: pk = "ORDER#{id}", sk = "ORDER")]
pub struct Order {
    pub id: String,
    pub skus: Vec<String>,
}

#[derive(Debug, PartialEq)]
pub enum Refused {
    Placed,
    SoldOut { sku: String },
}

/// Takes one of each product and writes the order, or does nothing.
async fn place(db: &Db<Shop>, order: &Order) -> Result<(), TransactError<Refused>> {
    let mut transaction = db.transaction().create(order).or(Refused::Placed);
    for sku in &order.skus {
        let taken = patch(Product::by_sku(sku))
            .stock(sub(1_u32))
            .sold(add(1_u32))
            .when(Product::STOCK.ge(1_u32));
        transaction = transaction.patch(taken).or(Refused::SoldOut { sku: sku.clone() });
    }
    transaction.await
}

#[tokio::test]
async fn stock_never_falls_below_zero() -> Outcome {
    let db = Shop::open("shop", Embedded::in_memory());
    db.create_table().await?;
    for (sku, stock) in [("tea", 5), ("cup", 1)] {
        db.create(&Product { sku: sku.to_owned(), stock, sold: 0 }).await?;
    }
    let order = |id: &str, skus: &[&str]| Order {
        id: id.to_owned(),
        skus: skus.iter().map(|sku| (*sku).to_owned()).collect(),
    };
    assert_cost!(db, 6.0 WCU, { place(&db, &order("o1", &["tea", "cup"])).await? });
    match place(&db, &order("o2", &["tea", "cup"])).await {
        Err(TransactError::Refused(refusal)) => {
            assert_eq!(refusal.error, Some(Refused::SoldOut { sku: "cup".to_owned() }));
        }
        other => panic!("{other:?}"),
    }
    let tea = db.get(Product::by_sku("tea")).await?;
    assert_eq!(tea.map(|it| (it.stock, it.sold)), Some((4, 1)));
    Ok(())
}
