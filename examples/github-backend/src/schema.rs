//! The table and its entities: `examples/models/github-backend.toml` in Rust.
//!
//! A user and an organization share the form of their key, and so do an issue's comments and those
//! of a pull request, and a repository and a fork: each pair is one struct here.

mod account;
mod discussion;
mod repository;

use monotable::prelude::*;

pub use account::{Account, AccountKind, Membership, PaymentPlan, membership};
pub use discussion::{
    Comment, Emoji, Issue, PullRequest, Reaction, Status, TargetKind, Thread, comment, issue,
    pull_request,
};
pub use repository::{Repo, RepoPage, RepoRow, Star, star};

/// The table. GSI1 has the pull requests of a repository, GSI2 its forks, and GSI3 the repositories
/// of an account by their last change.
#[derive(Table)]
#[table(
    pk = "PK",
    sk = "SK",
    entities(Account, Membership, Repo, Star, Issue, PullRequest, Comment, Reaction)
)]
#[gsi(Gsi1, name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(Gsi2, name = "GSI2", pk = "GSI2PK", sk = "GSI2SK")]
#[gsi(Gsi3, name = "GSI3", pk = "GSI3PK", sk = "GSI3SK")]
pub struct GitHub;

/// Times are text in answers.
fn as_text<S: serde::Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(time)
}
