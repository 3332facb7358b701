//! Issues.

use monotable::db::Page;

use super::{PageRequest, Store, page, refused};
use crate::error::{AppError, Thing};
use crate::schema::{Emoji, Issue, Status, issue};

impl Store {
    /// Opens an issue under the next number of its repository.
    pub async fn open_issue(
        &self,
        owner: &str,
        name: &str,
        title: String,
    ) -> Result<Issue, AppError> {
        let issue = Issue {
            owner: owner.to_owned(),
            name: name.to_owned(),
            number: self.next_number(owner, name).await?,
            title,
            status: Status::Open,
            created_at: self.now(),
            reaction_counts: Emoji::no_counts(),
        };
        let created = self.db.create(&issue).await;
        created.map_err(|error| refused(error, AppError::Exists(Thing::Issue)))
    }

    /// An issue.
    pub async fn issue(&self, owner: &str, name: &str, number: u32) -> Result<Issue, AppError> {
        let issue = self.db.get(Issue::of_repo(owner, name).number(number)).await?;
        issue.ok_or(AppError::Missing(Thing::Issue))
    }

    /// A page of the issues of a repository, the newest first, of one status if one is given.
    pub async fn issues(
        &self,
        owner: &str,
        name: &str,
        status: Option<Status>,
        wanted: PageRequest<issue::OfRepo>,
    ) -> Result<Page<issue::OfRepo>, AppError> {
        let query = self.db.query(Issue::of_repo(owner, name)).desc();
        let query = match status {
            Some(status) => query.filter(Issue::STATUS.is(status)),
            None => query,
        };
        page(query, wanted).await
    }

    /// Closes an issue, or opens it again.
    pub async fn set_issue_status(
        &self,
        owner: &str,
        name: &str,
        number: u32,
        status: Status,
    ) -> Result<Issue, AppError> {
        let changed = self.db.patch(Issue::of_repo(owner, name).number(number)).status(status);
        changed.await.map_err(|error| refused(error, AppError::Missing(Thing::Issue)))
    }
}
