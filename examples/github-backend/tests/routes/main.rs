//! Every route of the service, on a database in this process.

mod accounts;
mod discussions;
mod model;
mod repositories;
mod service;
