//! GitHub metadata
//!
//! Tables, entities and access patterns of the model `github-backend`, written by `monotable model
//! export --to rust`.

use std::collections::{BTreeMap, BTreeSet};

use monotable::db::{Create, Get, Query, Transaction};
use monotable::prelude::*;
use monotable::{Number, Value, increase, insert_all, member};

/// The table `GitHubTable`.
#[derive(Table)]
#[table(
    name = "GitHubTable",
    pk = "PK",
    sk = "SK",
    entities(
        Repo,
        Fork,
        Issue,
        PullRequest,
        IssueComment,
        PrComment,
        Reaction,
        Star,
        User,
        Organization,
        Membership,
    )
)]
#[gsi(
    Gsi1,
    name = "GSI1",
    pk = "GSI1PK": string,
    sk = "GSI1SK": string,
)]
#[gsi(
    Gsi2,
    name = "GSI2",
    pk = "GSI2PK": string,
    sk = "GSI2SK": string,
)]
#[gsi(
    Gsi3,
    name = "GSI3",
    pk = "GSI3PK": string,
    sk = "GSI3SK": string,
)]
pub struct GitHubTable;

/// A repository that is no fork
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo_owner_and_repo_name:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "REPO#{repo_owner}#{repo_name}",
)]
#[index(Gsi1 by_repo_owner_and_repo_name_in_gsi1:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "REPO#{repo_owner}#{repo_name}",
)]
#[index(Gsi2 by_repo_owner_and_repo_name_in_gsi2:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "#REPO#{repo_owner}#{repo_name}",
)]
#[index(Gsi3 by_repo_owner: pk = "ACCOUNT#{repo_owner}", sk = "#{updated_at:time(s)}")]
pub struct Repo {
    /// A user or an organization
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    /// The attribute `RepoName`.
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// The attribute `UpdatedAt`.
    #[attr(name = "UpdatedAt")]
    pub updated_at: String,
    /// The last number handed out
    #[attr(name = "IssuesAndPullRequestCount")]
    pub issues_and_pull_request_count: Number,
    /// The attribute `StarCount`.
    #[attr(name = "StarCount")]
    pub star_count: Number,
    /// The attribute `ForkCount`.
    #[attr(name = "ForkCount")]
    pub fork_count: Number,
}

/// Lies beside the original in GSI2, and is otherwise a repository like any other
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo_owner_and_repo_name:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "REPO#{repo_owner}#{repo_name}",
)]
#[index(Gsi1 by_repo_owner_and_repo_name_in_gsi1:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "REPO#{repo_owner}#{repo_name}",
)]
#[index(Gsi2 by_original_owner_and_repo_name:
    pk = "REPO#{original_owner}#{repo_name}",
    sk = "FORK#{repo_owner}",
)]
#[index(Gsi3 by_repo_owner: pk = "ACCOUNT#{repo_owner}", sk = "#{updated_at:time(s)}")]
pub struct Fork {
    /// A user or an organization
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    /// The attribute `RepoName`.
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// The attribute `UpdatedAt`.
    #[attr(name = "UpdatedAt")]
    pub updated_at: String,
    /// The last number handed out
    #[attr(name = "IssuesAndPullRequestCount")]
    pub issues_and_pull_request_count: Number,
    /// The attribute `StarCount`.
    #[attr(name = "StarCount")]
    pub star_count: Number,
    /// The attribute `ForkCount`.
    #[attr(name = "ForkCount")]
    pub fork_count: Number,
    /// The attribute `OriginalOwner`.
    #[attr(name = "OriginalOwner", max_len = 40)]
    pub original_owner: String,
}

/// The entity `Issue`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo_owner_and_repo_name:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "ISSUE#{issue_number:07}",
)]
pub struct Issue {
    /// The attribute `RepoOwner`.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    /// The attribute `RepoName`.
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
    /// The attribute `IssueNumber`.
    #[attr(name = "IssueNumber")]
    pub issue_number: Number,
    /// The attribute `Title`.
    #[attr(name = "Title", max_len = 200)]
    pub title: Option<String>,
    /// The attribute `Status`.
    #[attr(name = "Status")]
    pub status: IssueStatus,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// A number for each of the eight reactions, all 0 at first
    #[attr(name = "ReactionCounts")]
    pub reaction_counts: BTreeMap<String, Value>,
}

