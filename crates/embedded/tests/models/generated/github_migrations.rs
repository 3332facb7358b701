//! GitHub metadata after migrations
//!
//! Tables, entities and access patterns of the model `github-migrations`, written by `monotable
//! model export --to rust`.

use std::collections::{BTreeMap, BTreeSet};

use monotable::db::{Create, Get, Query};
use monotable::prelude::*;
use monotable::{Number, Value};

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
        ClosedIssue,
        PullRequest,
        ClosedPullRequest,
        IssueComment,
        PrComment,
        Reaction,
        Star,
        User,
        Organization,
        Membership,
        Gist,
        GitHubApp,
        AppInstallation,
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
#[gsi(
    Gsi4,
    name = "GSI4",
    pk = "GSI4PK": string,
    sk = "GSI4SK": string,
)]
#[gsi(
    Gsi5,
    name = "GSI5",
    pk = "GSI5PK": string,
    sk = "GSI5SK": string,
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
#[index(Gsi4 by_repo_owner_and_repo_name_in_gsi4:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "#REPO#{repo_owner}#{repo_name}",
)]
#[index(Gsi5 by_repo_owner_and_repo_name_in_gsi5:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "#REPO#{repo_owner}#{repo_name}",
)]
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
    /// Not there means none; older items never had it
    #[attr(name = "CodeOfConduct")]
    pub code_of_conduct: Option<BTreeMap<String, Value>>,
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
#[index(Gsi4 by_repo_owner_and_repo_name_in_gsi4:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "#REPO#{repo_owner}#{repo_name}",
)]
#[index(Gsi5 by_repo_owner_and_repo_name_in_gsi5:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "#REPO#{repo_owner}#{repo_name}",
)]
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
    /// Not there means none; older items never had it
    #[attr(name = "CodeOfConduct")]
    pub code_of_conduct: Option<BTreeMap<String, Value>>,
    /// The attribute `OriginalOwner`.
    #[attr(name = "OriginalOwner", max_len = 40)]
    pub original_owner: String,
}

/// An open issue: the mirrored number puts the newest first
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo_owner_and_repo_name:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "ISSUE#{issue_number:07}",
)]
#[index(Gsi4 by_repo_owner_and_repo_name_in_gsi4:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "ISSUE#{status:enum(Open=OPEN)}#{issue_number:08:desc}",
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
    pub reaction_counts: Option<BTreeMap<String, Value>>,
}

/// The values of `Status`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueStatus {
    /// `Open`
    Open,
}

/// The entity `ClosedIssue`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_repo_owner_and_repo_name:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "ISSUE#{issue_number:07}",
)]
#[index(Gsi4 by_repo_owner_and_repo_name_in_gsi4:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "#ISSUE#{status:enum(Closed=CLOSED)}#{issue_number:08}",
)]
pub struct ClosedIssue {
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
    pub status: ClosedIssueStatus,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// A number for each of the eight reactions, all 0 at first
    #[attr(name = "ReactionCounts")]
    pub reaction_counts: Option<BTreeMap<String, Value>>,
}

/// The values of `Status`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosedIssueStatus {
    /// `Closed`
    Closed,
}

/// An open pull request
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
#[index(Gsi5 by_repo_owner_and_repo_name_in_gsi5:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "PR#{status:enum(Open=OPEN)}#{pull_request_number:08:desc}",
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
    pub reaction_counts: Option<BTreeMap<String, Value>>,
}

/// The values of `Status`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullRequestStatus {
    /// `Open`
    Open,
}

/// Closed or merged
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
#[index(Gsi5 by_repo_owner_and_repo_name_in_gsi5:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "#PR#{status:enum(Closed=CLOSED)}#{pull_request_number:08}",
)]
pub struct ClosedPullRequest {
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
    pub status: ClosedPullRequestStatus,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// The attribute `ReactionCounts`.
    #[attr(name = "ReactionCounts")]
    pub reaction_counts: Option<BTreeMap<String, Value>>,
}

/// The values of `Status`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosedPullRequestStatus {
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
#[index(Gsi1 by_account_name_in_gsi1: pk = "ACCOUNT#{account_name}", sk = "ACCOUNT#{account_name}")]
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
#[index(Gsi1 by_account_name_in_gsi1: pk = "ACCOUNT#{account_name}", sk = "ACCOUNT#{account_name}")]
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

/// The leading # puts gists before their user, so that a descending read begins with the user
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_account_name: pk = "ACCOUNT#{account_name}", sk = "#GIST#{gist_id:ksuid}")]
pub struct Gist {
    /// A user; organizations have no gists
    #[attr(name = "AccountName", max_len = 40)]
    pub account_name: String,
    /// The attribute `GistId`.
    #[attr(name = "GistId")]
    pub gist_id: String,
    /// The attribute `GistTitle`.
    #[attr(name = "GistTitle", max_len = 200)]
    pub gist_title: Option<String>,
    /// The attribute `DateCreated`.
    #[attr(name = "DateCreated")]
    pub date_created: Option<String>,
}

