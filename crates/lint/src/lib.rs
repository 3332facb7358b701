//! The linter: design mistakes, each with why, where and what to do instead.
//!
//! A [`Rule`] is a function from a [`Subject`] to diagnostics, in a file of its own under `rules/`.
//! The subject is all that is known: the model with its plans and costs and, where there are any,
//! stored items, recorded requests and the model as it was before. A rule that needs what is not
//! there finds nothing.
//!
//! Every rule has a page, `pages/<code>.md`, with a model that has the mistake and one that has
//! not. The page is compiled in, for `--explain`, its examples are the rule's tests, and the guide
//! has a copy of it. It decides nothing.
//!
//! [`lint`] runs the rules that a [`Judgement`] asks, and sets aside what the model allows, with
//! the reason that it gives. An allowance that accepts nothing is a finding itself.

mod action_count;
mod amount;
mod attribute_domain;
mod backfill;
mod cardinality;
mod comparison;
mod condition_shape;
mod consumer;
mod evidence;
mod expiry;
mod export;
mod expression_fault;
mod family;
mod fix;
mod flow;
mod group;
mod judgement;
mod kept;
mod key_load;
mod key_range;
mod key_site;
mod leak;
mod listing;
mod names;
mod output;
mod page;
mod pages;
mod pattern_write;
mod planned_query;
mod recording;
mod report;
mod request_origin;
mod request_part;
mod rows_read;
mod rule;
mod rules;
mod sent_value;
mod stored_entity;
mod subject;
mod text_bound;
mod threshold;
mod timestamp_shape;
mod topic;
mod update_clause;
mod wording;

pub use evidence::{Evidence, RecordedRequest, StoredItem};
pub use export::{ExportError, ExportFault, read_export};
pub use fix::{Fixed, fix_span, fixed};
pub use group::{FindingGroup, grouped};
pub use judgement::{Judgement, Levels};
pub use names::{check_names, read, read_partly};
pub use output::{render_report_json, render_sarif};
pub use page::{Example, ExampleKind, examples};
pub use recording::{RecordingError, RecordingFault, read_recording};
pub use report::{Accepted, Report, lint};
pub use request_origin::{RequestOrigin, RequestOrigins};
pub use rule::{Basis, Check, Rule, Unused};
pub use rules::{rule, rules};
pub use subject::Subject;
pub use threshold::{THRESHOLDS, Threshold, Thresholds};
pub use topic::Topic;
