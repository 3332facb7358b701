//! Reading and writing JSON tokens.

mod reader;
mod string;
mod writer;

pub use reader::{DEPTH_MAX, Reader, Token};
pub use writer::Writer;

#[cfg(test)]
mod tests;
