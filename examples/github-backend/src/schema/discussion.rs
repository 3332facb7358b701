//! Issues, pull requests, comments and reactions.

use std::collections::{BTreeMap, BTreeSet};

use monotable::prelude::*;
use serde::{Deserialize, Serialize};

use super::{GitHub, as_text};

/// Whether there is something left to do.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// There is.
    Open,
    /// There is not.
    Closed,
}

/// Something to do, in the partition of its repository.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = GitHub)]
#[key(of_repo: pk = "REPO#{owner}#{name}", sk = "ISSUE#{number:07}")]
pub struct Issue {
    /// The owner of the repository.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub owner: String,
    /// The repository.
    #[attr(name = "RepoName", max_len = 100)]
    pub name: String,
    /// From the same sequence as those of pull requests.
    #[attr(name = "IssueNumber")]
    pub number: u32,
    /// What it is about.
    #[attr(name = "Title")]
    pub title: String,
    /// Whether it is done.
    #[attr(name = "Status")]
    pub status: Status,
    /// When it was opened.
    #[attr(name = "CreatedAt", created)]
    #[serde(serialize_with = "as_text")]
    pub created_at: Timestamp,
    /// How often each reaction was given.
    #[attr(name = "ReactionCounts")]
    pub reaction_counts: BTreeMap<String, u32>,
}

/// A change that is offered. It has a partition of its own: beside the repository it would lie
/// between that and the stars.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = GitHub)]
#[key(by_number: pk = "PR#{owner}#{name}#{number:07}", sk = "PR#{owner}#{name}#{number:07}")]
#[index(Gsi1 of_repo: pk = "REPO#{owner}#{name}", sk = "PR#{number:07}")]
pub struct PullRequest {
    /// The owner of the repository.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub owner: String,
    /// The repository.
    #[attr(name = "RepoName", max_len = 100)]
    pub name: String,
    /// From the same sequence as those of issues.
    #[attr(name = "PullRequestNumber")]
    pub number: u32,
    /// What it is about.
    #[attr(name = "Title")]
    pub title: String,
    /// Whether it is done.
    #[attr(name = "Status")]
    pub status: Status,
    /// When it was opened.
    #[attr(name = "CreatedAt", created)]
    #[serde(serialize_with = "as_text")]
    pub created_at: Timestamp,
    /// How often each reaction was given.
    #[attr(name = "ReactionCounts")]
    pub reaction_counts: BTreeMap<String, u32>,
}

/// What is commented on.
#[derive(KeyPart, Serialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thread {
    /// An issue.
    #[key_part("ISSUE")]
    Issue,
    /// A pull request.
    #[key_part("PR")]
    PullRequest,
}

/// What somebody said about an issue or a pull request.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = GitHub)]
#[key(
    of_thread: pk = "{thread:enum(ISSUE,PR)}COMMENT#{owner}#{name}#{number:plain}",
    sk = "{thread:enum(ISSUE,PR)}COMMENT#{comment_id:ksuid}"
)]
pub struct Comment {
    /// What is commented on.
    #[attr(name = "Thread")]
    pub thread: Thread,
    /// The owner of the repository.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub owner: String,
    /// The repository.
    #[attr(name = "RepoName", max_len = 100)]
    pub name: String,
    /// The issue or the pull request.
    #[attr(name = "Number")]
    pub number: u32,
    /// A KSUID: later comments have greater ones.
    #[attr(name = "CommentId")]
    pub comment_id: String,
    /// Who said it.
    #[attr(name = "Author", max_len = 40)]
    pub author: String,
    /// What was said.
    #[attr(name = "Body")]
    pub body: String,
    /// How often each reaction was given.
    #[attr(name = "ReactionCounts")]
    pub reaction_counts: BTreeMap<String, u32>,
}

/// What is reacted to.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// An issue.
    #[key_part("ISSUE")]
    Issue,
    /// A pull request.
    #[key_part("PR")]
    PullRequest,
    /// A comment on an issue.
    #[key_part("ISSUECOMMENT")]
    IssueComment,
    /// A comment on a pull request.
    #[key_part("PRCOMMENT")]
    PullRequestComment,
}

/// What one user thinks of one issue, pull request or comment.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHub)]
#[key(
    of_user:
    pk = "{kind:enum(ISSUE,PR,ISSUECOMMENT,PRCOMMENT)}REACTION#{owner}#{name}#{target:raw}#{user}",
    sk = "{kind:enum(ISSUE,PR,ISSUECOMMENT,PRCOMMENT)}REACTION#{owner}#{name}#{target:raw}#{user}"
)]
pub struct Reaction {
    /// What is reacted to.
    #[attr(name = "TargetType")]
    pub kind: TargetKind,
    /// The owner of the repository.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub owner: String,
    /// The repository.
    #[attr(name = "RepoName", max_len = 100)]
    pub name: String,
    /// A number; for a comment the number, `#`, and the comment's id.
    #[attr(name = "TargetIdentifier", max_len = 35)]
    pub target: String,
    /// Who reacted.
    #[attr(name = "Username", max_len = 40)]
    pub user: String,
    /// At most the eight there are.
    #[attr(name = "Reactions")]
    pub reactions: BTreeSet<String>,
}

/// The reactions there are.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emoji {
    /// Agreed.
    ThumbsUp,
    /// Not agreed.
    ThumbsDown,
    /// Funny.
    Smile,
    /// Hooray.
    Celebration,
    /// A pity.
    Disappointed,
    /// Love.
    Heart,
    /// Off it goes.
    Rocket,
    /// Watching.
    Eyes,
}

impl Emoji {
    /// All of them.
    pub const ALL: [Emoji; 8] = [
        Emoji::ThumbsUp,
        Emoji::ThumbsDown,
        Emoji::Smile,
        Emoji::Celebration,
        Emoji::Disappointed,
        Emoji::Heart,
        Emoji::Rocket,
        Emoji::Eyes,
    ];

    /// What a new issue, pull request or comment has: only a number that is there can be added to.
    pub fn no_counts() -> BTreeMap<String, u32> {
        Emoji::ALL.iter().map(|emoji| (emoji.name().to_owned(), 0)).collect()
    }

    /// The name in items.
    pub fn name(self) -> &'static str {
        match self {
            Emoji::ThumbsUp => "ThumbsUp",
            Emoji::ThumbsDown => "ThumbsDown",
            Emoji::Smile => "Smile",
            Emoji::Celebration => "Celebration",
            Emoji::Disappointed => "Disappointed",
            Emoji::Heart => "Heart",
            Emoji::Rocket => "Rocket",
            Emoji::Eyes => "Eyes",
        }
    }
}
