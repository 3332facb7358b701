//! What a call was about, for whoever counts, logs or traces calls.
//!
//! An operation finds out deep inside which tables it is about, what it consumes and how many items
//! it touches. Passing that back through every function would put it into the way of what they are
//! for. So an [`Observation`] lies beside the call while that is polled: [`observe`] lays it there
//! before each poll and takes it away after it, and operations note what they find. Where nobody
//! observes, notes go nowhere.
//!
//! An observation holds names and numbers, and never a value of an item. It lies behind a pointer,
//! since it is laid down and taken away with each poll and copying it would cost more than a note.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use monotable_database::capacity::{Consumed, HalfUnits};
use monotable_database::schema::TableSchema;
use monotable_observe::{Attribution, FittingMembers};
use pin_project_lite::pin_project;

use crate::error::Code;

/// What was noted of one call.
#[derive(Debug, Default)]
pub struct Observation {
    /// The first table. Most calls are about one, which takes no list.
    table: Option<ObservedTable>,
    /// All further ones.
    more_tables: Vec<ObservedTable>,
    /// Why the call was refused, if it was.
    pub error: Option<Code>,
    /// How many items were returned or written, where the operation says so.
    pub items: Option<u64>,
    /// How many items were read, of which the others were thrown away.
    pub evaluated: Option<u64>,
    /// What the call is in the model of its table.
    pub attributions: Attributions,
    /// Whether a write was one of before, and was charged as a read.
    pub is_replay: bool,
    /// Whether it was refused because it met limits of throughput, whatever its error is called.
    pub is_throttled: bool,
}

/// What a call is in the model of its table.
#[derive(Debug, Default)]
pub enum Attributions {
    /// No model has its table.
    #[default]
    None,
    /// It is one request.
    Whole(Attribution),
    /// It has statements that are requests of their own.
    Statements(Vec<AttributedStatement>),
}

/// A statement of a call, and how it ended.
#[derive(Debug)]
pub struct AttributedStatement {
    /// What it is in the model of its table.
    pub attribution: Attribution,
    /// How it ended; none if it has not.
    pub ended: Option<EndedStatement>,
}

/// How a statement of a call ended.
#[derive(Debug, Clone, Copy)]
pub struct EndedStatement {
    /// What it consumed.
    pub units: HalfUnits,
    /// How many items it returned or wrote.
    pub items: u64,
    /// Why it was refused, if it was.
    pub error: Option<Code>,
}

impl Attributions {
    /// Notes what the call is, or the next statement of it. One that is tried again is noted again.
    fn add(&mut self, attribution: Attribution) {
        match self {
            Attributions::None | Attributions::Whole(_) => {
                *self = Attributions::Whole(attribution);
            }
            Attributions::Statements(statements) => {
                statements.pop_if(|last| last.ended.is_none());
                statements.push(AttributedStatement { attribution, ended: None });
            }
        }
    }

    /// Notes how the statement ended that was noted last.
    fn end_statement(&mut self, ended: EndedStatement) {
        *self = match std::mem::take(self) {
            Attributions::None => Attributions::None,
            Attributions::Whole(attribution) => {
                let statement = AttributedStatement { attribution, ended: Some(ended) };
                Attributions::Statements(vec![statement])
            }
            Attributions::Statements(mut statements) => {
                if let Some(last) = statements.last_mut().filter(|last| last.ended.is_none()) {
                    last.ended = Some(ended);
                }
                Attributions::Statements(statements)
            }
        };
    }
}

/// A table that a call was about.
#[derive(Debug)]
pub struct ObservedTable {
    name: ObservedName,
    /// What the call consumed there.
    pub consumed: Consumed,
}

/// How a table is known.
#[derive(Debug)]
enum ObservedName {
    Table(Arc<TableSchema>),
    /// It may be gone, but for its stream.
    OfStream(String),
}

impl ObservedTable {
    /// The name of the table.
    pub fn name(&self) -> &str {
        match &self.name {
            ObservedName::Table(schema) => &schema.name,
            ObservedName::OfStream(name) => name,
        }
    }

    /// What the table is, if it is there.
    pub fn schema(&self) -> Option<&Arc<TableSchema>> {
        match &self.name {
            ObservedName::Table(schema) => Some(schema),
            ObservedName::OfStream(_) => None,
        }
    }
}

impl Observation {
    /// The tables that the call was about, each once.
    pub fn tables(&self) -> impl Iterator<Item = &ObservedTable> {
        self.table.iter().chain(&self.more_tables)
    }

    fn add(&mut self, name: ObservedName) {
        let table = ObservedTable { name, consumed: Consumed::default() };
        match &self.table {
            None => self.table = Some(table),
            Some(_) => self.more_tables.push(table),
        }
    }

    fn find(&mut self, schema: &TableSchema) -> Option<&mut ObservedTable> {
        let is_it =
            |table: &&mut ObservedTable| table.schema().is_some_and(|known| known.id == schema.id);
        self.table.iter_mut().chain(&mut self.more_tables).find(is_it)
    }
}

thread_local! {
    /// The observation of the call that is polled here.
    static CURRENT: RefCell<Option<Box<Observation>>> = const { RefCell::new(None) };
}

/// Runs a call, and gives what was noted of it besides what it gives.
pub fn observe<F: Future>(call: F) -> Observed<F> {
    Observed { call, observation: Some(Box::default()) }
}

pin_project! {
    /// A call that is observed. It is a type of its own because an async function would copy the
    /// call, which is large, once more.
    pub struct Observed<F> {
        #[pin]
        call: F,
        // None while it lies beside the call, and once the call is over.
        observation: Option<Box<Observation>>,
    }
}

