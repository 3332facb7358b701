//! Reading a partition into a struct: also of an index, of a span, and with strangers in it.

use monotable::backend::PutItem;
use monotable::prelude::*;
use monotable::{DecodeFault, Value, assert_cost};
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Team, Player))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
pub struct League;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = League)]
#[key(by_name: pk = "TEAM#{name}", sk = "A")]
#[index(Gsi1 by_city: pk = "CITY#{city}", sk = "A#{name}")]
pub struct Team {
    pub name: String,
    pub city: String,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = League)]
#[key(by_team: pk = "TEAM#{team}", sk = "PLAYER#{number:02}")]
#[index(Gsi1 by_city: pk = "CITY#{city}", sk = "PLAYER#{number:02}#{team}")]
pub struct Player {
    pub team: String,
    pub number: u8,
    pub city: String,
}

#[derive(Collection, Debug, PartialEq)]
#[collection(League, pk = "TEAM#{team}")]
pub enum TeamRow {
    Team(Team),
    Player(Player),
}

#[derive(Collection, Debug, PartialEq)]
#[collection(League, index = Gsi1, parts(city: String), pk = "CITY#{city}")]
pub enum CityRow {
    Team(Team),
    Player(Player),
}

#[derive(Gather, Debug, PartialEq)]
#[gather(TeamRow)]
pub struct TeamPage {
    #[one]
    pub team: Team,
    #[many(desc, max = 2)]
    pub last: Vec<Player>,
}

#[derive(Gather, Debug, PartialEq)]
#[gather(CityRow)]
pub struct CityPage {
    #[many]
    pub teams: Vec<Team>,
    #[many]
    pub players: Vec<Player>,
}

#[derive(Gather, Debug, PartialEq)]
#[gather(CityRow)]
pub struct CityNews {
    #[many(desc, max = 1)]
    pub teams: Vec<Team>,
    #[many(desc, max = 2)]
    pub players: Vec<Player>,
}

fn player(number: u8) -> Player {
    Player { team: "red".to_owned(), number, city: "Bonn".to_owned() }
}

async fn league() -> Db<League> {
    let db = League::open("league", Embedded::in_memory());
    db.create_table().await.unwrap();
    db.create(&Team { name: "red".to_owned(), city: "Bonn".to_owned() }).await.unwrap();
    for number in 1..=9 {
        db.create(&player(number)).await.unwrap();
    }
    db
}

fn numbers(players: &[Player]) -> Vec<u8> {
    players.iter().map(|player| player.number).collect()
}

#[tokio::test]
async fn a_partition_of_an_index_is_gathered_from_the_index() {
    let db = league().await;
    let page: CityPage = db.gather(CityRow::of("Bonn")).await.unwrap();
    assert_eq!((page.teams.len(), page.players.len()), (1, 9));
    let news: CityNews = db.gather(CityRow::of("Bonn")).await.unwrap();
    assert_eq!((news.teams.len(), numbers(&news.players)), (1, vec![9, 8]));
}

#[tokio::test]
async fn what_belongs_to_no_member_is_an_error() {
    let db = league().await;
    let mut item = Player::by_team("red").number(10_u8).to_item().unwrap();
    item.insert("type".to_owned(), Value::from("Coach"));
    let put = PutItem {
        table: "league".into(),
        item,
        condition: None,
        names: Default::default(),
        values: Default::default(),
        returns: Default::default(),
        item_on_failure: false,
        capacity: Default::default(),
    };
    db.backend().put_item(put).await.unwrap();
    match db.gather::<TeamPage>(TeamRow::of("red")).await {
        Err(Error::Decode(error)) => {
            assert_eq!(error.fault, DecodeFault::Foreign { found: Some("Coach".to_owned()) });
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_span_is_gathered_in_both_directions() {
    let db = league().await;
    let page: TeamPage = db.gather(TeamRow::of("red").span()).await.unwrap();
    assert_eq!((page.team.name.as_str(), numbers(&page.last)), ("red", vec![9, 8]));
}

#[tokio::test]
async fn a_partition_is_gathered_consistently_for_twice_the_units() {
    let db = league().await;
    assert_cost!(db, 1.0 RCU, { db.gather::<TeamPage>(TeamRow::of("red")).await.unwrap() });
    assert_cost!(db, 2.0 RCU, {
        db.gather::<TeamPage>(TeamRow::of("red")).consistent().await.unwrap()
    });
}
