//! Reactions: each of the eight once for each user, and counted where they were given.

use std::collections::BTreeSet;

use monotable::db::{TransactError, Transaction};
use monotable::member;
use monotable::prelude::*;

use super::Store;
use crate::error::{AppError, Thing};
use crate::schema::{Comment, Emoji, GitHub, Issue, PullRequest, Reaction, TargetKind, Thread};

/// What is reacted to.
#[derive(Debug, Clone)]
pub struct Target {
    /// The owner of the repository.
    pub owner: String,
    /// The repository.
    pub name: String,
    /// The issue or the pull request.
    pub number: u32,
    /// Which of the two.
    pub thread: Thread,
    /// The comment on it, if that is what is reacted to.
    pub comment_id: Option<String>,
}

impl Store {
    /// Reacts to something.
    pub async fn react(
        &self,
        target: &Target,
        username: &str,
        emoji: Emoji,
    ) -> Result<(), AppError> {
        let reaction = target.reaction(username, emoji);
        let is_new = !Reaction::REACTIONS.contains(emoji.name());
        let further = self
            .db
            .transaction()
            .patch(patch(Key::of(&reaction)?).reactions(insert(emoji.name())).when(is_new))
            .or(AppError::Exists(Thing::Reaction));
        match target.count(further, emoji).await {
            // The user has not reacted to this at all.
            Err(TransactError::Refused(refusal))
                if refusal.at == 0 && refusal.current.is_none() =>
            {
                let first = self.db.transaction().create(&reaction);
                let first = first.or(AppError::Exists(Thing::Reaction));
                Ok(target.count(first, emoji).await?)
            }
            reacted => Ok(reacted?),
        }
    }
}

impl Target {
    fn kind(&self) -> TargetKind {
        match (self.thread, &self.comment_id) {
            (Thread::Issue, None) => TargetKind::Issue,
            (Thread::PullRequest, None) => TargetKind::PullRequest,
            (Thread::Issue, Some(_)) => TargetKind::IssueComment,
            (Thread::PullRequest, Some(_)) => TargetKind::PullRequestComment,
        }
    }

    /// The first reaction of a user.
    fn reaction(&self, user: &str, emoji: Emoji) -> Reaction {
        let target = match &self.comment_id {
            Some(comment_id) => format!("{}#{comment_id}", self.number),
            None => self.number.to_string(),
        };
        Reaction {
            kind: self.kind(),
            owner: self.owner.clone(),
            name: self.name.clone(),
            target,
            user: user.to_owned(),
            reactions: BTreeSet::from([emoji.name().to_owned()]),
        }
    }

    /// Adds the step that counts a reaction.
    fn count(
        &self,
        transaction: Transaction<GitHub, AppError>,
        emoji: Emoji,
    ) -> Transaction<GitHub, AppError> {
        let (owner, name, number) = (&self.owner, &self.name, self.number);
        let one_more = member(emoji.name()).add(1_u32);
        match (&self.comment_id, self.thread) {
            (Some(comment_id), thread) => {
                let key = Comment::of_thread(thread, owner, name, number).comment_id(comment_id);
                let counted = transaction.patch(patch(key).reaction_counts(one_more));
                counted.or(AppError::Missing(Thing::Comment))
            }
            (None, Thread::Issue) => {
                let key = Issue::of_repo(owner, name).number(number);
                let counted = transaction.patch(patch(key).reaction_counts(one_more));
                counted.or(AppError::Missing(Thing::Issue))
            }
            (None, Thread::PullRequest) => {
                let key = PullRequest::by_number(owner, name, number);
                let counted = transaction.patch(patch(key).reaction_counts(one_more));
                counted.or(AppError::Missing(Thing::PullRequest))
            }
        }
    }
}
