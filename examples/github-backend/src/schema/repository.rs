//! Repositories, and what lies beside them.

use monotable::prelude::*;
use serde::Serialize;

use super::{GitHub, Issue, as_text};

/// A repository. One that is a fork names the owner of the original, and lies beside it in GSI2.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = GitHub)]
#[key(by_name: pk = "REPO#{owner}#{name}", sk = "REPO#{owner}#{name}")]
#[index(Gsi2 forks: pk = "REPO#{original_owner}#{name}", sk = "FORK#{owner}")]
#[index(Gsi3 of_account: pk = "ACCOUNT#{owner}", sk = "#{updated_at:time(s)}")]
pub struct Repo {
    /// A user or an organization.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub owner: String,
    /// The name, which is unique for its owner.
    #[attr(name = "RepoName", max_len = 100)]
    pub name: String,
    /// Whose repository this is a fork of.
    #[attr(name = "OriginalOwner", create_only, max_len = 40)]
    pub original_owner: Option<String>,
    /// When it was made.
    #[attr(name = "CreatedAt", created)]
    #[serde(serialize_with = "as_text")]
    pub created_at: Timestamp,
    /// When somebody last worked on it. Stars and forks are no work.
    #[attr(name = "UpdatedAt")]
    #[serde(serialize_with = "as_text")]
    pub updated_at: Timestamp,
    /// The last number handed out to an issue or a pull request.
    #[attr(name = "IssuesAndPullRequestCount")]
    pub last_number: u32,
    /// How many stars it has.
    #[attr(name = "StarCount")]
    pub star_count: u32,
    /// How many forks it has.
    #[attr(name = "ForkCount")]
    pub fork_count: u32,
}

/// That a user likes a repository.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = GitHub)]
#[key(of_repo: pk = "REPO#{owner}#{name}", sk = "STAR#{username}")]
pub struct Star {
    /// The owner of the repository.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub owner: String,
    /// The repository.
    #[attr(name = "RepoName", max_len = 100)]
    pub name: String,
    /// Who likes it.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
}

/// What lies in the partition of a repository: issues before it, stars behind it.
#[derive(Collection, Debug, PartialEq)]
#[collection(GitHub, pk = "REPO#{owner}#{name}")]
pub enum RepoRow {
    /// The repository.
    Repo(Repo),
    /// One of its issues.
    Issue(Issue),
    /// One of its stars.
    Star(Star),
}

/// What the page of a repository shows.
#[derive(Gather, Serialize, Debug, PartialEq)]
#[gather(RepoRow)]
pub struct RepoPage {
    /// The repository; nothing if there is none of this name.
    #[one]
    pub repo: Option<Repo>,
    /// The newest issues.
    #[many(desc, max = 25)]
    pub newest_issues: Vec<Issue>,
}
