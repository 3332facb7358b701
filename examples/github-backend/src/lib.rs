//! Repositories, issues, pull requests and stars over HTTP, on one DynamoDB table.
//!
//! In reading order:
//!
//! 1. [`schema`] is the table: entities, keys and what lies beside a repository.
//! 2. [`store`] has the operations of the application on it, with errors of their own.
//! 3. [`routes`] maps them to HTTP, [`error`] their errors to statuses.
//!
//! What it shares with the other service, such as the choice of the database, is in `example-web`.

pub mod error;
pub mod routes;
pub mod schema;
pub mod store;
