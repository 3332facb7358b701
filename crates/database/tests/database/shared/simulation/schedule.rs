//! Who goes on, who goes away, who dies, and how time passes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use monotable_database::{Clock, Home, ManualClock};
use monotable_storage::Engine;
use tokio::task::JoinHandle;

use super::client::Client;
use super::gate::{Call, Gate};
use super::gated_engine::{GatedEngine, Sharing};
use super::history::{History, Outcome};
use super::plan::{Action, Plan, PlannedChange, PlannedItem, PlannedWrite, TABLES};
use super::recorded_engine::RecordedEngine;
use super::rng::Rng;
use super::server::Server;
use super::verdict;
use crate::support::ids::CountingIds;

const STEPS: usize = 1_600;
const SERVERS_MAX: usize = 4;
const CLIENTS_MAX: usize = 7;
/// So many items in one partition that a backfill takes several steps for them.
const PRELOADED_ITEMS: u64 = 300;
/// A lease that nobody puts off is over after this.
const LEASE: Duration = Duration::from_secs(11);
/// A table's TTL can be changed again after this.
const TTL_REST: Duration = Duration::from_secs(61 * 60);
/// Streams keep records for a day, which a history must not reach.
const TTL_RESTS_MAX: usize = 12;
/// How often everybody gets a turn, at most, before nobody has anything to do.
const TURNS_TO_REST_MAX: usize = 3_000;
/// How often leases run out at the end, so that what the dead left is taken over.
const LAST_ROUNDS: usize = 8;

pub(super) struct Schedule<E: Engine> {
    rng: Rng,
    recorded: Arc<RecordedEngine>,
    engine: Arc<E>,
    gate: Arc<Gate>,
    ids: Arc<CountingIds>,
    history: History,
    servers: Vec<Server<E>>,
    servers_started: usize,
    /// Those that are held up, and until which step.
    paused: BTreeMap<usize, usize>,
    clients: Vec<(usize, JoinHandle<()>)>,
    /// Those that are being closed.
    closing: Vec<(usize, JoinHandle<()>)>,
    ttl_rests: usize,
}

impl<E: Engine> Schedule<E> {
    pub(super) fn new(seed: u64, recorded: Arc<RecordedEngine>, engine: E) -> Schedule<E> {
        Schedule {
            rng: Rng::new(seed),
            recorded,
            engine: Arc::new(engine),
            gate: Gate::new(),
            ids: CountingIds::new(),
            history: History::default(),
            servers: Vec::new(),
            servers_started: 0,
            paused: BTreeMap::new(),
            clients: Vec::new(),
            closing: Vec::new(),
            ttl_rests: 0,
        }
    }

    /// Plays the history to its end and speaks the verdict on it; gives the calls that were made.
    pub(super) fn play(mut self) -> Vec<Call> {
        if self.rng.one_in(3) {
            self.preload();
        }
        for _ in 0..2 + self.rng.index(SERVERS_MAX - 1) {
            self.start_server();
        }
        for step in 0..STEPS {
            self.step(step);
        }
        self.finish()
    }

    /// Plays what these clients do, each through the server at its number, until all of them are
    /// done. Gives how many changes of tables were answered with success.
    pub(super) fn play_plans(&mut self, plans: &[(usize, Plan)]) -> usize {
        while self.servers.len() < 2
            || self.servers.iter().any(|server| server.database().is_none())
        {
            if self.servers.len() < 2 { self.start_server() } else { self.let_one_go() }
        }
        for (at, plan) in plans.iter().cloned() {
            let server = &self.servers[at];
            let client = self.client(server).expect("the database is open");
            let task = server.spawn(async move { client.run(plan).await });
            self.clients.push((server.number, task));
        }
        while self.clients.iter().any(|(_, client)| !client.is_finished()) {
            self.let_one_go();
        }
        self.history.lock().changes.len()
    }