/// The values of `Status`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueStatus {
    /// `Open`
    Open,
    /// `Closed`
    Closed,
}

/// Outside of the repository's partition, where it would lie between repository and stars
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo_owner_and_more:
    pk = "PR#{repo_owner}#{repo_name}#{pull_request_number:07}",
    sk = "PR#{repo_owner}#{repo_name}#{pull_request_number:07}",
)]
#[index(Gsi1 by_repo_owner_and_repo_name:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "PR#{pull_request_number:07}",
)]
pub struct PullRequest {
    /// The attribute `RepoOwner`.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    /// The attribute `RepoName`.
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
    /// The attribute `PullRequestNumber`.
    #[attr(name = "PullRequestNumber")]
    pub pull_request_number: Number,
    /// The attribute `Title`.
    #[attr(name = "Title", max_len = 200)]
    pub title: Option<String>,
    /// The attribute `Status`.
    #[attr(name = "Status")]
    pub status: PullRequestStatus,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// The attribute `ReactionCounts`.
    #[attr(name = "ReactionCounts")]
    pub reaction_counts: BTreeMap<String, Value>,
}

/// The values of `Status`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullRequestStatus {
    /// `Open`
    Open,
    /// `Closed`
    Closed,
}

/// The number in the partition key is never compared, and so needs no padding
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo_owner_and_more:
    pk = "ISSUECOMMENT#{repo_owner}#{repo_name}#{issue_number:plain}",
    sk = "ISSUECOMMENT#{comment_id:ksuid}",
)]
pub struct IssueComment {
    /// The attribute `RepoOwner`.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    /// The attribute `RepoName`.
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
    /// The attribute `IssueNumber`.
    #[attr(name = "IssueNumber")]
    pub issue_number: Number,
    /// The attribute `CommentId`.
    #[attr(name = "CommentId")]
    pub comment_id: String,
    /// The attribute `Author`.
    #[attr(name = "Author", max_len = 40)]
    pub author: Option<String>,
    /// The attribute `Body`.
    #[attr(name = "Body", max_len = 65536)]
    pub body: Option<String>,
    /// The attribute `ReactionCounts`.
    #[attr(name = "ReactionCounts")]
    pub reaction_counts: BTreeMap<String, Value>,
}

/// The entity `PRComment`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo_owner_and_more:
    pk = "PRCOMMENT#{repo_owner}#{repo_name}#{pull_request_number:plain}",
    sk = "PRCOMMENT#{comment_id:ksuid}",
)]
pub struct PrComment {
    /// The attribute `RepoOwner`.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    /// The attribute `RepoName`.
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
    /// The attribute `PullRequestNumber`.
    #[attr(name = "PullRequestNumber")]
    pub pull_request_number: Number,
    /// The attribute `CommentId`.
    #[attr(name = "CommentId")]
    pub comment_id: String,
    /// The attribute `Author`.
    #[attr(name = "Author", max_len = 40)]
    pub author: Option<String>,
    /// The attribute `Body`.
    #[attr(name = "Body", max_len = 65536)]
    pub body: Option<String>,
    /// The attribute `ReactionCounts`.
    #[attr(name = "ReactionCounts")]
    pub reaction_counts: BTreeMap<String, Value>,
}

/// What one user has said to one issue, pull request or comment
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_target_type_and_more:
    pk = "{target_type:enum(ISSUE,PR,ISSUECOMMENT,PRCOMMENT)}REACTION#{repo_owner}#{repo_name}\
          #{target_identifier:raw}#{username}",
    sk = "{target_type:enum(ISSUE,PR,ISSUECOMMENT,PRCOMMENT)}REACTION#{repo_owner}#{repo_name}\
          #{target_identifier:raw}#{username}",
)]
pub struct Reaction {
    /// The attribute `TargetType`.
    #[attr(name = "TargetType")]
    pub target_type: ReactionTargetType,
    /// The attribute `RepoOwner`.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    /// The attribute `RepoName`.
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
    /// A number; for a comment the number, #, and the comment's id
    #[attr(name = "TargetIdentifier", max_len = 35)]
    pub target_identifier: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// At most the eight names
    #[attr(name = "Reactions")]
    pub reactions: BTreeSet<String>,
}

