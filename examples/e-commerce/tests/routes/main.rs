//! Every route of the service, on a database in this process.

mod customers;
mod model;
mod orders;
mod service;
