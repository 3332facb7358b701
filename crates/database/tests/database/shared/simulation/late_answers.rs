//! The answer to a change of a table that arrives after the table was deleted does not bring it
//! back, on a store that one database has for itself.

use std::future::Future;
use std::sync::{Arc, OnceLock};

use monotable_database::{Home, TableChange};

use super::gate::Gate;
use super::gated_engine::Sharing;
use super::recorded_engine::RecordedEngine;
use super::server::Server;
use crate::support::ids::CountingIds;
use crate::support::table;

#[test]
fn a_late_answer_to_a_change_does_not_bring_a_table_back() {
    let world = World::new();
    let database = world.server.database().unwrap().clone();
    let definition = || table::table("t", "pk:N").unwrap();
    let first = world.ask({
        let database = database.clone();
        async move { database.create_table(definition()).await.unwrap() }
    });
    let changing = world.begin({
        let database = database.clone();
        async move { database.update_table(&first, protect(false)).await.unwrap() }
    });
    let late = world.hold_back("transacted");
    // Whoever meets the new version reads it anew.
    world.ask({
        let database = database.clone();
        async move {
            let known = database.table(&Home::default(), "t").await.unwrap().unwrap();
            assert!(database.update_table(&known, protect(false)).await.is_err());
            let known = database.table(&Home::default(), "t").await.unwrap().unwrap();
            database.delete_table(&known).await.unwrap();
        }
    });
    world.gate.let_go(late);
    world.play_out(None);
    assert!(changing.get().is_some());
    world.ask(async move {
        assert!(
            database.table(&Home::default(), "t").await.unwrap().is_none(),
            "a table that is gone is back"
        );
        database.create_table(definition()).await.unwrap();
    });
}

fn protect(protection: bool) -> TableChange {
    TableChange { deletion_protection: Some(protection), ..TableChange::default() }
}

struct World {
    gate: Arc<Gate>,
    server: Server<Arc<RecordedEngine>>,
    held_back: OnceLock<usize>,
}

impl World {
    fn new() -> World {
        let (recorded, gate) = (RecordedEngine::new(), Gate::new());
        let (inner, ids) = (Arc::new(recorded.clone()), CountingIds::new());
        let server = Server::start(0, inner, gate.clone(), recorded, ids, Sharing::Alone);
        let world = World { gate, server, held_back: OnceLock::new() };
        world.play_out(None);
        world
    }

    fn begin<T: Send + Sync + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Arc<OnceLock<T>> {
        let answer = Arc::new(OnceLock::new());
        let answered = answer.clone();
        self.server.spawn(async move {
            let _ = answered.set(work.await);
        });
        self.server.turn();
        answer
    }

    /// Does something while what is held back waits.
    fn ask<T: Send + Sync + Clone + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> T {
        let answer = self.begin(work);
        self.play_out(None);
        answer.get().expect("it is answered").clone()
    }

    /// Lets calls go on until one of this name waits, which is held back from here on.
    fn hold_back(&self, name: &str) -> usize {
        let late = self.play_out(Some(name)).expect("there is such a call");
        self.held_back.set(late).expect("one call is held back");
        late
    }

    /// Lets calls go on until none waits, or one of this name does.
    fn play_out(&self, until: Option<&str>) -> Option<usize> {
        loop {
            self.server.turn();
            let mut waiting = self.gate.waiting().into_iter().map(|(call, _)| call);
            let call = waiting.find(|call| self.held_back.get() != Some(call))?;
            if until == Some(self.gate.calls()[call].1) {
                return Some(call);
            }
            self.gate.let_go(call);
        }
    }
}
