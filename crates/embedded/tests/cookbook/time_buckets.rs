//! `time-buckets.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::{Outcome, time};

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Reading))]
pub struct Sensors;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Sensors)]
#[key(of_month: pk = "SENSOR#{sensor}#{taken:month}", sk = "{taken:time(ms)}")]
pub struct Reading {
    pub sensor: String,
    pub taken: Timestamp,
    pub celsius: i32,
}

/// The newest readings, from this month and as many before it as are needed.
async fn newest(
    db: &Db<Sensors>,
    sensor: &str,
    months: &[Timestamp],
    wanted: usize,
) -> Result<Vec<Reading>, Error> {
    let mut readings = Vec::new();
    for month in months {
        let missing = wanted - readings.len();
        if missing == 0 {
            break;
        }
        let query = db.query(Reading::of_month(sensor, *month)).desc().exactly(missing);
        readings.extend(query.await?);
    }
    Ok(readings)
}

#[tokio::test]
async fn a_bucket_is_a_partition() -> Outcome {
    let db = Sensors::open("sensors", Embedded::in_memory());
    db.create_table().await?;
    for (taken, celsius) in [
        ("2026-01-30T00:00:00Z", -3),
        ("2026-01-31T00:00:00Z", -1),
        ("2026-02-01T00:00:00Z", 4),
        ("2026-02-02T12:00:00Z", 5),
        ("2026-02-03T00:00:00Z", 6),
    ] {
        let sensor = "roof".to_owned();
        db.create(&Reading { sensor, taken: time(taken), celsius }).await?;
    }
    let february = time("2026-02-15T00:00:00Z");
    let january = time("2026-01-15T00:00:00Z");
    let month = db.query(Reading::of_month("roof", february)).all().await?;
    let two_days = time("2026-02-02T00:00:00Z")..time("2026-02-04T00:00:00Z");
    let days = db.query(Reading::of_month("roof", february).taken_in(two_days)).all().await?;
    let last = assert_cost!(db, 1.0 RCU, {
        newest(&db, "roof", &[february, january], 4).await?
    });
    let degrees = |readings: &[Reading]| readings.iter().map(|it| it.celsius).collect::<Vec<_>>();
    assert_eq!(degrees(&month), [4, 5, 6]);
    assert_eq!(degrees(&days), [5, 6]);
    assert_eq!(degrees(&last), [6, 5, 4, -1]);
    Ok(())
}
