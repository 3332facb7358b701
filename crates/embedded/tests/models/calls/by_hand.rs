//! Access patterns without a generated function, which the client does in its own way.
//!
//! The patterns that fill an index with items from before there was the index write keys that the
//! caller has computed. The client computes them: it writes all keys of an item anew.
//!
//! Where entities of the model share a key, as open and closed issues do, or a part of a key sorts
//! otherwise than its values, as a plain number does, an entity that is written here says it as
//! the pattern needs it.

use std::ops::Bound;
use std::sync::Arc;

use monotable::prelude::*;
use monotable::{DecodeFault, Item, Number, Value};
use monotable_conformance::models;
use monotable_embedded::Embedded;

use crate::call::{Answer, Call};
use crate::generated::github_migrations::{
    ClosedIssue, ClosedPullRequest, Fork, GitHubTable, Issue, Organization, OrganizationType,
    PullRequest, Repo, User, UserType,
};
use crate::generated::version_history::Data;
use crate::play::create_tables;

/// Who can own repositories.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(GitHubTable)]
pub(crate) enum Account {
    User(User),
    Organization(Organization),
}

/// Whatever is listed by its status, with what has the lists.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(GitHubTable)]
pub(crate) enum Listed {
    Repo(Repo),
    Fork(Fork),
    Issue(Issue),
    ClosedIssue(ClosedIssue),
    PullRequest(PullRequest),
    ClosedPullRequest(ClosedPullRequest),
}

/// An issue of either status, which says where in the index it lies.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo: pk = "REPO#{repo_owner}#{repo_name}", sk = "ISSUE#{issue_number:07}")]
#[index(Gsi4 open:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "ISSUE#OPEN#{issue_number:08:desc}",
    when = "status = 'Open'",
)]
#[index(Gsi4 closed:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "#ISSUE#CLOSED#{issue_number:08}",
    when = "status = 'Closed'",
)]
pub struct AnyIssue {
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
    #[attr(name = "IssueNumber")]
    pub issue_number: Number,
    #[attr(name = "Status")]
    pub status: Status,
}

#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Open,
    Closed,
}

/// A version by the text of its number, as which its sort key has it and sorts.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_document_id: pk = "{document_id}", sk = "V{text:raw}")]
pub struct VersionByText {
    #[attr(name = "DocumentId", max_len = 20)]
    pub document_id: String,
    #[attr(key_only, max_len = 10)]
    pub text: String,
    #[attr(name = "Version")]
    pub version: Number,
}

/// Does what a pattern of `version-history` is for; nothing where the client has no way.
pub(crate) async fn version_history(call: &Call) -> Option<Answer> {
    // The pointer is `V0`, and all versions come after it.
    let versions: (Bound<&str>, Bound<&str>) = (Bound::Excluded("0"), Bound::Unbounded);
    Some(match call.pattern() {
        "history" => {
            call.query(|| {
                let document = VersionByText::by_document_id(call.argument::<String>("DocumentId"));
                call.db().query(document.text_in::<&str>(versions)).desc()
            })
            .await
        }
        _ => return None,
    })
}

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
        "all accounts" => {
            let is_user = User::TYPE_.is(UserType::User).in_collection();
            let is_organization = Organization::TYPE_.is(OrganizationType::Organization);
            let accounts = call.db().scan_everything::<Account>();
            call.scan(accounts.filter(is_user | is_organization.in_collection())).await
        }
        "close issue" => change_status(call, Status::Open, Status::Closed).await,
        "reopen issue" => change_status(call, Status::Closed, Status::Open).await,
        _ => return None,
    })
}

/// Moves an issue from one list to the other.
async fn change_status(call: &Call, from: Status, to: Status) -> Answer {
    let (owner, name) = (call.argument::<String>("RepoOwner"), call.argument::<String>("RepoName"));
    let issue = AnyIssue::by_repo(owner, name).issue_number(call.argument::<Number>("IssueNumber"));
    call.send(call.db().patch(issue).status(to).when(AnyIssue::STATUS.is(from))).await
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

/// No step is one of these two patterns of `github-migrations`.
#[tokio::test]
async fn the_patterns_without_a_step_do_what_they_are_for() {
    let embedded = Embedded::in_memory();
    let models = models::load_all().unwrap();
    let scenario = models.iter().find(|it| it.name == "github-migrations").unwrap();
    create_tables(&embedded, scenario).await.unwrap();
    let db = Db::<GitHubTable>::new("GitHubTable", Arc::new(embedded));

    // All repositories, issues and pull requests: accounts and a membership lie beside them.
    let listed = db.scan_everything::<Listed>().all().await.unwrap();
    assert_eq!((listed.rows.len(), listed.misfits.len()), (10, 4));
    for misfit in &listed.misfits {
        assert!(matches!(misfit.fault, DecodeFault::Foreign { .. }), "{misfit}");
        let partition = &misfit.key["PK"];
        assert!(matches!(partition, Value::String(it) if it.starts_with("ACCOUNT#")), "{misfit}");
    }

    // Reopen issue: it is in the list of open ones, and only there.
    let issue = || AnyIssue::by_repo("alice", "widgets").issue_number(Number::from(2));
    let reopen =
        || db.patch(issue()).status(Status::Open).when(AnyIssue::STATUS.is(Status::Closed));
    db.rekey(issue()).await.unwrap();
    let closed = AnyIssue::closed("alice", "widgets");
    let open = AnyIssue::open("alice", "widgets");
    assert_eq!(db.query(closed.clone()).count().await.unwrap(), 1);
    let reopened = reopen().await.unwrap();
    assert_eq!(db.query(open).all().await.unwrap(), std::slice::from_ref(&reopened));
    assert_eq!(db.query(closed).count().await.unwrap(), 0);
    assert_eq!(reopen().await, Err(WriteError::NotMet { current: Some(reopened) }));
}