    /// Lets everything come to rest and speaks the verdict; gives the calls that were made.
    pub(super) fn finish(mut self) -> Vec<Call> {
        self.settle();
        self.write_through_all();
        self.rest();
        let failures = std::mem::take(&mut self.history.lock().failures);
        assert!(failures.is_empty(), "{failures:?}");
        verdict::check(&self.recorded, &self.history.lock(), &self.servers);
        self.close_all();
        self.gate.calls()
    }

    fn clock(&self) -> &Arc<ManualClock> {
        &self.recorded.clock
    }

    /// Fills a table through a server that dies then.
    fn preload(&mut self) {
        let gate = Gate::new();
        gate.open();
        let server = self.server(gate);
        while server.database().is_none() {
            server.turn();
        }
        let client = self.client(&server).expect("the database is open");
        let create = PlannedChange::Create { has_stream: true, has_local_index: false };
        server.run(client.run(Plan::Change("c", create)));
        let put = |sk| PlannedWrite {
            target: PlannedItem { table: "c", pk: 0, sk },
            action: Action::Put { group: 1 + sk % 2, n: sk, expires_at_secs: None },
        };
        server.run(client.run(Plan::Transact((10..10 + PRELOADED_ITEMS).map(put).collect())));
    }

    fn server(&mut self, gate: Arc<Gate>) -> Server<E> {
        let number = self.servers_started;
        self.servers_started += 1;
        let recorded = self.recorded.clone();
        Server::start(
            number,
            self.engine.clone(),
            gate,
            recorded,
            self.ids.clone(),
            Sharing::Shared,
        )
    }

    fn start_server(&mut self) {
        let server = self.server(self.gate.clone());
        server.turn();
        self.servers.push(server);
    }

    fn client(&self, server: &Server<E>) -> Option<Client<GatedEngine<E>>> {
        let (database, history) = (server.database()?.clone(), self.history.clone());
        Some(Client { database, history })
    }

    fn step(&mut self, step: usize) {
        self.paused.retain(|_, until| *until > step);
        match self.rng.below(1000) {
            0..700 => self.let_one_go(),
            700..850 => self.start_client(),
            850..880 => self.abandon_client(),
            880..960 => {
                let millis = 1 + self.rng.below(1_500);
                self.advance(Duration::from_millis(millis));
            }
            960..970 => self.advance(LEASE),
            970..976 if self.ttl_rests < TTL_RESTS_MAX => {
                self.ttl_rests += 1;
                self.advance(TTL_REST);
            }
            976..985 => self.pause(step),
            985..992 => self.kill(),
            992..994 => self.close_one(),
            _ if self.servers.len() < SERVERS_MAX => self.start_server(),
            _ => self.let_one_go(),
        }
        self.remove_closed();
    }

    fn let_one_go(&mut self) {
        let mut waiting = self.gate.waiting();
        waiting.retain(|(_, server)| !self.paused.contains_key(server));
        if waiting.is_empty() {
            return self.advance(Duration::from_millis(200));
        }
        let (call, number) = *self.rng.pick(&waiting);
        self.gate.let_go(call);
        let server = self.servers.iter().find(|server| server.number == number);
        server.expect("who waits is alive").turn();
    }

    fn start_client(&mut self) {
        self.clients.retain(|(_, client)| !client.is_finished());
        if self.clients.len() >= CLIENTS_MAX || self.servers.is_empty() {
            return self.let_one_go();
        }
        let plan = Plan::draw(&mut self.rng, self.recorded.clock.now_millis() / 1000);
        let server = self.rng.pick(&self.servers);
        if self.closing.iter().any(|(closing, _)| *closing == server.number) {
            return;
        }
        let Some(client) = self.client(server) else { return };
        let task = server.spawn(async move { client.run(plan).await });
        server.turn();
        self.clients.push((server.number, task));
    }

    fn abandon_client(&mut self) {
        self.clients.retain(|(_, client)| !client.is_finished());
        if !self.clients.is_empty() {
            let at = self.rng.index(self.clients.len());
            let (number, client) = self.clients.swap_remove(at);
            client.abort();
            self.servers.iter().filter(|server| server.number == number).for_each(Server::turn);
        }
    }

