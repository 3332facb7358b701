//! What a request is in its model, and counting it there.

use std::sync::Arc;
use std::time::Duration;

use crate::counters::Counted;
use crate::models::LoadedModel;
use crate::shape::Choice;

/// What a request is in its model.
#[derive(Debug, Clone)]
pub struct Attribution {
    pub(crate) model: Arc<LoadedModel>,
    pub(crate) choice: Choice,
    pub(crate) entities: EntityChoices,
    pub(crate) is_write: bool,
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
    One(EntityChoice),
    /// Of several items.
    Several(Box<[EntityChoice]>),
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
            EntityChoices::One(choice) => name(choice).into_iter().collect(),
            EntityChoices::Several(choices) => choices.iter().filter_map(name).collect(),
        }
    }

    /// Counts the request, which has ended.
    pub fn count(&self, outcome: &Outcome) {
        let halves = |is_counted: bool| if is_counted { outcome.halves } else { 0 };
        let counted = Counted {
            read_halves: halves(!self.is_write),
            write_halves: halves(self.is_write),
            returned: outcome.items,
            evaluated: outcome.evaluated,
            is_error: outcome.refused == Refused::Otherwise,
            is_throttled: outcome.refused == Refused::Throttled,
            duration: outcome.duration,
        };
        if let Some(counter) = self.model.patterns.own(self.pattern_place()) {
            counter.count(&counted);
        }
        match &self.entities {
            EntityChoices::OfPattern => {}
            EntityChoices::One(choice) => self.count_entity(*choice),
            EntityChoices::Several(choices) => {
                choices.iter().for_each(|choice| self.count_entity(*choice));
            }
        }
    }

    fn pattern_place(&self) -> usize {
        let count = self.model.model.patterns.len();
        match self.choice {
            Choice::Pattern(number) => usize::from(number),
            Choice::Undecided => count,
            Choice::Unmatched => count + 1,
        }
    }

    fn count_entity(&self, choice: EntityChoice) {
        let count = self.model.model.entities.len();
        let place = match choice {
            EntityChoice::Known(number) => usize::from(number),
            EntityChoice::Undecided => count,
            EntityChoice::Unknown => count + 1,
        };
        let Some(counter) = self.model.entities.own(place) else { return };
        let number = if self.is_write { &counter.writes } else { &counter.reads };
        number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}
