//! What goes wrong in a round.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::clock::{rest, until};
use crate::dice::Dice;
use crate::patroni::Cluster;
use crate::proxy::{Healing, Ways};
use crate::servers::{SERVERS, Servers};

/// A lease holds for ten seconds; whoever is paused for longer loses it.
const PAUSE_SECS: (u64, u64) = (11, 16);
/// The database ends the session of a server that is silent in a transaction after five seconds.
const CUT_SECS: (u64, u64) = (4, 18);

/// How long it may take until writes are answered again.
const RECOVERY_LIMIT: Duration = Duration::from_secs(120);

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The leader of the database is killed.
    Leader,
    /// The same, and its connections stay open and silent, as when a machine loses its power.
    SilentLeader,
    /// The same while a server is paused.
    LeaderAndPause,
    /// A server is killed, and started again.
    Kill,
    /// Two of them are.
    KillTwo,
    /// A server is stopped beyond its leases, and goes on.
    Pause,
    /// A server is cut off from the database.
    Cut,
}

impl Fault {
    /// The fault of a round: all kinds in turn, in an order by the seed.
    pub(crate) fn of_round(round: u64, seed: u64) -> Fault {
        let mut kinds = [
            Fault::Leader,
            Fault::Kill,
            Fault::Pause,
            Fault::Cut,
            Fault::SilentLeader,
            Fault::KillTwo,
            Fault::Cut,
            Fault::LeaderAndPause,
            Fault::Kill,
            Fault::Pause,
        ];
        let turn = round / kinds.len() as u64;
        let mut dice = Dice::new(seed ^ (turn << 32));
        for last in (1..kinds.len()).rev() {
            kinds.swap(last, dice.roll(last as u64 + 1) as usize);
        }
        kinds.get((round % kinds.len() as u64) as usize).copied().unwrap_or(Fault::Leader)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Fault::Leader => "database leader killed",
            Fault::SilentLeader => "database leader gone silently",
            Fault::LeaderAndPause => "leader killed, a server paused",
            Fault::Kill => "server killed",
            Fault::KillTwo => "two servers killed",
            Fault::Pause => "server paused beyond its leases",
            Fault::Cut => "server cut off from the database",
        })
    }
}

/// How connections to a machine end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Farewell {
    /// They are closed.
    Noticed,
    /// They stay open, and nothing comes any more.
    Silent,
}

/// What there is to break.
pub(crate) struct Scene<'a> {
    pub(crate) cluster: &'a mut Cluster,
    pub(crate) servers: &'a mut Servers,
    pub(crate) dice: &'a mut Dice,
    /// How many writes have been answered.
    pub(crate) answered: &'a AtomicU64,
}

impl Scene<'_> {
    /// Breaks something and mends it again; writes are answered when this ends.
    pub(crate) fn play(&mut self, fault: Fault) -> Result<()> {
        let server = self.dice.roll(SERVERS as u64) as usize;
        match fault {
            Fault::Leader => self.lose_leader(Farewell::Noticed)?,
            Fault::SilentLeader => self.lose_leader(Farewell::Silent)?,
            Fault::LeaderAndPause => {
                self.servers.signal(server, "STOP")?;
                let lost = self.lose_leader(Farewell::Noticed);
                self.servers.signal(server, "CONT")?;
                lost?;
            }
            Fault::Kill => self.kill(&[server])?,
            Fault::KillTwo => self.kill(&[server, (server + 1) % SERVERS])?,
            Fault::Pause => {
                self.servers.signal(server, "STOP")?;
                self.rest_between(PAUSE_SECS);
                self.servers.signal(server, "CONT")?;
            }
            Fault::Cut => {
                let healing = if self.dice.roll(2) == 0 { Healing::Late } else { Healing::Reset };
                self.servers.proxy(server)?.cut(Ways::All);
                self.rest_between(CUT_SECS);
                self.servers.proxy(server)?.heal(Ways::All, healing);
            }
        }
        self.wait_for_writes()
    }

    /// Kills the leader of the database, and starts it again when the other one has taken over.
    fn lose_leader(&mut self, farewell: Farewell) -> Result<()> {
        let leader = until(RECOVERY_LIMIT, || self.cluster.leader());
        let leader = leader.context("the database has no leader")?;
        if farewell == Farewell::Silent {
            for server in 0..SERVERS {
                self.servers.proxy(server)?.cut(Ways::To(leader));
            }
        }
        self.cluster.kill(leader);
        let other = until(RECOVERY_LIMIT, || self.cluster.leader().filter(|it| *it != leader));
        other.context("no other database becomes the leader")?;
        self.wait_for_writes()?;
        if farewell == Farewell::Silent {
            for server in 0..SERVERS {
                self.servers.proxy(server)?.heal(Ways::To(leader), Healing::Reset);
            }
        }
        self.cluster.restart(leader)
    }

    fn kill(&mut self, servers: &[usize]) -> Result<()> {
        for server in servers {
            self.servers.kill(*server)?;
        }
        rest(Duration::from_millis(self.dice.between(200, 2_000)));
        servers.iter().try_for_each(|server| self.servers.start_one(*server))
    }

    fn rest_between(&mut self, (from, to): (u64, u64)) {
        rest(Duration::from_millis(self.dice.between(from * 1_000, to * 1_000)));
    }

    /// Waits until writes are answered that were not before.
    fn wait_for_writes(&self) -> Result<()> {
        let before = self.answered.load(Ordering::Relaxed);
        let is_answered = || (self.answered.load(Ordering::Relaxed) > before + 20).then_some(());
        until(RECOVERY_LIMIT, is_answered).context("writes are not answered any more")
    }
}
