//! Pull requests.

use monotable::db::Page;

use super::{PageRequest, Store, page, refused};
use crate::error::{AppError, Thing};
use crate::schema::{Emoji, PullRequest, Status, pull_request};

impl Store {
    /// Opens a pull request under the next number of its repository.
    pub async fn open_pull_request(
        &self,
        owner: &str,
        name: &str,
        title: String,
    ) -> Result<PullRequest, AppError> {
        let pull_request = PullRequest {
            owner: owner.to_owned(),
            name: name.to_owned(),
            number: self.next_number(owner, name).await?,
            title,
            status: Status::Open,
            created_at: self.now(),
            reaction_counts: Emoji::no_counts(),
        };
        let created = self.db.create(&pull_request).await;
        created.map_err(|error| refused(error, AppError::Exists(Thing::PullRequest)))
    }

    /// A pull request.
    pub async fn pull_request(
        &self,
        owner: &str,
        name: &str,
        number: u32,
    ) -> Result<PullRequest, AppError> {
        let pull_request = self.db.get(PullRequest::by_number(owner, name, number)).await?;
        pull_request.ok_or(AppError::Missing(Thing::PullRequest))
    }

    /// A page of the pull requests of a repository, the newest first, of one status if one is
    /// given.
    pub async fn pull_requests(
        &self,
        owner: &str,
        name: &str,
        status: Option<Status>,
        wanted: PageRequest<pull_request::OfRepo>,
    ) -> Result<Page<pull_request::OfRepo>, AppError> {
        let query = self.db.query(PullRequest::of_repo(owner, name)).desc();
        let query = match status {
            Some(status) => query.filter(PullRequest::STATUS.is(status)),
            None => query,
        };
        page(query, wanted).await
    }

    /// Closes a pull request, or opens it again.
    pub async fn set_pull_request_status(
        &self,
        owner: &str,
        name: &str,
        number: u32,
        status: Status,
    ) -> Result<PullRequest, AppError> {
        let changed = self.db.patch(PullRequest::by_number(owner, name, number)).status(status);
        changed.await.map_err(|error| refused(error, AppError::Missing(Thing::PullRequest)))
    }
}
