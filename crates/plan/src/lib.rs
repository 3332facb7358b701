//! How the access patterns of a model are served, what they cost, and what a run of one asks for.
//!
//! [`plan`] takes a pattern to the table or index that serves it best, with its key condition, or
//! to the reasons of every candidate. It works before there are values: keys are [`KeyText`]s,
//! literals with values that will be put in, and can be compared as far as that is decided.
//! `docs/design/0009-planning.md` says how candidates are found and ranked.
//!
//! ```text
//! planning                        the way in: from a pattern to its plan
//! what is known before there are values
//!   bindings                      of the attributes of an entity
//!   key_text, order, interval     keys as texts, their order, and ranges of them
//!   partition, collection         which partition is asked, and what lies in it
//!   colocated_entity              the entities that lie there besides
//!   period, period_table          ranges of time in keys, and tables for each period
//! a read
//!   query ─► candidate            every table or index that could serve, and the best of them
//!     route, sparseness           the table or index, and whether it holds all that is wanted
//!     wanted_group                entities that one query can return together
//!     sort_key ─► selection ─► sort_condition   the part of the partition that is read
//!     filter_remainder            what the key condition leaves to a filter
//!     reason                      why a candidate does not serve, or does not serve well
//!   item_key                      requests by a whole key
//! a write, or several actions
//!   derived                       keys of indexes that change with an update
//!   group, action_shape           batches, transactions and steps
//! the plan
//!   answer, request_plan          the plan of a pattern, and its requests up to values
//!   fill, request                 values for parameters, and the requests with them put in
//!   text, diagnosis, suggestion   plans in words, what is wrong, and the indexes that would help
//! ```
//!
//! Two modules build on plans: [`cost`] is what they consume and come to in a month, by the price
//! files in `prices/`, and [`run`] takes the arguments of one run to its requests.

pub mod cost;
pub mod run;

mod action_shape;
mod answer;
mod bindings;
mod candidate;
mod collection;
mod colocated_entity;
mod derived;
mod diagnosis;
mod fill;
mod filter_remainder;
mod group;
mod interval;
mod item_key;
mod key_text;
mod order;
mod partition;
mod period;
mod period_table;
mod planning;
mod query;
mod reason;
mod request;
mod request_plan;
mod route;
mod selection;
mod sort_condition;
mod sort_key;
mod sparseness;
mod suggestion;
mod text;
mod wanted_group;

pub use action_shape::ActionShape;
pub use answer::{Plan, Shortfall, Unserved};
pub use collection::{Collection, Member, Role};
pub use derived::Change;
pub use diagnosis::{diagnose, diagnose_plans};
pub use fill::FillError;
pub use interval::{Closure, Edge, Interval, Limit, Share};
pub use key_text::{KeyText, Piece};
pub use period::period_tables;
pub use planning::{plan, plan_all};
pub use reason::{Reason, Rejection};
pub use request::{
    CheckRequest, DeleteRequest, GetRequest, Placeholders, PutRequest, QueryRequest, Request,
    ScanRequest, UpdateRequest, WriteRequest, requests, step_requests, value_text, with_clauses,
};
pub use request_plan::{
    AddedFilter, DeletePlan, DerivedEffect, DerivedKey, FanOut, FilterComparison, FilterPart,
    FilterPlan, GetPlan, KeyPart, Lock, OwnKey, PlannedAction, PlannedRequest, PutPlan, QueryPlan,
    ScanPlan, UpdatePlan,
};
pub use route::Target;
pub use sort_condition::{KeyEnd, Offset, SortCondition};
pub use sort_key::RangeFault;
pub use suggestion::{IndexToName, SuggestedIndex, SuggestedKeys, Suggestion, suggest};
