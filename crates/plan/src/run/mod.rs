//! Running an access pattern: from what a caller says to requests, and from rows back to entities.
//!
//! 1. [`parameters_of`] lists what a pattern needs to know, with types.
//! 2. [`read_arguments`] reads a caller's texts as values of these types, and says all that is
//!    wrong with them.
//! 3. [`Run`] gives the requests of one step after the other; the rows of a step feed the next one.
//! 4. [`check_tests`] says of the tests of a model whether they give patterns what those take.
//!
//! Nothing is sent here: the caller sends the requests and hands the rows back.

mod argument;
mod parameter;
mod progress;
mod test_check;

pub use argument::{ArgumentError, read_arguments};
pub use parameter::{PatternParameter, parameters_of};
pub use progress::{Row, Run, StepRequests};
pub use test_check::check_tests;
