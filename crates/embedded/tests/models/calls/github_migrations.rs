//! The functions of `github-migrations`, called with the arguments of a step.

use crate::call::*;
use crate::generated::github_migrations::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<GitHubTable>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "add code of conduct" => {
            call.send(add_code_of_conduct(
                &call.db(),
                &call.argument::<String>("RepoOwner"),
                &call.argument::<String>("RepoName"),
                &call.argument::<BTreeMap<String, Value>>("CodeOfConduct"),
            ))
            .await
        }
        "create gist" => call.send(create_gist(&call.db(), &call.entity::<Gist>())).await,
        "user and newest gists" => {
            call.query(|| {
                user_and_newest_gists(&call.db(), &call.argument::<String>("AccountName"))
            })
            .await
        }
        "get gist" => {
            call.send(get_gist(
                &call.db(),
                &call.argument::<String>("AccountName"),
                &call.argument::<String>("GistId"),
            ))
            .await
        }
        "create app" => call.send(create_app(&call.db(), &call.entity::<GitHubApp>())).await,
        "account and its apps" => {
            call.query(|| account_and_its_apps(&call.db(), &call.argument::<String>("AccountName")))
                .await
        }
        "install app" => {
            call.send(install_app(&call.db(), &call.entity::<AppInstallation>())).await
        }
        "app and its installations" => {
            call.query(|| {
                app_and_its_installations(
                    &call.db(),
                    &call.argument::<String>("AccountName"),
                    &call.argument::<String>("AppName"),
                )
            })
            .await
        }
        "repository and installed apps" => {
            call.query(|| {
                repository_and_installed_apps(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                )
            })
            .await
        }
        "repository and newest pull requests" => {
            call.query(|| {
                repository_and_newest_pull_requests(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                )
            })
            .await
        }
        "repository and newest open issues" => {
            call.query(|| {
                repository_and_newest_open_issues(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                )
            })
            .await
        }
        "repository and newest closed issues" => {
            call.query(|| {
                repository_and_newest_closed_issues(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                )
            })
            .await
        }
        "repository and newest open pull requests" => {
            call.query(|| {
                repository_and_newest_open_pull_requests(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                )
            })
            .await
        }
        "repository and newest closed pull requests" => {
            call.query(|| {
                repository_and_newest_closed_pull_requests(
                    &call.db(),
                    &call.argument::<String>("RepoOwner"),
                    &call.argument::<String>("RepoName"),
                )
            })
            .await
        }
        _ => return None,
    })
}
