//! What indexes hold is what the items say, whatever was done to them: after each step of a random
//! history, every index is read and compared with one that is computed from the items in memory.

use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

use monotable::prelude::*;
use monotable_embedded::Embedded;
use proptest::prelude::*;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "_t", entities(Ticket))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
#[gsi(Gsi2, pk = "gsi2pk", sk = "gsi2sk")]
pub struct Desk;

#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    #[key_part("open")]
    Open,
    #[key_part("done")]
    Done,
}

/// One index by parts that may be absent and a condition, one by the time of the last change.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Desk)]
#[key(by_id: pk = "TICKET#{id:02}", sk = "TICKET")]
#[index(
    Gsi1 by_team: pk = "TEAM#{team}", sk = "{urgency:02}#{id:02}", when = "state = 'open'"
)]
#[index(Gsi2 latest: pk = "ALL", sk = "{changed}#{id:02}")]
pub struct Ticket {
    pub id: u8,
    pub team: Option<String>,
    pub urgency: u8,
    pub state: State,
    pub title: String,
    #[attr(touched)]
    pub changed: Timestamp,
}

#[derive(Debug, Clone)]
enum Step {
    Create(u8, Sorting),
    Upsert(u8, Sorting),
    Sort(u8, Sorting),
    Rename(u8, String),
    /// A patch whose condition does not hold.
    Refuse(u8, Sorting),
    Delete(u8),
}

/// What decides where a ticket lies in the first index.
#[derive(Debug, Clone)]
struct Sorting {
    team: Option<String>,
    urgency: u8,
    state: State,
}

const TEAMS: [&str; 3] = ["a", "b#", "b$"];

fn sortings() -> impl Strategy<Value = Sorting> {
    let team = proptest::option::of(0..TEAMS.len());
    (team, 0..4_u8, any::<bool>()).prop_map(|(team, urgency, open)| Sorting {
        team: team.map(|at| TEAMS[at].to_owned()),
        urgency,
        state: if open { State::Open } else { State::Done },
    })
}

fn histories() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..3_u8, sortings()).prop_map(|(id, sorting)| Step::Create(id, sorting)),
        1 => (0..3_u8, sortings()).prop_map(|(id, sorting)| Step::Upsert(id, sorting)),
        3 => (0..3_u8, sortings()).prop_map(|(id, sorting)| Step::Sort(id, sorting)),
        1 => (0..3_u8, "[a-z]{1,3}").prop_map(|(id, title)| Step::Rename(id, title)),
        1 => (0..3_u8, sortings()).prop_map(|(id, sorting)| Step::Refuse(id, sorting)),
        1 => (0..3_u8).prop_map(Step::Delete),
    ];
    proptest::collection::vec(step, 1..16)
}

fn ticket(id: u8, sorting: Sorting, changed: Timestamp) -> Ticket {
    let Sorting { team, urgency, state } = sorting;
    Ticket { id, team, urgency, state, title: "new".to_owned(), changed }
}

fn by_team(sorting: Sorting) -> self::ticket::ByTeam {
    let Sorting { team, urgency, state } = sorting;
    self::ticket::ByTeam { team, urgency, state }
}

/// The tickets that there should be.
#[derive(Default)]
struct Expected(BTreeMap<u8, Ticket>);

impl Expected {
    fn of_team(&self, team: &str) -> Vec<Ticket> {
        let is_in = |it: &&Ticket| it.team.as_deref() == Some(team) && it.state == State::Open;
        let mut tickets: Vec<Ticket> = self.0.values().filter(is_in).cloned().collect();
        tickets.sort_by_key(|it| (it.urgency, it.id));
        tickets
    }

    fn latest(&self) -> Vec<Ticket> {
        let mut tickets: Vec<Ticket> = self.0.values().cloned().collect();
        tickets.sort_by_key(|it| (it.changed, it.id));
        tickets
    }

    /// Does a step to the database and to what is expected of it.
    async fn play(&mut self, db: &Db<Desk>, step: Step, now: Timestamp) {
        match step {
            Step::Create(id, sorting) => {
                let ticket = ticket(id, sorting, now);
                let is_new = !self.0.contains_key(&id);
                assert_eq!(db.create(&ticket).await.is_ok(), is_new);
                self.0.entry(id).or_insert(ticket);
            }
            Step::Upsert(id, sorting) => {
                let ticket = ticket(id, sorting, now);
                db.upsert(&ticket).await.unwrap();
                self.0.insert(id, ticket);
            }
            Step::Sort(id, sorting) => {
                let patch = db.patch(Ticket::by_id(id)).by_team(by_team(sorting.clone()));
                let Ok(ticket) = patch.await else { return assert!(!self.0.contains_key(&id)) };
                let title = self.0[&id].title.clone();
                let expected = Ticket { title, ..self::ticket(id, sorting, now) };
                assert_eq!(ticket, expected);
                self.0.insert(id, expected);
            }
            Step::Rename(id, title) => {
                let patch = db.patch(Ticket::by_id(id)).title(title.as_str());
                let Ok(_) = patch.await else { return assert!(!self.0.contains_key(&id)) };
                let ticket = self.0.get_mut(&id).unwrap();
                (ticket.title, ticket.changed) = (title, now);
            }
            Step::Refuse(id, sorting) => {
                let patch = db.patch(Ticket::by_id(id)).by_team(by_team(sorting));
                assert!(patch.when(Ticket::TITLE.is("none has this")).await.is_err());
            }
            Step::Delete(id) => {
                let removed = db.delete(Ticket::by_id(id)).await.unwrap();
                assert_eq!(removed, self.0.remove(&id));
            }
        }
    }

    async fn check(&self, db: &Db<Desk>) {
        for team in TEAMS {
            let found = db.query(Ticket::by_team(team)).all().await.unwrap();
            assert_eq!(found, self.of_team(team), "team {team}");
        }
        let found = db.query(Ticket::latest()).all().await.unwrap();
        assert_eq!(found, self.latest());
    }
}

async fn run(history: Vec<Step>) {
    let embedded = Embedded::builder().clock_at(UNIX_EPOCH).in_memory();
    let db = Desk::open("desk", embedded.clone());
    db.create_table().await.unwrap();
    let mut expected = Expected::default();
    for (at, step) in history.into_iter().enumerate() {
        embedded.clock().advance(Duration::from_secs(1)).await.unwrap();
        let micros = (i64::try_from(at).unwrap() + 1) * 1_000_000;
        expected.play(&db, step, Timestamp::from_micros(micros).unwrap()).await;
        expected.check(&db).await;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn indexes_hold_what_the_items_say(history in histories()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(run(history));
    }
}
