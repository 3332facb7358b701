//! `sharding.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::{Outcome, time};

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Event))]
pub struct Log;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Log)]
#[key(of_day: pk = "DAY#{happened:day}#{shard(id, 4)}", sk = "{happened}#{id}")]
pub struct Event {
    pub happened: Timestamp,
    pub id: String,
    pub text: String,
}

#[tokio::test]
async fn shards_are_written_apart_and_read_as_one() -> Outcome {
    let db = Log::open("log", Embedded::in_memory());
    db.create_table().await?;
    for minute in 0..12 {
        let happened = time(&format!("2026-01-03T12:{minute:02}:00Z"));
        let (id, text) = (format!("e{minute}"), "started".to_owned());
        db.create(&Event { happened, id, text }).await?;
    }
    let day = time("2026-01-03T00:00:00Z");
    // Four queries at once, merged by time. One cursor holds a position for each shard.
    let page = assert_cost!(db, 2.0 RCU, {
        db.query(Event::of_day(day)).desc().exactly(5).await?
    });
    let next = page.next().expect("there are twelve events");
    let rest = db.query(Event::of_day(day)).desc().after(next).exactly(20).await?;
    let ids = |events: &[Event]| events.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(page.rows()), ["e11", "e10", "e9", "e8", "e7"]);
    assert_eq!(ids(rest.rows()), ["e6", "e5", "e4", "e3", "e2", "e1", "e0"]);

    // The id decides on the shard: who knows it reads one item from one partition.
    let key = Event::of_day(day).at(time("2026-01-03T12:03:00Z"), "e3");
    let event = assert_cost!(db, 0.5 RCU, { db.get(key).await? });
    assert_eq!(event.map(|it| it.id), Some("e3".to_owned()));
    Ok(())
}