/// The values of `TargetType`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReactionTargetType {
    /// `ISSUE`
    #[key_part("ISSUE")]
    Issue,
    /// `PR`
    #[key_part("PR")]
    Pr,
    /// `ISSUECOMMENT`
    #[key_part("ISSUECOMMENT")]
    Issuecomment,
    /// `PRCOMMENT`
    #[key_part("PRCOMMENT")]
    Prcomment,
}

/// The entity `Star`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo_owner_and_repo_name: pk = "REPO#{repo_owner}#{repo_name}", sk = "STAR#{username}")]
pub struct Star {
    /// The attribute `RepoOwner`.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    /// The attribute `RepoName`.
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
}

/// The entity `User`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_account_name: pk = "ACCOUNT#{account_name}", sk = "ACCOUNT#{account_name}")]
#[index(Gsi3 by_account_name_in_gsi3: pk = "ACCOUNT#{account_name}", sk = "ACCOUNT#{account_name}")]
pub struct User {
    /// The attribute `AccountName`.
    #[attr(name = "AccountName", max_len = 40)]
    pub account_name: String,
    /// The attribute `Type`.
    #[attr(name = "Type")]
    pub type_: UserType,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// The role in each organization, at most 40
    #[attr(name = "Organizations")]
    pub organizations: BTreeMap<String, Value>,
    /// The attribute `PaymentPlan`.
    #[attr(name = "PaymentPlan")]
    pub payment_plan: Option<BTreeMap<String, Value>>,
}

/// The values of `Type`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserType {
    /// `User`
    User,
}

/// The same form of key as a user: a name belongs to one of them only
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_account_name: pk = "ACCOUNT#{account_name}", sk = "ACCOUNT#{account_name}")]
#[index(Gsi3 by_account_name_in_gsi3: pk = "ACCOUNT#{account_name}", sk = "ACCOUNT#{account_name}")]
pub struct Organization {
    /// The attribute `AccountName`.
    #[attr(name = "AccountName", max_len = 40)]
    pub account_name: String,
    /// The attribute `Type`.
    #[attr(name = "Type")]
    pub type_: OrganizationType,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// The attribute `PaymentPlan`.
    #[attr(name = "PaymentPlan")]
    pub payment_plan: Option<BTreeMap<String, Value>>,
}

/// The values of `Type`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrganizationType {
    /// `Organization`
    Organization,
}

/// The entity `Membership`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_organization_name: pk = "ACCOUNT#{organization_name}", sk = "MEMBERSHIP#{username}")]
pub struct Membership {
    /// The attribute `OrganizationName`.
    #[attr(name = "OrganizationName", max_len = 40)]
    pub organization_name: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// The attribute `Role`.
    #[attr(name = "Role", max_len = 20)]
    pub role: Option<String>,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
}

/// What a partition holds together: Fork, Repo, Issue.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(GitHubTable, pk = "REPO#{repo_owner}#{repo_name}", mixed)]
pub enum RepoOrForkOrIssue {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
    /// The entity [`Issue`].
    Issue(Issue),
}

/// What a partition of `GSI1` holds together: Fork, Repo, PullRequest.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi1,
    parts(repo_owner: String, repo_name: String),
    pk = "REPO#{repo_owner}#{repo_name}",
    mixed
)]
pub enum RepoOrForkOrPullRequest {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
    /// The entity [`PullRequest`].
    PullRequest(PullRequest),
}

/// What a partition of `GSI2` holds together: Fork, Repo.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi2,
    parts(original_owner: String, repo_name: String),
    pk = "REPO#{original_owner}#{repo_name}"
)]
pub enum RepoOrFork {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
}

/// What a partition holds together: Fork, Repo, Star.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(GitHubTable, pk = "REPO#{repo_owner}#{repo_name}", mixed)]
pub enum RepoOrForkOrStar {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
    /// The entity [`Star`].
    Star(Star),
}

