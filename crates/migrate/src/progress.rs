//! How far a migration has come, for whoever watches.

use std::sync::atomic::{AtomicU64, Ordering};

/// What has been done so far. Counters only grow, and may be read at any time.
#[derive(Debug, Default)]
pub struct Progress {
    scanned: AtomicU64,
    updated: AtomicU64,
    moved: AtomicU64,
    current: AtomicU64,
    foreign: AtomicU64,
    blocked: AtomicU64,
    retried: AtomicU64,
    gone: AtomicU64,
    /// In hundredths, so that parts of units are counted.
    write_units: AtomicU64,
    stage: AtomicU64,
}

/// What is going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Items are taken to their new form.
    Backfill,
    /// Keys are built again and compared.
    Verify,
}

/// The counters at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Counts {
    /// Items that were read, those that the filter kept back included.
    pub scanned: u64,
    /// Items that were updated, or would be.
    pub updated: u64,
    /// Items that got another primary key, or would get one.
    pub moved: u64,
    /// Items that had their new form already.
    pub current: u64,
    /// Items of entities that stay as they are, and of no entity.
    pub foreign: u64,
    /// Items whose new form could not be decided.
    pub blocked: u64,
    /// How often an item had changed when it was to be written, and was read again.
    pub retried: u64,
    /// Items that were deleted by someone else before they could be written.
    pub gone: u64,
    /// Write units that were consumed.
    pub write_units: f64,
}

/// What happened to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Updated,
    Moved,
    Current,
    Foreign,
    Blocked,
    Retried,
    Gone,
}

impl Progress {
    /// Nothing has been done.
    pub fn new() -> Progress {
        Progress::default()
    }

    /// The counters now.
    pub fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let write_units = read(&self.write_units) as f64 / 100.0;
        Counts {
            scanned: read(&self.scanned),
            updated: read(&self.updated),
            moved: read(&self.moved),
            current: read(&self.current),
            foreign: read(&self.foreign),
            blocked: read(&self.blocked),
            retried: read(&self.retried),
            gone: read(&self.gone),
            write_units,
        }
    }

    /// What is going on now.
    pub fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Relaxed) {
            0 => Stage::Backfill,
            _ => Stage::Verify,
        }
    }

    pub(crate) fn begin_verify(&self) {
        self.stage.store(1, Ordering::Relaxed);
        self.scanned.store(0, Ordering::Relaxed);
    }

    pub(crate) fn scanned(&self, items: u64) {
        self.scanned.fetch_add(items, Ordering::Relaxed);
    }

    pub(crate) fn note(&self, event: Event) {
        let counter = match event {
            Event::Updated => &self.updated,
            Event::Moved => &self.moved,
            Event::Current => &self.current,
            Event::Foreign => &self.foreign,
            Event::Blocked => &self.blocked,
            Event::Retried => &self.retried,
            Event::Gone => &self.gone,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn consumed(&self, units: f64) {
        // Units of one answer are small and not below zero.
        let hundredths = (units * 100.0).round() as u64;
        self.write_units.fetch_add(hundredths, Ordering::Relaxed);
    }
}
