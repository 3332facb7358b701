//! Product catalogue with a cache
//!
//! Tables, entities and access patterns of the model `product-catalog-cache`, written by `monotable
//! model export --to rust`.

use monotable::Number;
use monotable::db::Get;
use monotable::prelude::*;

/// The table `ProductCatalog`.
#[derive(Table)]
#[table(name = "ProductCatalog", pk = "Id", entities(Product,))]
pub struct ProductCatalog;

/// The entity `Product`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = ProductCatalog)]
#[key(by_id: pk = "{id}")]
pub struct Product {
    /// The attribute `Id`.
    #[attr(name = "Id", max_len = 40)]
    pub id: String,
    /// The attribute `Description`.
    #[attr(name = "Description", max_len = 2000)]
    pub description: Option<String>,
    /// The attribute `Price`.
    #[attr(name = "Price")]
    pub price: Option<Number>,
}

/// Access pattern: get product.
///
/// Behind the cache: one read after each change, however many ask
pub fn get_product(db: &Db<ProductCatalog>, id: &str) -> Get<Product> {
    db.get(Product::by_id(id))
}

/// Access pattern: change price.
pub fn change_price(
    db: &Db<ProductCatalog>,
    id: &str,
    price: Number,
) -> product::Patch<Db<ProductCatalog>> {
    db.patch(Product::by_id(id)).price(price)
}
