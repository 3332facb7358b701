//! JavaScript and TypeScript, as far as object literals go.
//!
//! Models of libraries are objects that code hands to a constructor: `new Entity({ … }, { … })`.
//! Objects, lists, texts, numbers, `true`, `false` and `null` become data, with `as const` and
//! `satisfies …` passed over; names of constants that the file declares become what they stand for.
//! Everything else, such as a function, stays as the text of its code. Nothing is ever run.
//!
//! 1. `scanner` knows what to pass over: comments, texts, regular expressions, brackets.
//! 2. `value` reads one value.
//! 3. `resolution` puts constants in the place of their names.
//! 4. `program` finds the constructors in a file.

mod program;
mod resolution;
mod scanner;
mod value;

pub(super) use program::{Construction, constructions};
