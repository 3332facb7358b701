//! An HTTP/1.1 client that costs almost nothing: one keep-alive connection, one request at a time,
//! bodies framed by `content-length` or in chunks.
//!
//! It runs on the cores that the servers need, so every microsecond that it takes is missing there.

mod chunks;
mod connection;
mod request;
mod response;

pub use connection::{Answer, Connection};
pub use request::{frame, frame_clock};
