//! Faults for those who test applications: what they are, and which calls they hit.
//!
//! A [`Fault`] says what happens ([`FaultKind`]) and to which calls ([`Selection`]). It is written
//! as one line, such as `throttle rate=0.1 table=Orders operation=PutItem`, or as the members of an
//! object with the same names ([`document`]). A [`FaultPlan`] holds the faults that are in force
//! and decides, call by call, which of them happen.
//!
//! Decisions are drawn from the seed of the plan, the position of the fault in it, and how many
//! calls the fault has matched before. So the same seed and the same sequence of calls give the
//! same decisions, whatever the time and however many threads there are.
//!
//! The crate is pure: no I/O, no clock, and none of DynamoDB's words.
//!
//! ```text
//! a line of text ─► syntax ──┐
//!                            ├─► setting ─► fault ─► plan, which decides for each call
//! a JSON document ─► document┘              │         by its selection and a draw
//!                                           └ selection
//! ```

pub mod document;

mod draw;
mod error;
mod fault;
mod plan;
mod selection;
mod setting;
mod syntax;

pub use draw::Draw;
pub use error::FaultError;
pub use fault::{Amount, Delay, FailureTime, Fault, FaultKind, Limit};
pub use plan::{FaultPlan, FaultReport, Hit};
pub use selection::{CalledItem, FaultyCall, KeyPattern, Selection};
