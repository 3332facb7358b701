//! What a request is in its model, and counting it there.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::counters::ThreadNumber;
use crate::models::LoadedModel;
use crate::shape::Choice;

/// What a request is in its model.
#[derive(Debug, Clone)]
pub struct Attribution {
    pub(crate) model: Arc<LoadedModel>,
    pub(crate) choice: Choice,
    /// The table or index that it counts with if it is of no pattern or of several: its number
    /// among all of the model.
    pub(crate) part: usize,
    pub(crate) entities: EntityChoices,
    pub(crate) is_write: bool,
    pub(crate) fitting: FittingMembers,
}

/// The entity of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntityChoice {
    /// This one, by its number in the model.
    Known(u16),
    /// One of several.
    Undecided,
    /// None.
    Unknown,
}

/// The entities of a request.
#[derive(Debug, Clone)]
pub(crate) enum EntityChoices {
    /// Those of its pattern.
    OfPattern,
    /// Of one item.
    One(EntityItems),
    /// Of several items.
    Several(Box<[EntityItems]>),
}

/// Items of a request that have the same entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EntityItems {
    pub(crate) choice: EntityChoice,
    pub(crate) count: u32,
    /// The bytes of those that are put whole; 0 if they are not.
    pub(crate) put_bytes: u64,
}

/// The members of a request that put items which were looked at and are of the model. Only so many
/// members are looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FittingMembers(u64);

impl FittingMembers {
    /// Returns whether a member is one of them.
    pub fn has(self, member: usize) -> bool {
        let bits = u32::try_from(member).ok().and_then(|member| self.0.checked_shr(member));
        bits.is_some_and(|bits| bits & 1 == 1)
    }

    /// Returns whether a member is among those that are looked at.
    #[inline]
    pub(crate) fn covers(member: usize) -> bool {
        member < u64::BITS as usize
    }

    /// Adds a member that is looked at.
    #[inline]
    pub(crate) fn add(&mut self, member: usize) {
        debug_assert!(FittingMembers::covers(member), "only the first members are looked at");
        self.0 |= 1 << member;
    }
}

/// How a request ended.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// What it consumed, in half units.
    pub halves: u64,
    /// How many items were returned or written.
    pub items: u64,
    /// How many items were read.
    pub evaluated: u64,
    /// How long it took.
    pub duration: Duration,
    /// Whether it was refused.
    pub refused: Refused,
    /// Whether it was a write of before, and has only read what that wrote.
    pub is_replay: bool,
}

/// Whether a request was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It was not.
    No,
    /// It was throttled.
    Throttled,
    /// It was refused for another reason.
    Otherwise,
}

impl Attribution {
    /// The name of the model.
    pub fn model(&self) -> &str {
        self.model.name()
    }

    /// The pattern, if it is decided.
    pub fn pattern(&self) -> Option<&str> {
        let Choice::Pattern(number) = self.choice else { return None };
        let pattern = self.model.model.patterns.get(usize::from(number));
        pattern.map(|pattern| pattern.name.as_str())
    }

    /// Whether several patterns make such a request.
    pub fn is_undecided(&self) -> bool {
        self.choice == Choice::Undecided
    }

    /// The members that put items of the model.
    pub fn fitting(&self) -> FittingMembers {
        self.fitting
    }

    /// The entities that are decided, one for each item.
    pub fn entities(&self) -> Vec<&str> {
        let name = |choice: &EntityChoice| match choice {
            EntityChoice::Known(number) => {
                let entity = self.model.model.entities.get(usize::from(*number));
                entity.map(|entity| entity.name.as_str())
            }
            EntityChoice::Undecided | EntityChoice::Unknown => None,
        };
        match &self.entities {
            EntityChoices::OfPattern => {
                let Choice::Pattern(number) = self.choice else { return Vec::new() };
                let pattern = self.model.model.patterns.get(usize::from(number));
                pattern.iter().flat_map(|pattern| pattern.all_entities()).collect()
            }
            EntityChoices::One(items) => name(&items.choice).into_iter().collect(),
            EntityChoices::Several(all) => {
                let named =
                    all.iter().filter_map(|items| Some((name(&items.choice)?, items.count)));
                named.flat_map(|(name, count)| (0..count).map(move |_| name)).collect()
            }
        }
    }

    /// Counts the request, which has ended.
    pub fn count(&self, outcome: &Outcome) {
        let thread = ThreadNumber::own();
        let writes = self.is_write && !outcome.is_replay;
        if let Some(counter) = self.model.patterns.of_thread(thread, self.pattern_place()) {
            counter.count(outcome, writes);
        }
        let items: &[EntityItems] = match &self.entities {
            EntityChoices::OfPattern => &[],
            EntityChoices::One(items) => std::slice::from_ref(items),
            EntityChoices::Several(all) => all,
        };
        let is_done = outcome.refused == Refused::No;
        items.iter().for_each(|items| self.count_entity(items, writes, is_done, thread));
    }

    /// The same request with the entities of another one: of the members that are done.
    pub fn take_entities_of(&mut self, done: Attribution) {
        self.entities = done.entities;
    }

    /// The same request, none of whose members is done.
    pub fn take_no_entities(&mut self) {
        self.entities = EntityChoices::Several(Box::default());
    }

    fn pattern_place(&self) -> usize {
        match self.choice {
            Choice::Pattern(number) => usize::from(number),
            Choice::Undecided => self.model.undecided_place(self.part),
            Choice::Unmatched => self.model.unmatched_place(self.part),
        }
    }

    #[inline]
    fn count_entity(&self, items: &EntityItems, writes: bool, is_done: bool, thread: ThreadNumber) {
        let count = self.model.model.entities.len();
        let place = match items.choice {
            EntityChoice::Known(number) => usize::from(number),
            EntityChoice::Undecided => count,
            EntityChoice::Unknown => count + 1,
        };
        let Some(counter) = self.model.entities.of_thread(thread, place) else { return };
        let number = if writes { &counter.writes } else { &counter.reads };
        number.fetch_add(u64::from(items.count), Ordering::Relaxed);
        if items.put_bytes > 0 && writes && is_done {
            counter.puts.fetch_add(u64::from(items.count), Ordering::Relaxed);
            counter.put_bytes.fetch_add(items.put_bytes, Ordering::Relaxed);
        }
    }
}
