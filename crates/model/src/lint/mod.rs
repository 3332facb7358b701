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

mod amount;
mod backfill;
mod cardinality;
mod comparison;
mod declared_write;
mod evidence;
mod expiry;
mod export;
mod family;
mod index_place;
mod kept;
mod key_load;
mod leak;
mod page;
mod planned_query;
mod profile;
mod report;
mod rule;
mod rules;
mod stored_entity;
mod subject;
mod threshold;

pub use evidence::{Evidence, RecordedRequest, StoredItem};
pub use export::{ExportError, ExportFault, read_export};
pub use page::{Example, Verdict, examples};
pub use profile::Profile;
pub use report::{Accepted, Judgement, Report, lint};
pub use rule::{Rule, Topic};
pub use rules::{rule, rules};
pub use subject::Subject;
pub use threshold::{THRESHOLDS, Threshold, Thresholds};
