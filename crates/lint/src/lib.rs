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
//!
//! ```text
//! what is looked at
//!   subject                     all that is known, for rules to look at
//!   evidence                    what is known besides the model
//!     export, stored_entity     stored items, and which entity each one is
//!     recording, flow           recorded requests, and those that one piece of code made in a row
//!     request_part, sent_value  what a request is about, item by item and value by value
//!     pages                     queries and scans that were read on
//!     kept                      what the model has in common with the one before it
//! what rules ask of it
//!   key_site, key_range         where templates stand, and which keys they can make
//!   attribute_domain            what is known of the values of an attribute
//!   cardinality, rows_read      how many keys there are, and how much a pattern reads
//!   key_load                    what one partition key has to bear
//!   planned_query, leak         queries with their plans, and items that they read in vain
//!   pattern_write, action_count what patterns write, and how many items at once
//!   family, backfill, consumer  parents with their children; reads that write; readers of streams
//!   expiry, timestamp_shape     when items expire, and dates in texts
//!   condition_shape, comparison what conditions say
//!   update_clause, text_bound   what updates and the bounds of ranges say
//!   expression_fault            what is wrong with the expressions of requests
//! how a finding comes about
//!   rule, rules, topic          what a rule is, the rules, and what they are about
//!   judgement, threshold        which rules run, and where mistakes begin
//!   names                       whether the rules and thresholds that a model names exist
//!   report                      runs the rules and sets aside what the model accepts
//! what becomes of it
//!   request_origin, group       one finding for many that are equal
//!   wording, amount, listing    sentences, numbers and lists in messages
//!   page                        the page of a rule, with its examples
//!   fix                         mends what has one right answer
//!   output                      reports for programs
//! ```

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
pub use fix::{Fixed, fix_span, fixed, is_fixable};
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
