//! Access patterns without a generated function, which the client does in its own way.
//!
//! The patterns that fill an index with items from before there was the index write keys that the
//! caller has computed. The client computes them: it writes all keys of an item anew.

use monotable::{Entity, Error, Item, Key, WriteError};

use crate::call::{Answer, Call};
use crate::generated::github_migrations::{
    ClosedIssue, ClosedPullRequest, Fork, GitHubTable, Issue, Organization, PullRequest, Repo, User,
};

/// Does what a pattern of `github-migrations` is for; nothing where the client has no way.
pub(crate) async fn github_migrations(call: &Call) -> Option<Answer> {
    let repo = [("repo_owner", "RepoOwner"), ("repo_name", "RepoName")];
    let [owner, name] = repo;
    Some(match call.pattern() {
        "add account to GSI1" => {
            fill::<User, Organization>(call, &[("account_name", "AccountName")]).await
        }
        "add repository to GSI4 and GSI5" => fill::<Repo, Fork>(call, &repo).await,
        "add issue to GSI4" => {
            let number = ("issue_number", "IssueNumber");
            fill::<Issue, ClosedIssue>(call, &[owner, name, number]).await
        }
        "add pull request to GSI5" => {
            let number = ("pull_request_number", "PullRequestNumber");
            fill::<PullRequest, ClosedPullRequest>(call, &[owner, name, number]).await
        }
        _ => return None,
    })
}

/// Writes the keys of an item anew, which is of one of two entities that have one form of key. The
/// parts are fields, with the names of arguments.
async fn fill<E, F>(call: &Call, parts: &[(&str, &str)]) -> Answer
where
    E: Entity<Table = GitHubTable>,
    F: Entity<Table = GitHubTable>,
{
    let db = call.db::<GitHubTable>();
    let part = |(field, name): &(&str, &str)| ((*field).to_owned(), call.argument(name));
    let parts: Item = parts.iter().map(part).collect::<Vec<_>>().into_iter().collect();
    match db.rekey(Key::<E>::from_parts(parts.clone())).await {
        Err(WriteError::Failed(Error::Decode(_))) => {
            call.backend.take();
            call.send(db.rekey(Key::<F>::from_parts(parts))).await
        }
        outcome => {
            let said = outcome.map(drop).map_err(|error| error.to_string());
            Answer { seen: call.backend.take(), said }
        }
    }
}
