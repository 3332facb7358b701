//! What can happen next, and what must never be.

use stateright::{Model, Property};

use crate::job::{Held, Job, Piece, claim, needed};
use crate::locks::{are_free, is_lease_free};
use crate::request::{Request, Wish};
use crate::state::{Budget, ITEMS, JobName, Owner, State, Status};

/// A rule that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Writes do not compare the version of the table.
    NoFence,
    /// Writes compare it, but do not hold the record.
    RecordNotShared,
    /// Writes do not hold the note of how far an index is filled.
    NoteNotShared,
    /// The filling does not lock the note.
    NoteNotLocked,
    /// Jobs do not compare the lease.
    NoLeaseCheck,
    /// Jobs compare it, but do not hold it.
    LeaseNotShared,
    /// Reads do not compare the version of the table.
    UncheckedReads,
}

/// What becomes of a transaction whose session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// It is undone.
    Undone,
    /// It is committed, and nobody hears of it.
    Committed,
}

/// A step of one server, or of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A server checks a request, locks and reads.
    Begin(usize, Wish),
    /// It decides, commits and answers.
    Answer(usize),
    /// The session of its request ends.
    LoseRequest(usize, Loss),
    /// It reads the record again.
    Reload(usize),
    /// It asks its index, if it knows of one that is active.
    Query(usize),
    /// It takes on a job.
    Take(usize, JobName),
    /// It puts off the end of its lease, or learns that it has none.
    Keep(usize),
    /// It looks at how far its job is.
    Look(usize),
    /// It locks and reads for a piece of its job.
    BeginPiece(usize),
    /// It decides and commits the piece.
    EndPiece(usize),
    /// The session of its job ends.
    LosePiece(usize, Loss),
    /// It dies.
    Crash(usize),
    /// It is started again.
    Restart(usize),
    /// The time of a lease passes.
    Expire(JobName),
    /// A lease that is over is forgotten.
    Forget(JobName),
}

/// The model.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// How often things happen.
    pub budget: Budget,
    /// The rule that is left out.
    pub mistake: Option<Mistake>,
}

/// The names of what must hold in every state.
pub mod rule {
    /// Whoever asks an active index gets the items of the table.
    pub const ACTIVE: &str = "an index that is active is the table";
    /// Also while it is filled.
    pub const FILLED: &str = "an index that is being filled holds the items up to its note";
    /// Nothing writes to an index that is gone.
    pub const REMOVED: &str = "nothing is left of an index that was removed";
    /// Each write is checked against the version that is in force.
    pub const FENCE: &str = "no write is committed under another version of the table";
    /// However long the holder was paused.
    pub const LEASE: &str = "no job is gone on with under a lease that was lost";
    /// On any server, whatever it remembers.
    pub const QUERY: &str = "a query is answered with the table or not at all";
}

impl Model for Protocol {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::new(self.budget)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for server in 0..state.servers.len() {
            self.actions_of(state, server, actions);
        }
        for (name, lease) in &state.leases {
            if lease.is_over {
                actions.push(Action::Forget(*name));
            } else if state.budget.expiries > 0 {
                actions.push(Action::Expire(*name));
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        self.step(&mut state, action)?;
        (state != *last).then(|| state.in_order())
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(rule::ACTIVE, |_, state: &State| {
                let active = state.record.index_that_is(Status::Active);
                active.is_none_or(|index| state.holds_exactly(index, ITEMS))
            }),
            Property::always(rule::FILLED, |_, state: &State| {
                let filling = state.record.index_that_is(Status::Creating);
                filling.is_none_or(|index| state.holds_exactly(index, state.filled(index)))
            }),
            Property::always(rule::REMOVED, |_, state: &State| {
                let index = state.record.index.map(|index| index.id);
                state.entries.iter().all(|entry| Some(entry.index) == index)
            }),
            Property::always(rule::FENCE, |_, state: &State| !state.breaches.stale_write),
            Property::always(rule::LEASE, |_, state: &State| !state.breaches.stale_job),
            Property::always(rule::QUERY, |_, state: &State| !state.breaches.torn_query),
            Property::sometimes("an index becomes active", |_, state: &State| {
                state.record.index_that_is(Status::Active).is_some()
            }),
            Property::sometimes("an index is removed", |_, state: &State| {
                state.record.index.is_none() && state.record.next_index > 1
            }),
            Property::sometimes("a job is taken over", |_, state: &State| {
                state.leases.values().any(|lease| lease.epoch > 1)
            }),
        ]
    }
}