/// What a partition of `GSI3` holds together: Fork, Repo, User, Organization.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi3,
    parts(account_name: String),
    pk = "ACCOUNT#{account_name}",
    mixed
)]
pub enum UserOrOrganizationOrRepoOrFork {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
    /// The entity [`User`].
    User(User),
    /// The entity [`Organization`].
    Organization(Organization),
}

/// Access pattern: create repository.
///
/// Owner and name together are unique
pub fn create_repository(db: &Db<GitHubTable>, repo: &Repo) -> Create<Repo> {
    let repo = Repo {
        issues_and_pull_request_count: Number::from(0),
        star_count: Number::from(0),
        fork_count: Number::from(0),
        ..repo.clone()
    };
    db.create(&repo)
}

/// Access pattern: get repository.
pub fn get_repository(db: &Db<GitHubTable>, repo_owner: &str, repo_name: &str) -> Get<Repo> {
    db.get(Repo::by_repo_owner_and_repo_name(repo_owner, repo_name))
}

/// Access pattern: touch repository.
pub fn touch_repository(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    updated_at: &str,
) -> repo::Patch<Db<GitHubTable>> {
    db.patch(Repo::by_repo_owner_and_repo_name(repo_owner, repo_name))
        .updated_at(updated_at.to_owned())
}

/// Access pattern: hand out a number.
///
/// The next issue or pull request; a number that is never used leaves a gap
pub fn hand_out_a_number(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
) -> repo::Patch<Db<GitHubTable>> {
    db.patch(Repo::by_repo_owner_and_repo_name(repo_owner, repo_name))
        .issues_and_pull_request_count(increase(Number::from(1)))
}

/// Access pattern: put issue.
pub fn put_issue(db: &Db<GitHubTable>, issue: &Issue) -> Create<Issue> {
    db.create(issue)
}

/// Access pattern: get issue.
pub fn get_issue(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    issue_number: Number,
) -> Get<Issue> {
    db.get(Issue::by_repo_owner_and_repo_name(repo_owner, repo_name).issue_number(issue_number))
}

/// Access pattern: repository and newest issues.
///
/// The repository and 25 issues; the stars lie behind it
pub fn repository_and_newest_issues(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
) -> Query<RepoOrForkOrIssue> {
    db.query(RepoOrForkOrIssue::of(repo_owner, repo_name).span()).desc().limit(26)
}

/// Access pattern: repository and newest issues of a status.
///
/// The limit counts what is read, so it is generous; a repository has no status
pub fn repository_and_newest_issues_of_a_status(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    status: IssueStatus,
) -> Query<RepoOrForkOrIssue> {
    db.query(RepoOrForkOrIssue::of(repo_owner, repo_name).span())
        .desc()
        .limit(75)
        .filter((Issue::STATUS.is_missing() | Issue::STATUS.is(status)).in_collection())
}

/// Access pattern: put pull request.
pub fn put_pull_request(db: &Db<GitHubTable>, pull_request: &PullRequest) -> Create<PullRequest> {
    db.create(pull_request)
}

/// Access pattern: get pull request.
pub fn get_pull_request(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    pull_request_number: Number,
) -> Get<PullRequest> {
    db.get(PullRequest::by_repo_owner_and_more(repo_owner, repo_name, pull_request_number))
}

/// Access pattern: repository and newest pull requests.
pub fn repository_and_newest_pull_requests(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    status: Option<PullRequestStatus>,
) -> Query<RepoOrForkOrPullRequest> {
    let query =
        db.query(RepoOrForkOrPullRequest::of(repo_owner, repo_name).span()).desc().limit(26);
    match status {
        Some(status) => query.filter(
            (PullRequest::STATUS.is_missing() | PullRequest::STATUS.is(status)).in_collection(),
        ),
        None => query,
    }
}