    fn advance(&mut self, duration: Duration) {
        self.clock().advance(duration);
        self.servers.iter().for_each(Server::turn);
    }

    fn pause(&mut self, step: usize) {
        if !self.servers.is_empty() {
            let server = self.rng.pick(&self.servers).number;
            let until = step + 20 + self.rng.index(300);
            self.paused.insert(server, until);
        }
    }

    /// Ends a server where it stands.
    fn kill(&mut self) {
        if self.servers.is_empty() {
            return;
        }
        let at = self.rng.index(self.servers.len());
        let dead = self.servers.remove(at).number;
        self.clients.retain(|(server, _)| *server != dead);
        self.closing.retain(|(server, _)| *server != dead);
        if self.servers.is_empty() {
            self.start_server();
        }
    }

    /// Begins to close a server.
    fn close_one(&mut self) {
        let Some(server) = self.servers.last().filter(|_| self.servers.len() > 1) else { return };
        if self.closing.iter().any(|(closing, _)| *closing == server.number) {
            return;
        }
        let Some(database) = server.database().cloned() else { return };
        let closing = server.spawn(async move { database.close().await.expect("it closes") });
        server.turn();
        self.closing.push((server.number, closing));
    }

    /// Servers that are closed have no clients any more.
    fn remove_closed(&mut self) {
        let closing = std::mem::take(&mut self.closing);
        for (number, closing) in closing {
            if closing.is_finished() {
                self.servers.retain(|server| server.number != number);
                self.clients.retain(|(server, _)| *server != number);
            } else {
                self.closing.push((number, closing));
            }
        }
    }

    /// Lets everything come to its end.
    fn settle(&mut self) {
        self.paused.clear();
        self.gate.open();
        self.rest();
        self.remove_closed();
        assert!(self.closing.is_empty(), "a server does not close");
        if self.servers.is_empty() {
            self.start_server();
        }
        for _ in 0..LAST_ROUNDS {
            self.advance(LEASE);
            self.rest();
        }
        for (number, client) in std::mem::take(&mut self.clients) {
            assert!(client.is_finished(), "a client does not come to its end");
            let server = self.servers.iter().find(|server| server.number == number);
            let ended = server.expect("clients go with their server").run(client);
            ended.expect("a client ends well");
        }
    }

    /// Lets everybody go on until nobody has anything to do.
    fn rest(&mut self) {
        let mut quiet_turns = 0;
        for _ in 0..TURNS_TO_REST_MAX {
            let calls = self.gate.call_count();
            self.servers.iter().for_each(Server::turn);
            quiet_turns = if calls == self.gate.call_count() { quiet_turns + 1 } else { 0 };
            if quiet_turns == 3 {
                return;
            }
        }
        panic!("the background work does not end");
    }

    /// Writes to every table through every server: all of them see it as it is.
    fn write_through_all(&mut self) {
        for server in &self.servers {
            let client = self.client(server).expect("the database is open");
            for (table, sk) in TABLES.into_iter().zip(1000..) {
                let stands = server
                    .run(client.database.describe(&Home::default(), table))
                    .unwrap()
                    .is_some();
                let target = PlannedItem { table, pk: server.number as u64, sk };
                let action = Action::Put { group: 1, n: 1, expires_at_secs: None };
                let first = self.history.lock().writes.len();
                server.run(client.run(Plan::Writes(vec![PlannedWrite { target, action }])));
                let is_done =
                    matches!(self.history.lock().writes[first].outcome, Outcome::Done { .. });
                assert_eq!(is_done, stands, "a write to {table} through {}", server.number);
            }
        }
    }

    fn close_all(&mut self) {
        for server in self.servers.drain(..) {
            let database = server.database().expect("the database is open");
            server.run(database.close()).expect("it closes");
        }
    }
}
