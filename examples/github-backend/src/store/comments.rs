//! Comments on issues and pull requests.

use example_web::ksuid;
use monotable::db::Page;

use super::{PageRequest, Store, page};
use crate::error::{AppError, Thing};
use crate::schema::{Comment, Emoji, Issue, PullRequest, Thread, comment};

impl Store {
    /// Adds a comment to an issue or a pull request that exists.
    pub async fn comment(
        &self,
        thread: Thread,
        owner: &str,
        name: &str,
        number: u32,
        author: String,
        body: String,
    ) -> Result<Comment, AppError> {
        let comment = Comment {
            thread,
            owner: owner.to_owned(),
            name: name.to_owned(),
            number,
            comment_id: ksuid::generate(self.db.backend().now())?,
            author,
            body,
            reaction_counts: Emoji::no_counts(),
        };
        let transaction = self.db.transaction();
        let checked = match thread {
            Thread::Issue => transaction
                .check(&Issue::of_repo(owner, name).number(number), Issue::STATUS.exists())
                .or(AppError::Missing(Thing::Issue)),
            Thread::PullRequest => transaction
                .check(&PullRequest::by_number(owner, name, number), PullRequest::STATUS.exists())
                .or(AppError::Missing(Thing::PullRequest)),
        };
        checked.create(&comment).or(AppError::Exists(Thing::Comment)).await?;
        Ok(comment)
    }

    /// A page of the comments on an issue or a pull request, the oldest first.
    pub async fn comments(
        &self,
        thread: Thread,
        owner: &str,
        name: &str,
        number: u32,
        wanted: PageRequest<comment::OfThread>,
    ) -> Result<Page<comment::OfThread>, AppError> {
        page(self.db.query(Comment::of_thread(thread, owner, name, number)), wanted).await
    }
}