impl Protocol {
    fn actions_of(&self, state: &State, server: usize, actions: &mut Vec<Action>) {
        let Some(it) = state.servers.get(server) else { return };
        if !it.is_up {
            actions.push(Action::Restart(server));
            return;
        }
        if state.budget.crashes > 0 {
            actions.push(Action::Crash(server));
        }
        if it.cache != state.record {
            actions.push(Action::Reload(server));
        }
        if it.cache.index_that_is(Status::Active).is_some() {
            actions.push(Action::Query(server));
        }
        match &it.request {
            None => actions.extend(self.wishes(state, server)),
            Some(_) => {
                actions.push(Action::Answer(server));
                self.push_losses(state, actions, |loss| Action::LoseRequest(server, loss));
            }
        }
        match it.job.as_ref().map(|job| &job.held) {
            None => {
                actions.extend(needed(&it.cache).map(|name| Action::Take(server, name)));
            }
            Some(Held::Nothing) => actions.extend([Action::Keep(server), Action::Look(server)]),
            Some(Held::Known(_)) => actions.push(Action::BeginPiece(server)),
            Some(Held::Locks { .. }) => {
                actions.push(Action::EndPiece(server));
                self.push_losses(state, actions, |loss| Action::LosePiece(server, loss));
            }
        }
    }

    fn push_losses(&self, state: &State, actions: &mut Vec<Action>, lose: impl Fn(Loss) -> Action) {
        if state.budget.losses > 0 {
            actions.extend([Loss::Undone, Loss::Committed].map(lose));
        }
    }

    fn wishes(&self, state: &State, server: usize) -> Vec<Action> {
        let budget = state.budget;
        let mut wishes = Vec::new();
        if budget.writes > 0 {
            // Each write has a value of its own.
            let value = budget.writes;
            wishes.extend((0..ITEMS).map(|item| Wish::Write { item, value }));
        }
        let known = state.servers.get(server).and_then(|server| server.cache.index);
        match known.map(|index| index.status) {
            None if budget.additions > 0 => wishes.push(Wish::AddIndex),
            Some(Status::Active | Status::Creating) if budget.removals > 0 => {
                wishes.push(Wish::RemoveIndex);
            }
            Some(Status::Active | Status::Creating | Status::Deleting) | None => {}
        }
        wishes.into_iter().map(|wish| Action::Begin(server, wish)).collect()
    }

    /// Does a step. Gives nothing if it cannot be done now.
    fn step(&self, state: &mut State, action: Action) -> Option<()> {
        match action {
            Action::Begin(server, wish) => self.begin(state, server, wish),
            Action::Answer(server) => {
                let request = state.servers.get_mut(server)?.request.take()?;
                request.commit(state, self.mistake);
                // Whether it was committed or refused, the server learns what is in force.
                state.servers.get_mut(server)?.cache = state.record;
                Some(())
            }
            Action::LoseRequest(server, loss) => {
                state.budget.losses -= 1;
                let request = state.servers.get_mut(server)?.request.take()?;
                if loss == Loss::Committed {
                    request.commit(state, self.mistake);
                }
                Some(())
            }
            Action::Reload(server) => {
                state.servers.get_mut(server)?.cache = state.record;
                Some(())
            }
            Action::Query(server) => self.query(state, server),
            Action::Take(server, name) => take(state, server, name),
            Action::Keep(server) => keep(state, server),
            Action::Look(server) => {
                let job = state.servers.get(server)?.job.as_ref()?;
                let piece = job.look(state);
                state.servers.get_mut(server)?.job.as_mut()?.held = Held::Known(piece);
                Some(())
            }
            Action::BeginPiece(server) => self.begin_piece(state, server),
            Action::EndPiece(server) => self.end_piece(state, server),
            Action::LosePiece(server, loss) => {
                state.budget.losses -= 1;
                let it = state.servers.get_mut(server)?;
                let (owner, job) = (it.owner, it.job.take()?);
                if loss == Loss::Committed {
                    job.commit(state, owner, self.mistake);
                }
                Some(())
            }
            Action::Crash(server) => {
                state.budget.crashes -= 1;
                let it = state.servers.get_mut(server)?;
                it.is_up = false;
                it.request = None;
                it.job = None;
                Some(())
            }
            Action::Restart(server) => {
                let record = state.record;
                let it = state.servers.get_mut(server)?;
                it.is_up = true;
                it.owner.life += 1;
                it.cache = record;
                Some(())
            }
            Action::Expire(name) => {
                state.budget.expiries -= 1;
                state.leases.get_mut(&name)?.is_over = true;
                Some(())
            }
            Action::Forget(name) => {
                // It locks the lease, as taking it over does.
                if !is_lease_free(state, name) {
                    return None;
                }
                state.leases.remove(&name).map(|_| ())
            }
        }
    }