/// Access pattern: fork repository.
pub fn fork_repository(
    db: &Db<GitHubTable>,
    fork: &Fork,
    original_owner: &str,
    repo_name: &str,
) -> Transaction<GitHubTable, ()> {
    let fork = Fork {
        issues_and_pull_request_count: Number::from(0),
        star_count: Number::from(0),
        fork_count: Number::from(0),
        ..fork.clone()
    };
    db.transaction().create(&fork).patch(
        patch(Repo::by_repo_owner_and_repo_name(original_owner, repo_name))
            .fork_count(increase(Number::from(1))),
    )
}

/// Access pattern: repository and its forks.
///
/// The original first, then the forks by owner
pub fn repository_and_its_forks(
    db: &Db<GitHubTable>,
    original_owner: &str,
    repo_name: &str,
) -> Query<RepoOrFork> {
    db.query(RepoOrFork::of(original_owner, repo_name).span())
}

/// Access pattern: comment on an issue.
pub fn comment_on_an_issue(
    db: &Db<GitHubTable>,
    issue_comment: &IssueComment,
) -> Create<IssueComment> {
    db.create(issue_comment)
}

/// Access pattern: comment on a pull request.
pub fn comment_on_a_pull_request(
    db: &Db<GitHubTable>,
    pr_comment: &PrComment,
) -> Create<PrComment> {
    db.create(pr_comment)
}

/// Access pattern: comments of an issue.
pub fn comments_of_an_issue(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    issue_number: Number,
) -> Query<issue_comment::ByRepoOwnerAndMore> {
    db.query(IssueComment::by_repo_owner_and_more(repo_owner, repo_name, issue_number))
}

/// Access pattern: comments of a pull request.
pub fn comments_of_a_pull_request(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    pull_request_number: Number,
) -> Query<pr_comment::ByRepoOwnerAndMore> {
    db.query(PrComment::by_repo_owner_and_more(repo_owner, repo_name, pull_request_number))
}

/// Access pattern: react to an issue.
///
/// Each of the eight reactions once for each user
#[expect(clippy::too_many_arguments, reason = "the access pattern has as many")]
pub fn react_to_an_issue(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    target_identifier: &str,
    username: &str,
    reactions: &BTreeSet<String>,
    reaction: &str,
    issue_number: Number,
) -> Transaction<GitHubTable, ()> {
    db.transaction()
        .patch(
            patch(Reaction::by_target_type_and_more(
                ReactionTargetType::Issue,
                repo_owner,
                repo_name,
                target_identifier,
                username,
            ))
            .reactions(insert_all(reactions.clone()))
            .when(Reaction::REACTIONS.is_missing() | !Reaction::REACTIONS.contains(reaction))
            .or_create(),
        )
        .patch(
            patch(
                Issue::by_repo_owner_and_repo_name(repo_owner, repo_name)
                    .issue_number(issue_number),
            )
            .reaction_counts(member(reaction).add(Number::from(1))),
        )
}

/// Access pattern: react to a pull request.
#[expect(clippy::too_many_arguments, reason = "the access pattern has as many")]
pub fn react_to_a_pull_request(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    target_identifier: &str,
    username: &str,
    reactions: &BTreeSet<String>,
    reaction: &str,
    pull_request_number: Number,
) -> Transaction<GitHubTable, ()> {
    db.transaction()
        .patch(
            patch(Reaction::by_target_type_and_more(
                ReactionTargetType::Pr,
                repo_owner,
                repo_name,
                target_identifier,
                username,
            ))
            .reactions(insert_all(reactions.clone()))
            .when(Reaction::REACTIONS.is_missing() | !Reaction::REACTIONS.contains(reaction))
            .or_create(),
        )
        .patch(
            patch(PullRequest::by_repo_owner_and_more(repo_owner, repo_name, pull_request_number))
                .reaction_counts(member(reaction).add(Number::from(1))),
        )
}

