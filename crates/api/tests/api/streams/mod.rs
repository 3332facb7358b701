//! Streams, time to live and what else is kept of tables, under a clock that the tests move.

mod clock;
mod describe_stream;
mod expiry;
mod iterators;
mod kept_settings;
mod lags;
mod list_streams;
mod meanwhile;
mod records;
mod retention;
mod rotation;
mod time_to_live;
mod world;
