//! Sales by country, city, store and date
//!
//! Tables, entities and access patterns of the model `sales-hierarchy`, written by `monotable model
//! export --to rust`.

use monotable::Number;
use monotable::db::Query;
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", type_attr = "TYPE", entities(Sale,))]
pub struct Data;

/// What a store sold in a day
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "SALE")]
#[key(by_country: pk = "SALE#{country:snake}", sk = "{city:snake}#{store}#{date}")]
pub struct Sale {
    /// The attribute `Country`.
    #[attr(name = "Country", max_len = 50)]
    pub country: String,
    /// The attribute `City`.
    #[attr(name = "City", max_len = 50)]
    pub city: String,
    /// Five digits
    #[attr(name = "Store", max_len = 5)]
    pub store: String,
    /// The attribute `Date`.
    #[attr(name = "Date")]
    pub date: String,
    /// The attribute `Sales`.
    #[attr(name = "Sales")]
    pub sales: Number,
}

/// Access pattern: sales of a country.
pub fn sales_of_a_country(db: &Db<Data>, country: &str) -> Query<sale::ByCountry> {
    db.query(Sale::by_country(country))
}

/// Access pattern: sales of a city.
pub fn sales_of_a_city(db: &Db<Data>, country: &str, city: &str) -> Query<sale::ByCountry> {
    db.query(Sale::by_country(country).city(city))
}

/// Access pattern: sales of a store.
pub fn sales_of_a_store(
    db: &Db<Data>,
    country: &str,
    city: &str,
    store: &str,
) -> Query<sale::ByCountry> {
    db.query(Sale::by_country(country).city(city).store(store))
}

/// Access pattern: sales of a store in a year, month or day.
///
/// The beginning of the date: 2020, 2020-09 or 2020-09-22
pub fn sales_of_a_store_in_a_year_month_or_day(
    db: &Db<Data>,
    country: &str,
    city: &str,
    store: &str,
    date: &str,
) -> Query<sale::ByCountry> {
    db.query(Sale::by_country(country).city(city).store(store).date_begins(date))
}

/// Access pattern: sales of a store between two dates.
pub fn sales_of_a_store_between_two_dates(
    db: &Db<Data>,
    country: &str,
    city: &str,
    store: &str,
    from: &str,
    to: &str,
) -> Query<sale::ByCountry> {
    db.query(Sale::by_country(country).city(city).store(store).date_in(from..=to))
}
