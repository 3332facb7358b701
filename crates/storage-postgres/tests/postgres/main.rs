//! The engine on a real server: the suite that all engines pass, alone and with two servers on one
//! store, and what only a database can do to one.

mod bad_days;
mod encryption;
mod failover;
mod few_connections;
mod joined_reads;
mod long_keys;
mod lost_answers;
mod presence;
mod silence;
mod silent_proxy;
mod standby;
mod store;
mod switch;
mod two_servers;

mod one_server {
    use crate::store::Store;

    monotable_storage::engine_tests!(|| (Store::new().open(), ()));
}