    fn begin(&self, state: &mut State, server: usize, wish: Wish) -> Option<()> {
        let checked = state.servers.get(server)?.cache;
        let request = Request::begin(state, wish, checked, self.mistake);
        if !are_free(state, &request.locks) {
            return None;
        }
        match wish {
            Wish::Write { .. } => state.budget.writes -= 1,
            Wish::AddIndex => state.budget.additions -= 1,
            Wish::RemoveIndex => state.budget.removals -= 1,
        }
        state.servers.get_mut(server)?.request = Some(request);
        Some(())
    }

    fn query(&self, state: &mut State, server: usize) -> Option<()> {
        let cache = state.servers.get(server)?.cache;
        let index = cache.index_that_is(Status::Active)?;
        let stands = cache.version == state.record.version;
        if stands || self.mistake == Some(Mistake::UncheckedReads) {
            state.breaches.torn_query |= !state.holds_exactly(index, ITEMS);
        } else {
            state.servers.get_mut(server)?.cache = state.record;
        }
        Some(())
    }

    fn begin_piece(&self, state: &mut State, server: usize) -> Option<()> {
        let it = state.servers.get(server)?;
        let job = it.job.as_ref()?;
        let Held::Known(piece) = job.held else { return None };
        let locks = job.locks(piece, self.mistake);
        if !are_free(state, &locks) {
            return None;
        }
        let held = job.begin(state, it.owner, piece, locks);
        state.servers.get_mut(server)?.job.as_mut()?.held = held;
        Some(())
    }

    fn end_piece(&self, state: &mut State, server: usize) -> Option<()> {
        let it = state.servers.get_mut(server)?;
        let (owner, mut job) = (it.owner, it.job.take()?);
        let Held::Locks { piece, .. } = job.held else { return None };
        let stood = job.commit(state, owner, self.mistake);
        if piece == Piece::GiveBack {
            return Some(());
        }
        job.held = Held::Nothing;
        job.is_done = stood && matches!(piece, Piece::Activate | Piece::Unlist);
        if !stood {
            // It goes on with what the record says now, if that still asks for the job.
            job.is_done = needed(&state.record) != Some(job.name);
            job.checked = state.record;
        }
        let it = state.servers.get_mut(server)?;
        it.cache = state.record;
        it.job = Some(job);
        Some(())
    }
}

fn take(state: &mut State, server: usize, name: JobName) -> Option<()> {
    let it = state.servers.get(server)?;
    if !is_lease_free(state, name) {
        return None;
    }
    let (owner, checked): (Owner, _) = (it.owner, it.cache);
    let lease = claim(state.leases.get(&name), owner)?;
    state.leases.insert(name, lease);
    state.servers.get_mut(server)?.job = Some(Job::new(name, lease.epoch, checked));
    Some(())
}

fn keep(state: &mut State, server: usize) -> Option<()> {
    let it = state.servers.get(server)?;
    let (owner, job) = (it.owner, it.job.as_ref()?);
    let (name, epoch) = (job.name, job.epoch);
    if state.stands(name, owner, epoch) {
        return is_lease_free(state, name)
            .then(|| state.leases.entry(name).and_modify(|lease| lease.is_over = false))
            .map(drop);
    }
    state.servers.get_mut(server)?.job = None;
    Some(())
}
