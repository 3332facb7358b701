//! Parameters from before expressions, as the expressions that say the same.
//!
//! A request may still carry `Expected`, `QueryFilter`, `ScanFilter`, `KeyConditions`,
//! `AttributeUpdates` or `AttributesToGet` in the place of an expression. Each is a map (or list)
//! of attributes, without paths into them, and becomes what an expression resolves to: a
//! `Condition`, a
//! `KeyCondition`, an `Update` or a `Projection`. From there on nothing knows which one was sent.
//!
//! Three things differ from expressions and are easily missed:
//!
//! - `NOT_CONTAINS` is false for a missing attribute, though `NE` is true for one.
//! - All values of one comparison have one type, even the candidates of `IN`.
//! - `ADD` appends to lists.
//!
//! Texts are bare: the operations that wrap what they refuse wrap these, too. Only a violated
//! member constraint of a filter or key condition comes wrapped, because Query and Scan wrap those
//! alone.

mod attribute_updates;
mod attributes_to_get;
mod comparison;
mod conditional_operator;
mod conditions;
mod expected;
mod filter;
mod key_conditions;
mod operator;

pub(crate) use attribute_updates::attribute_updates;
pub(crate) use attributes_to_get::attributes_to_get;
pub(crate) use conditional_operator::UNKNOWN as UNKNOWN_CONDITIONAL_OPERATOR;
pub(crate) use expected::expected;
pub(crate) use filter::filter;
pub(crate) use key_conditions::key_conditions;
