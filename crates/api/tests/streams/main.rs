//! Streams and time to live, under a clock that the tests move.

mod clock;
mod describe_stream;
mod expiry;
mod iterators;
mod lags;
mod list_streams;
mod records;
mod retention;
mod rotation;
mod time_to_live;
mod world;
