//! `sorting.md`

use std::time::{Duration, SystemTime};

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Player, Reading))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
#[gsi(Gsi2, pk = "gsi2pk", sk = "gsi2sk")]
pub struct Games;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Games)]
#[key(by_name: pk = "GAME#{game}", sk = "PLAYER#{name}")]
#[index(Gsi1 best: pk = "GAME#{game}", sk = "{score:08}#{name}")]
#[index(Gsi2 latest: pk = "GAME#{game}", sk = "{changed}#{name}")]
pub struct Player {
    pub game: String,
    pub name: String,
    pub score: u32,
    #[attr(touched)]
    pub changed: Timestamp,
}

/// The newest reading lies first in its partition, right after nothing else.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Games)]
#[key(newest: pk = "DEVICE#{device}", sk = "#READING#{number:08:desc}")]
pub struct Reading {
    pub device: String,
    pub number: u32,
}

fn player(name: &str, score: u32) -> Player {
    let changed = Timestamp::from_micros(0).expect("1970 is a year");
    Player { game: "go".to_owned(), name: name.to_owned(), score, changed }
}

#[tokio::test]
async fn what_changes_sorts_in_an_index() -> Outcome {
    let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_441_600);
    let embedded = Embedded::builder().clock_at(start).in_memory();
    let db = Games::open("games", embedded.clone());
    db.create_table().await?;
    for (name, score) in [("ada", 9), ("bob", 10), ("eve", 100)] {
        embedded.clock().advance(Duration::from_secs(1)).await?;
        db.create(&player(name, score)).await?;
    }
    embedded.clock().advance(Duration::from_secs(1)).await?;

    // A score moves its player in the index: the old key goes, a new one comes. `changed` moves
    // with every patch.
    assert_cost!(db, 5.0 WCU, {
        db.patch(Player::by_name("go").name("ada")).score(50_u32).await?
    });
    let best = db.query(Player::best("go")).desc().exactly(2).await?;
    let latest = db.query(Player::latest("go")).desc().first().await?;
    let average = db.query(Player::best("go").score_in(10_u32..=60)).all().await?;
    let names = |players: &[Player]| players.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(best.rows()), ["eve", "ada"]);
    assert_eq!(latest.map(|it| it.name), Some("ada".to_owned()));
    assert_eq!(names(&average), ["bob", "ada"]);

    for number in [1_u32, 9, 10] {
        db.create(&Reading { device: "d".to_owned(), number }).await?;
    }
    let readings = db.query(Reading::newest("d")).all().await?;
    let numbers: Vec<u32> = readings.iter().map(|reading| reading.number).collect();
    assert_eq!(numbers, [10, 9, 1]);
    Ok(())
}
