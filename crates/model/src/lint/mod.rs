//! The linter: design mistakes, each with why, where and what to do instead.
//!
//! A [`Rule`] is a function from a [`Subject`] to diagnostics, in a file of its own under `rules/`. The subject is all
//! that is known: the model with its plans and costs and, where there are any, stored items, recorded requests and the
//! model as it was before. A rule that needs what is not there finds nothing.
//!
//! Every rule has a page in the guide, `docs/guide/lint/<code>.md`, with a model that has the mistake and one that has
//! not. The page is compiled in, for `--explain`, and its examples are the rule's tests.
//!
//! [`lint`] runs all rules and sets aside what the model allows, with the reason that it gives.

mod action_count;
mod condition_shape;
mod evidence;
mod expression_fault;
mod flow;
mod key_range;
mod page;
mod pages;
mod pattern_write;
mod profile;
mod recording;
mod report;
mod request_part;
mod rows_read;
mod rule;
mod rules;
mod sent_value;
mod subject;
mod threshold;
mod update_clause;
mod wire_value;

pub use evidence::{Evidence, RecordedRequest, StoredItem};
pub use page::{Example, Verdict, examples};
pub use profile::Profile;
pub use recording::{RecordingError, RecordingFault, read_recording};
pub use report::{Accepted, Judgement, Report, lint};
pub use rule::{Rule, Topic};
pub use rules::{rule, rules};
pub use subject::Subject;
pub use threshold::{THRESHOLDS, Threshold, Thresholds};
pub use wire_value::{WireFault, wire_item, wire_value};
