//! Repositories, forks and stars.

use monotable::db::Page;
use monotable::prelude::*;

use super::{PageRequest, Store, page};
use crate::error::{AppError, Thing};
use crate::schema::{Account, Repo, RepoPage, RepoRow, Star, star};

impl Store {
    /// Adds a repository to an account.
    pub async fn create_repo(&self, owner: &str, name: &str) -> Result<Repo, AppError> {
        let repo = self.new_repo(owner, name, None);
        self.db
            .transaction()
            .check(&Account::by_name(owner), Account::KIND.exists())
            .or(AppError::Missing(Thing::Account))
            .create(&repo)
            .or(AppError::Exists(Thing::Repository))
            .await?;
        self.repo(owner, name).await
    }

    /// Copies a repository to another account, and counts it.
    pub async fn fork(&self, owner: &str, name: &str, forker: &str) -> Result<Repo, AppError> {
        if owner == forker {
            return Err(AppError::invalid("nobody forks their own repository"));
        }
        let fork = self.new_repo(forker, name, Some(owner.to_owned()));
        self.db
            .transaction()
            .check(&Account::by_name(forker), Account::KIND.exists())
            .or(AppError::Missing(Thing::Account))
            .create(&fork)
            .or(AppError::Exists(Thing::Repository))
            .patch(patch(Repo::by_name(owner, name)).fork_count(add(1_u32)))
            .or(AppError::Missing(Thing::Repository))
            .await?;
        self.repo(forker, name).await
    }

    /// The repository and its newest issues.
    pub async fn repo_page(&self, owner: &str, name: &str) -> Result<RepoPage, AppError> {
        let page: RepoPage = self.db.gather(RepoRow::of(owner, name)).await?;
        if page.repo.is_some() { Ok(page) } else { Err(AppError::Missing(Thing::Repository)) }
    }

    /// The forks of a repository, by their owners.
    pub async fn forks(&self, owner: &str, name: &str) -> Result<Vec<Repo>, AppError> {
        Ok(self.db.query(Repo::forks(owner, name)).all().await?)
    }

    /// Stars a repository, and counts the star.
    pub async fn star(&self, owner: &str, name: &str, username: &str) -> Result<(), AppError> {
        let [owner_name, repo_name, username] = [owner, name, username].map(str::to_owned);
        let star = Star { owner: owner_name, name: repo_name, username };
        let starred = self
            .db
            .transaction()
            .check(&Account::by_name(&star.username), Account::KIND.exists())
            .or(AppError::Missing(Thing::User))
            .create(&star)
            .or(AppError::Exists(Thing::Star))
            .patch(patch(Repo::by_name(owner, name)).star_count(add(1_u32)))
            .or(AppError::Missing(Thing::Repository))
            .await;
        Ok(starred?)
    }

    /// Takes a star away, and counts it down.
    pub async fn unstar(&self, owner: &str, name: &str, username: &str) -> Result<(), AppError> {
        let unstarred = self
            .db
            .transaction()
            .delete_existing(&Star::of_repo(owner, name).username(username))
            .or(AppError::Missing(Thing::Star))
            .patch(patch(Repo::by_name(owner, name)).star_count(sub(1_u32)))
            .or(AppError::Missing(Thing::Repository))
            .await;
        Ok(unstarred?)
    }

    /// A page of those who starred a repository.
    pub async fn stars(
        &self,
        owner: &str,
        name: &str,
        wanted: PageRequest<star::OfRepo>,
    ) -> Result<Page<star::OfRepo>, AppError> {
        page(self.db.query(Star::of_repo(owner, name)), wanted).await
    }

    /// The repository as it is.
    async fn repo(&self, owner: &str, name: &str) -> Result<Repo, AppError> {
        let repo = self.db.get(Repo::by_name(owner, name)).consistent().await?;
        repo.ok_or(AppError::Missing(Thing::Repository))
    }

    fn new_repo(&self, owner: &str, name: &str, original_owner: Option<String>) -> Repo {
        let now = self.now();
        Repo {
            owner: owner.to_owned(),
            name: name.to_owned(),
            original_owner,
            created_at: now,
            updated_at: now,
            last_number: 0,
            star_count: 0,
            fork_count: 0,
        }
    }
}
