//! A client of Redis, or of Valkey, by its protocol RESP, that costs as little as that of HTTP.
//!
//! It exists so that the same loops can send the same bytes to a server of another kind: `GET`
//! beside `GetItem`, and `SET` beside `PutItem`.

mod commands;
mod connection;
mod reply;

pub use commands::{PING, check_reply, request};
pub use connection::Connection;
