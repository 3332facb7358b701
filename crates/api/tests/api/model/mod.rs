//! A server that knows a model: what calls are in it, and which writes do not fit.

mod accounts;
mod attribution;
mod conflicts;
mod drift;
mod groups;
mod statements;
mod updates;
