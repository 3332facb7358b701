//! The functions of `github-backend`, called with the arguments of a step.

use crate::call::*;
use crate::generated::github_backend::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<GitHubTable>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "create repository" => {
            call.send(create_repository(&call.db(), &call.entity::<Repo>())).await
        }
        "get repository" => {
            call.send(get_repository(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
            ))
            .await
        }
        "touch repository" => {
            call.send(touch_repository(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
                &call.argument::<String>("UpdatedAt"),
            ))
            .await
        }
        "hand out a number" => {
            call.send(hand_out_a_number(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
            ))
            .await
        }
        "put issue" => call.send(put_issue(&call.db(), &call.entity::<Issue>())).await,
        "get issue" => {
            call.send(get_issue(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
                call.argument::<Number>("IssueNumber"),
            ))
            .await
        }
        "repository and newest issues" => {
            call.query(|| {
                repository_and_newest_issues(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                )
            })
            .await
        }
        "repository and newest issues of a status" => {
            call.query(|| {
                repository_and_newest_issues_of_a_status(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                    call.argument::<IssueStatus>("Status"),
                )
            })
            .await
        }
        "put pull request" => {
            call.send(put_pull_request(&call.db(), &call.entity::<PullRequest>())).await
        }
        "get pull request" => {
            call.send(get_pull_request(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
                call.argument::<Number>("PullRequestNumber"),
            ))
            .await
        }
        "repository and newest pull requests" => {
            call.query(|| {
                repository_and_newest_pull_requests(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                    call.argument::<Option<PullRequestStatus>>("Status"),
                )
            })
            .await
        }
        "fork repository" => {
            call.send(fork_repository(
                &call.db(),
                &call.entity::<Fork>(),
                &call.argument::<String>("OriginalOwner"),
                &call.argument::<String>("RepoName"),
            ))
            .await
        }
        "repository and its forks" => {
            call.query(|| {
                repository_and_its_forks(
                    &call.db(),
                    &call.argument::<String>("OriginalOwner"),
                    &call.argument::<String>("RepoName"),
                )
            })
            .await
        }
        "comment on an issue" => {
            call.send(comment_on_an_issue(&call.db(), &call.entity::<IssueComment>())).await
        }
        "comment on a pull request" => {
            call.send(comment_on_a_pull_request(&call.db(), &call.entity::<PrComment>())).await
        }
        "comments of an issue" => {
            call.query(|| {
                comments_of_an_issue(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                    call.argument::<Number>("IssueNumber"),
                )
            })
            .await
        }
        "comments of a pull request" => {
            call.query(|| {
                comments_of_a_pull_request(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                    call.argument::<Number>("PullRequestNumber"),
                )
            })
            .await
        }
        "react to an issue" => {
            call.send(react_to_an_issue(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
                &call.argument::<String>("TargetIdentifier"),
                &call.argument::<String>("Username"),
                &call.argument::<BTreeSet<String>>("reactions"),
                &call.argument::<String>("reaction"),
                call.argument::<Number>("IssueNumber"),
            ))
            .await
        }
        "react to a pull request" => {
            call.send(react_to_a_pull_request(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
                &call.argument::<String>("TargetIdentifier"),
                &call.argument::<String>("Username"),
                &call.argument::<BTreeSet<String>>("reactions"),
                &call.argument::<String>("reaction"),
                call.argument::<Number>("PullRequestNumber"),
            ))
            .await
        }
        "react to a comment on an issue" => {
            call.send(react_to_a_comment_on_an_issue(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
                &call.argument::<String>("TargetIdentifier"),
                &call.argument::<String>("Username"),
                &call.argument::<BTreeSet<String>>("reactions"),
                &call.argument::<String>("reaction"),
                call.argument::<Number>("IssueNumber"),
                &call.argument::<String>("CommentId"),
            ))
            .await
        }
        "react to a comment on a pull request" => {
            call.send(react_to_a_comment_on_a_pull_request(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
                &call.argument::<String>("TargetIdentifier"),
                &call.argument::<String>("Username"),
                &call.argument::<BTreeSet<String>>("reactions"),
                &call.argument::<String>("reaction"),
                call.argument::<Number>("PullRequestNumber"),
                &call.argument::<String>("CommentId"),
            ))
            .await
        }
        "star repository" => {
            call.send(star_repository(
                &call.db(),
                &call.entity::<Star>(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
            ))
            .await
        }
        "repository and those who starred it" => {
            call.query(|| {
                repository_and_those_who_starred_it(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                )
            })
            .await
        }
        "create user" => call.send(create_user(&call.db(), &call.entity::<User>())).await,
        "create organization" => {
            call.send(create_organization(&call.db(), &call.entity::<Organization>())).await
        }
        "add user to organization" => {
            call.send(add_user_to_organization(
                &call.db(),
                &call.entity::<Membership>(),
                &call.argument::<String>("Username"),
                &call.argument::<String>("OrganizationName"),
                &call.argument::<String>("Role"),
            ))
            .await
        }
        "users of an organization" => {
            call.query(|| {
                users_of_an_organization(&call.db(), &call.argument::<String>("OrganizationName"))
            })
            .await
        }
        "organizations of a user" => {
            call.send(organizations_of_a_user(&call.db(), &call.argument::<String>("AccountName")))
                .await
        }
        "account and its repositories" => {
            call.query(|| {
                account_and_its_repositories(&call.db(), &call.argument::<String>("AccountName"))
            })
            .await
        }
        _ => return None,
    })
}
