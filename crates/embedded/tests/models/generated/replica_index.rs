//! An index as read replica
//!
//! Tables, entities and access patterns of the model `replica-index`, written by `monotable model
//! export --to rust`.

use monotable::Number;
use monotable::db::{Get, Query};
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(Product,))]
#[gsi(
    Replica,
    name = "Replica",
    pk = "PK": string,
    sk = "SK": string,
    project("Name", "Price"),
)]
pub struct Data;

/// The entity `Product`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_product_id: pk = "PRODUCT#{product_id}", sk = "PRODUCT#{product_id}")]
#[index(Replica by_product_id_in_replica:
    pk = "PRODUCT#{product_id}",
    sk = "PRODUCT#{product_id}",
    view(name, price),
)]
pub struct Product {
    /// The attribute `ProductId`.
    #[attr(name = "ProductId", max_len = 20)]
    pub product_id: String,
    /// The attribute `Name`.
    #[attr(name = "Name", max_len = 100)]
    pub name: Option<String>,
    /// The attribute `Price`.
    #[attr(name = "Price")]
    pub price: Option<Number>,
    /// Not in the index
    #[attr(name = "Manual", max_len = 200000)]
    pub manual: Option<String>,
}

/// Access pattern: short form of a product.
pub fn short_form_of_a_product(
    db: &Db<Data>,
    product_id: &str,
) -> Query<product::ByProductIdInReplica> {
    db.query(Product::by_product_id_in_replica(product_id))
}

/// Access pattern: whole product.
pub fn whole_product(db: &Db<Data>, product_id: &str) -> Get<Product> {
    db.get(Product::by_product_id(product_id))
}