/// Access pattern: react to a comment on an issue.
#[expect(clippy::too_many_arguments, reason = "the access pattern has as many")]
pub fn react_to_a_comment_on_an_issue(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    target_identifier: &str,
    username: &str,
    reactions: &BTreeSet<String>,
    reaction: &str,
    issue_number: Number,
    comment_id: &str,
) -> Transaction<GitHubTable, ()> {
    db.transaction()
        .patch(
            patch(Reaction::by_target_type_and_more(
                ReactionTargetType::Issuecomment,
                repo_owner,
                repo_name,
                target_identifier,
                username,
            ))
            .reactions(insert_all(reactions.clone()))
            .when(Reaction::REACTIONS.is_missing() | !Reaction::REACTIONS.contains(reaction))
            .or_create(),
        )
        .patch(
            patch(
                IssueComment::by_repo_owner_and_more(repo_owner, repo_name, issue_number)
                    .comment_id(comment_id),
            )
            .reaction_counts(member(reaction).add(Number::from(1))),
        )
}

/// Access pattern: react to a comment on a pull request.
#[expect(clippy::too_many_arguments, reason = "the access pattern has as many")]
pub fn react_to_a_comment_on_a_pull_request(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    target_identifier: &str,
    username: &str,
    reactions: &BTreeSet<String>,
    reaction: &str,
    pull_request_number: Number,
    comment_id: &str,
) -> Transaction<GitHubTable, ()> {
    db.transaction()
        .patch(
            patch(Reaction::by_target_type_and_more(
                ReactionTargetType::Prcomment,
                repo_owner,
                repo_name,
                target_identifier,
                username,
            ))
            .reactions(insert_all(reactions.clone()))
            .when(Reaction::REACTIONS.is_missing() | !Reaction::REACTIONS.contains(reaction))
            .or_create(),
        )
        .patch(
            patch(
                PrComment::by_repo_owner_and_more(repo_owner, repo_name, pull_request_number)
                    .comment_id(comment_id),
            )
            .reaction_counts(member(reaction).add(Number::from(1))),
        )
}

/// Access pattern: star repository.
pub fn star_repository(
    db: &Db<GitHubTable>,
    star: &Star,
    repo_owner: &str,
    repo_name: &str,
) -> Transaction<GitHubTable, ()> {
    db.transaction().create(star).patch(
        patch(Repo::by_repo_owner_and_repo_name(repo_owner, repo_name))
            .star_count(increase(Number::from(1))),
    )
}

/// Access pattern: repository and those who starred it.
pub fn repository_and_those_who_starred_it(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
) -> Query<RepoOrForkOrStar> {
    db.query(RepoOrForkOrStar::of(repo_owner, repo_name).span())
}

/// Access pattern: create user.
pub fn create_user(db: &Db<GitHubTable>, user: &User) -> Create<User> {
    let user = User { type_: UserType::User, organizations: BTreeMap::new(), ..user.clone() };
    db.create(&user)
}

/// Access pattern: create organization.
///
/// Refused if a user has the name
pub fn create_organization(
    db: &Db<GitHubTable>,
    organization: &Organization,
) -> Create<Organization> {
    let organization =
        Organization { type_: OrganizationType::Organization, ..organization.clone() };
    db.create(&organization)
}

/// Access pattern: add user to organization.
pub fn add_user_to_organization(
    db: &Db<GitHubTable>,
    membership: &Membership,
    username: &str,
    organization_name: &str,
    role: &str,
) -> Transaction<GitHubTable, ()> {
    db.transaction().create(membership).patch(
        patch(User::by_account_name(username))
            .organizations(member(organization_name).set(role.to_owned())),
    )
}

/// Access pattern: users of an organization.
pub fn users_of_an_organization(
    db: &Db<GitHubTable>,
    organization_name: &str,
) -> Query<membership::ByOrganizationName> {
    db.query(Membership::by_organization_name(organization_name))
}

/// Access pattern: organizations of a user.
///
/// All of them are in the user's item
pub fn organizations_of_a_user(db: &Db<GitHubTable>, account_name: &str) -> Get<User> {
    db.get(User::by_account_name(account_name))
}

/// Access pattern: account and its repositories.
///
/// The account, then its repositories, the one that changed last first; forks are among them
pub fn account_and_its_repositories(
    db: &Db<GitHubTable>,
    account_name: &str,
) -> Query<UserOrOrganizationOrRepoOrFork> {
    db.query(UserOrOrganizationOrRepoOrFork::of(account_name).span()).desc()
}
