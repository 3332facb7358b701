//! `hierarchy.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Store))]
pub struct Places;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Places)]
#[key(by_place: pk = "COUNTRY#{country}", sk = "STORE#{state}#{city}#{zip}#{number:05}")]
pub struct Store {
    pub country: String,
    pub state: String,
    pub city: String,
    pub zip: String,
    pub number: u32,
    pub open: bool,
}

fn store(state: &str, city: &str, zip: &str, number: u32) -> Store {
    let [country, state, city, zip] = ["US", state, city, zip].map(str::to_owned);
    Store { country, state, city, zip, number, open: true }
}

#[tokio::test]
async fn every_level_is_a_query() -> Outcome {
    let db = Places::open("places", Embedded::in_memory());
    db.create_table().await?;
    for store in [
        store("FL", "Jacksonville", "32099", 3),
        store("MS", "Jackson", "39201", 2),
        store("MS", "Jackson", "39202", 1),
        store("MS", "Jacksonville", "39999", 4),
    ] {
        db.create(&store).await?;
    }
    let country = db.query(Store::by_place("US")).all().await?;
    let state = db.query(Store::by_place("US").state("MS")).all().await?;
    let city = assert_cost!(db, 0.5 RCU, {
        db.query(Store::by_place("US").state("MS").city("Jackson")).all().await?
    });
    let zips = db.query(Store::by_place("US").state("MS").city("Jackson").zip_begins("392"));
    let one = db.get(Store::by_place("US").at("MS", "Jackson", "39201", 2_u32)).await?;
    let numbers = |stores: &[Store]| stores.iter().map(|it| it.number).collect::<Vec<_>>();
    assert_eq!(numbers(&country), [3, 2, 1, 4]);
    assert_eq!(numbers(&state), [2, 1, 4]);
    assert_eq!(numbers(&city), [2, 1], "and not the one in Jacksonville");
    assert_eq!(numbers(&zips.all().await?), [2, 1]);
    assert_eq!(one.map(|it| it.zip), Some("39201".to_owned()));
    Ok(())
}