/// The entity `GitHubApp`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_account_name_and_app_name:
    pk = "APP#{account_name}#{app_name:slug}",
    sk = "APP#{account_name}#{app_name:slug}",
)]
#[index(Gsi1 by_account_name: pk = "ACCOUNT#{account_name}", sk = "APP#{app_name:slug}")]
pub struct GitHubApp {
    /// The owner, a user or an organization
    #[attr(name = "AccountName", max_len = 40)]
    pub account_name: String,
    /// Without case and spaces in the keys
    #[attr(name = "AppName", max_len = 60)]
    pub app_name: String,
    /// The attribute `Description`.
    #[attr(name = "Description", max_len = 500)]
    pub description: Option<String>,
}

/// An app in a repository, listed from both sides
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GitHubTable)]
#[key(by_account_name_and_app_name:
    pk = "APP#{account_name}#{app_name:slug}",
    sk = "REPO#{repo_owner}#{repo_name}",
)]
#[index(Gsi1 by_repo_owner_and_repo_name:
    pk = "REPO#{repo_owner}#{repo_name}",
    sk = "REPOAPP#{account_name}#{app_name:slug}",
)]
pub struct AppInstallation {
    /// The owner of the app
    #[attr(name = "AccountName", max_len = 40)]
    pub account_name: String,
    /// The attribute `AppName`.
    #[attr(name = "AppName", max_len = 60)]
    pub app_name: String,
    /// The attribute `RepoOwner`.
    #[attr(name = "RepoOwner", max_len = 40)]
    pub repo_owner: String,
    /// The attribute `RepoName`.
    #[attr(name = "RepoName", max_len = 100)]
    pub repo_name: String,
}

/// What a partition holds together: User, Organization, Gist.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(GitHubTable, pk = "ACCOUNT#{account_name}", mixed)]
pub enum UserOrGistOrOrganization {
    /// The entity [`User`].
    User(User),
    /// The entity [`Organization`].
    Organization(Organization),
    /// The entity [`Gist`].
    Gist(Gist),
}

/// What a partition of `GSI1` holds together: User, Organization, GitHubApp.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi1,
    parts(account_name: String),
    pk = "ACCOUNT#{account_name}",
    mixed
)]
pub enum UserOrOrganizationOrGitHubApp {
    /// The entity [`User`].
    User(User),
    /// The entity [`Organization`].
    Organization(Organization),
    /// The entity [`GitHubApp`].
    GitHubApp(GitHubApp),
}

/// What a partition holds together: AppInstallation, GitHubApp.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(GitHubTable, pk = "APP#{account_name}#{app_name:slug}")]
pub enum GitHubAppOrAppInstallation {
    /// The entity [`AppInstallation`].
    AppInstallation(AppInstallation),
    /// The entity [`GitHubApp`].
    GitHubApp(GitHubApp),
}

/// What a partition of `GSI1` holds together: Fork, Repo, AppInstallation.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi1,
    parts(repo_owner: String, repo_name: String),
    pk = "REPO#{repo_owner}#{repo_name}",
    mixed
)]
pub enum RepoOrForkOrAppInstallation {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
    /// The entity [`AppInstallation`].
    AppInstallation(AppInstallation),
}

/// What a partition of `GSI1` holds together: Fork, Repo, PullRequest, ClosedPullRequest.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi1,
    parts(repo_owner: String, repo_name: String),
    pk = "REPO#{repo_owner}#{repo_name}",
    mixed
)]
pub enum RepoOrForkOrPullRequestOrClosedPullRequest {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
    /// The entity [`PullRequest`].
    PullRequest(PullRequest),
    /// The entity [`ClosedPullRequest`].
    ClosedPullRequest(ClosedPullRequest),
}

/// What a partition of `GSI4` holds together: Fork, Repo, Issue.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi4,
    parts(repo_owner: String, repo_name: String),
    pk = "REPO#{repo_owner}#{repo_name}",
    mixed
)]
pub enum RepoOrForkOrIssue {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
    /// The entity [`Issue`].
    Issue(Issue),
}

/// What a partition of `GSI4` holds together: Fork, Repo, ClosedIssue.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi4,
    parts(repo_owner: String, repo_name: String),
    pk = "REPO#{repo_owner}#{repo_name}",
    mixed
)]
pub enum RepoOrForkOrClosedIssue {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
    /// The entity [`ClosedIssue`].
    ClosedIssue(ClosedIssue),
}

/// What a partition of `GSI5` holds together: Fork, Repo, PullRequest.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi5,
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