impl<F: Future> Future for Observed<F> {
    type Output = (F::Output, Box<Observation>);

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let observed = self.project();
        let laid = Laid::beside(observed.observation);
        let polled = observed.call.poll(context);
        drop(laid);
        polled.map(|output| (output, observed.observation.take().unwrap_or_default()))
    }
}

/// Does something, and gives what was noted meanwhile.
pub fn observe_now<T>(work: impl FnOnce() -> T) -> (T, Box<Observation>) {
    let mut observation = Some(Box::default());
    let laid = Laid::beside(&mut observation);
    let output = work();
    drop(laid);
    (output, observation.unwrap_or_default())
}

/// An observation that lies beside a call that is polled, until this is dropped.
struct Laid<'a> {
    observation: &'a mut Option<Box<Observation>>,
    before: Option<Box<Observation>>,
}

impl Laid<'_> {
    fn beside(observation: &mut Option<Box<Observation>>) -> Laid<'_> {
        let before = CURRENT.replace(observation.take());
        Laid { observation, before }
    }
}

impl Drop for Laid<'_> {
    fn drop(&mut self) {
        *self.observation = CURRENT.replace(self.before.take());
    }
}

fn note(note: impl FnOnce(&mut Observation)) {
    CURRENT.with_borrow_mut(|current| current.as_deref_mut().map(note));
}

/// Notes a table that the call is about. A newer version takes the place of an older one.
pub(crate) fn note_table(schema: &Arc<TableSchema>) {
    note(|observation| match observation.find(schema) {
        Some(known) => known.name = ObservedName::Table(schema.clone()),
        None => observation.add(ObservedName::Table(schema.clone())),
    });
}

/// Notes the table of a stream that the call is about.
pub(crate) fn note_stream(table_name: &str) {
    note(|observation| {
        if !observation.tables().any(|table| table.name() == table_name) {
            observation.add(ObservedName::OfStream(table_name.to_owned()));
        }
    });
}

/// Notes what the call has consumed on a table.
pub(crate) fn note_consumed(schema: &TableSchema, consumed: &Consumed) {
    note(|observation| {
        if let Some(table) = observation.find(schema) {
            table.consumed.absorb(consumed);
        }
    });
}

/// Notes how many items were returned or written.
pub(crate) fn note_items(count: usize) {
    note(|observation| observation.items = Some(count as u64));
}

/// Notes how many items an answer returns, and how many were read for it.
pub(crate) fn note_page(count: usize, evaluated: usize) {
    note(|observation| {
        observation.items = Some(count as u64);
        observation.evaluated = Some(evaluated as u64);
    });
}

/// Finds out what the call is in the model of its table, and notes it. Returns the members whose
/// items fit, if a model has the table.
///
/// It is found out in here because an attribution that is passed on is copied at each step.
#[inline]
pub(crate) fn note_attribution(
    find: impl FnOnce() -> Option<Attribution>,
) -> Option<FittingMembers> {
    CURRENT.with_borrow_mut(|current| {
        let attribution = find()?;
        let fitting = attribution.fitting();
        if let Some(observation) = current {
            observation.attributions.add(attribution);
        }
        Some(fitting)
    })
}

/// Changes what was noted about the call being this or that in the model of its table.
pub(crate) fn revise_attribution(revise: impl FnOnce(&mut Attribution)) {
    note(|observation| {
        if let Attributions::Whole(attribution) = &mut observation.attributions {
            revise(attribution);
        }
    });
}

/// Notes how a statement ended that is one of several of a call.
pub(crate) fn note_statement(ended: EndedStatement) {
    note(|observation| observation.attributions.end_statement(ended));
}

/// Notes that a write was one of before, and is charged as a read.
pub(crate) fn note_replay() {
    note(|observation| observation.is_replay = true);
}

/// Notes that the call is refused because it meets limits of throughput.
pub(crate) fn note_throttled() {
    note(|observation| observation.is_throttled = true);
}

/// Notes why the call is refused.
pub fn note_error(code: Code) {
    note(|observation| observation.error = Some(code));
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    fn block_on<F: Future>(future: F) -> F::Output {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    #[test]
    fn notes_belong_to_the_call_that_is_polled() {
        let call = |items: usize| async move {
            note_items(items);
            tokio::task::yield_now().await;
            note_stream(&format!("table {items}"));
        };
        let observed = block_on(async { tokio::join!(observe(call(1)), observe(call(2))) });
        for (number, ((), observation)) in [(1, observed.0), (2, observed.1)] {
            assert_eq!(observation.items, Some(number));
            let names: Vec<&str> = observation.tables().map(ObservedTable::name).collect();
            assert_eq!(names, [format!("table {number}")]);
        }
    }

    #[test]
    fn a_call_within_a_call_is_observed_apart() {
        let (inner, outer) = block_on(observe(async {
            note_items(1);
            let ((), inner) = observe(async { note_items(2) }).await;
            inner
        }));
        assert_eq!((inner.items, outer.items), (Some(2), Some(1)));
    }

    #[test]
    fn a_panic_leaves_nothing_behind() {
        let panicking = std::panic::AssertUnwindSafe(|| {
            block_on(observe(poll_fn(|_| -> Poll<()> {
                note_items(1);
                panic!("told to panic")
            })))
        });
        assert!(std::panic::catch_unwind(panicking).is_err());
        assert!(CURRENT.with_borrow(Option::is_none));
    }
}
