//! IAM policy documents, and what they decide about a request.
//!
//! [`Policy`] is a document that was read and compiled; [`decide`] says what policies mean for a
//! [`Question`]: may this principal perform this action on this resource? What conditions ask for
//! is looked up by name in [`Facts`], so that a caller computes only what a policy asks for, and
//! [`Policy::mentions`] says beforehand whether any statement does. [`explain`] decides in the same
//! way and says of every statement why it applies or not.
//!
//! - A deny that applies wins over everything.
//! - Within an account, one allow is enough: of an identity policy or of the resource's policy.
//! - Across accounts both must allow.
//!
//! Everything here is pure: no I/O, no clock (the time is a fact), no async. The work that a
//! document can cause is bounded by its size and by that of the values it is compared with.
//!
//! ```text
//! text ─► parse ─► document ─► statement ─┬ principal                  whom it is about
//!                     │                   ├ arn, template ─► pattern   which resources and actions
//!                     │                   └ condition, on keys         under which facts
//!                  managed  AWS's own documents, by name
//! question ─► decision     may this principal do this?
//!          └► explanation  and why
//! finding, known_actions and similarity warn of what was probably meant otherwise
//! ```

mod arn;
mod condition;
mod decision;
mod document;
mod error;
mod explanation;
mod finding;
pub mod keys;
mod known_actions;
mod managed;
mod parse;
mod pattern;
mod principal;
mod question;
mod similarity;
mod statement;
mod template;

pub use decision::{Decision, decide};
pub use document::{
    IDENTITY_POLICY_BYTES_MAX, Policy, PolicyKind, RESOURCE_POLICY_BYTES_MAX, StatementRef,
};
pub use error::{PolicyError, Problem};
pub use explanation::{Explanation, Mismatch, StatementTrace, explain};
pub use finding::{Concern, Finding};
pub use known_actions::{is_known_action, known_actions, similar_action};
pub use managed::MANAGED_POLICIES;
pub use question::{FactTable, Facts, NoFacts, PrincipalName, Question, Values};
pub use statement::Effect;