/// What a partition of `GSI5` holds together: Fork, Repo, ClosedPullRequest.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    GitHubTable,
    index = Gsi5,
    parts(repo_owner: String, repo_name: String),
    pk = "REPO#{repo_owner}#{repo_name}",
    mixed
)]
pub enum RepoOrForkOrClosedPullRequest {
    /// The entity [`Fork`].
    Fork(Fork),
    /// The entity [`Repo`].
    Repo(Repo),
    /// The entity [`ClosedPullRequest`].
    ClosedPullRequest(ClosedPullRequest),
}

/// Access pattern: add code of conduct.
///
/// Repositories get it one by one; those without it are left as they are
pub fn add_code_of_conduct(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
    code_of_conduct: &BTreeMap<String, Value>,
) -> repo::Patch<Db<GitHubTable>> {
    db.patch(Repo::by_repo_owner_and_repo_name(repo_owner, repo_name))
        .code_of_conduct(code_of_conduct.clone())
}

/// Access pattern: create gist.
pub fn create_gist(db: &Db<GitHubTable>, gist: &Gist) -> Create<Gist> {
    db.create(gist)
}

/// Access pattern: user and newest gists.
///
/// The user and 20 gists
///
/// The range of sort keys holds `Organization` as well.
pub fn user_and_newest_gists(
    db: &Db<GitHubTable>,
    account_name: &str,
) -> Query<UserOrGistOrOrganization> {
    db.query(UserOrGistOrOrganization::of(account_name).span_of::<User>().span_of::<Gist>())
        .desc()
        .limit(21)
}

/// Access pattern: get gist.
pub fn get_gist(db: &Db<GitHubTable>, account_name: &str, gist_id: &str) -> Get<Gist> {
    db.get(Gist::by_account_name(account_name).gist_id(gist_id))
}

/// Access pattern: create app.
pub fn create_app(db: &Db<GitHubTable>, git_hub_app: &GitHubApp) -> Create<GitHubApp> {
    db.create(git_hub_app)
}

/// Access pattern: account and its apps.
///
/// The account, then its apps by name
pub fn account_and_its_apps(
    db: &Db<GitHubTable>,
    account_name: &str,
) -> Query<UserOrOrganizationOrGitHubApp> {
    db.query(UserOrOrganizationOrGitHubApp::of(account_name).span())
}

/// Access pattern: install app.
///
/// Once in each repository
pub fn install_app(
    db: &Db<GitHubTable>,
    app_installation: &AppInstallation,
) -> Create<AppInstallation> {
    db.create(app_installation)
}

/// Access pattern: app and its installations.
pub fn app_and_its_installations(
    db: &Db<GitHubTable>,
    account_name: &str,
    app_name: &str,
) -> Query<GitHubAppOrAppInstallation> {
    db.query(GitHubAppOrAppInstallation::of(account_name, app_name).span())
}

/// Access pattern: repository and installed apps.
///
/// The apps lie behind the repository, the pull requests before it
pub fn repository_and_installed_apps(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
) -> Query<RepoOrForkOrAppInstallation> {
    db.query(RepoOrForkOrAppInstallation::of(repo_owner, repo_name).span())
}

/// Access pattern: repository and newest pull requests.
///
/// As before, but for the bound that keeps the apps out
pub fn repository_and_newest_pull_requests(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
) -> Query<RepoOrForkOrPullRequestOrClosedPullRequest> {
    db.query(RepoOrForkOrPullRequestOrClosedPullRequest::of(repo_owner, repo_name).span())
        .desc()
        .limit(26)
}

/// Access pattern: repository and newest open issues.
pub fn repository_and_newest_open_issues(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
) -> Query<RepoOrForkOrIssue> {
    db.query(RepoOrForkOrIssue::of(repo_owner, repo_name).span()).limit(26)
}

/// Access pattern: repository and newest closed issues.
pub fn repository_and_newest_closed_issues(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
) -> Query<RepoOrForkOrClosedIssue> {
    db.query(RepoOrForkOrClosedIssue::of(repo_owner, repo_name).span()).desc().limit(26)
}

/// Access pattern: repository and newest open pull requests.
pub fn repository_and_newest_open_pull_requests(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
) -> Query<RepoOrForkOrPullRequest> {
    db.query(RepoOrForkOrPullRequest::of(repo_owner, repo_name).span()).limit(26)
}

/// Access pattern: repository and newest closed pull requests.
pub fn repository_and_newest_closed_pull_requests(
    db: &Db<GitHubTable>,
    repo_owner: &str,
    repo_name: &str,
) -> Query<RepoOrForkOrClosedPullRequest> {
    db.query(RepoOrForkOrClosedPullRequest::of(repo_owner, repo_name).span()).desc().limit(26)
}
