//! Gathering a collection whose partition is several shards.

use monotable::prelude::*;
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Visit, Remark))]
pub struct Site;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Site)]
#[key(by_page: pk = "PAGE#{page}#{shard(number, 4)}", sk = "VISIT#{number:03}")]
pub struct Visit {
    pub page: String,
    pub number: u32,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Site)]
#[key(by_page: pk = "PAGE#{page}#{shard(number, 4)}", sk = "REMARK#{number:03}")]
pub struct Remark {
    pub page: String,
    pub number: u32,
}

#[derive(Collection, Debug, PartialEq)]
#[collection(Site, pk = "PAGE#{page}#{shard(number, 4)}")]
pub enum PageRow {
    Visit(Visit),
    Remark(Remark),
}

#[derive(Gather, Debug, PartialEq)]
#[gather(PageRow)]
pub struct Whole {
    #[many]
    pub visits: Vec<Visit>,
    #[many]
    pub remarks: Vec<Remark>,
}

#[derive(Gather, Debug, PartialEq)]
#[gather(PageRow)]
pub struct Ends {
    #[many(max = 3)]
    pub first: Vec<Visit>,
    #[many(desc, max = 5)]
    pub last: Vec<Remark>,
}

async fn site() -> Db<Site> {
    let db = Site::open("site", Embedded::in_memory());
    db.create_table().await.unwrap();
    for number in 0..40 {
        db.create(&Visit { page: "/".to_owned(), number }).await.unwrap();
        db.create(&Remark { page: "/".to_owned(), number }).await.unwrap();
    }
    db
}

#[tokio::test]
async fn members_of_all_shards_come_in_one_order() {
    let db = site().await;
    let whole: Whole = db.gather(PageRow::of("/")).await.unwrap();
    let visits: Vec<u32> = whole.visits.iter().map(|it| it.number).collect();
    let remarks: Vec<u32> = whole.remarks.iter().map(|it| it.number).collect();
    assert_eq!(visits, (0..40).collect::<Vec<_>>());
    assert_eq!(remarks, visits);
}

#[tokio::test]
async fn the_first_of_all_shards_are_taken_where_there_is_a_limit() {
    let db = site().await;
    let ends: Ends = db.gather(PageRow::of("/")).await.unwrap();
    let first: Vec<u32> = ends.first.iter().map(|it| it.number).collect();
    let last: Vec<u32> = ends.last.iter().map(|it| it.number).collect();
    assert_eq!((first, last), (vec![0, 1, 2], vec![39, 38, 37, 36, 35]));
}
