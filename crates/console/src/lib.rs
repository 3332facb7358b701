//! The console: the files that a browser gets, and what they ask about models.
//!
//! The files under `assets/` are compiled in ([`Console::page`], [`Console::file`]). They are plain
//! modules and style sheets that a browser takes as they are: nothing has to be built before.
//! Whatever is done to data, they do by the public API, like every other client.
//!
//! What a model means is not known to them. They send its text with a question
//! ([`Console::ask`]), and get what the commands of `monotable model` print: `question/` has a file
//! for each. A question changes nothing and remembers nothing, so the same one always has the same
//! answer.
//!
//! ```text
//! console    what a server has of the console: its pages, its files, its questions
//! asset      the files under assets/, compiled in;  file  one of them as it is sent
//! question   the questions about models, a file for each
//! ```

mod asset;
mod console;
mod file;
mod question;

pub use console::{Console, Permission};
pub use file::File;
pub use question::Complaint;
