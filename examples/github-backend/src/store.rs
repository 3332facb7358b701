//! The operations of the application, each one access pattern of the model.

mod accounts;
mod comments;
mod issues;
mod pulls;
mod reactions;
mod repos;

use monotable::backend::ErrorKind;
use monotable::db::{Page, Query};
use monotable::prelude::*;
use monotable::{Pattern, Stamp};

use crate::error::{AppError, Thing};
use crate::schema::{GitHub, Repo};

pub use reactions::Target;

/// The data of the service.
#[derive(Clone, Debug)]
pub struct Store {
    db: Db<GitHub>,
}

/// Which page of a list is wanted.
pub struct PageRequest<P> {
    /// How many rows it has.
    pub limit: usize,
    /// Where the page before it ended.
    pub after: Option<Cursor<P>>,
}

impl Store {
    /// The data in a table, which is made if it is missing.
    pub async fn open(db: Db<GitHub>) -> Result<Store, monotable::Error> {
        match db.create_table().await {
            Err(monotable::Error::Backend(error)) if error.kind == ErrorKind::InUse => {}
            made => made?,
        }
        Ok(Store { db })
    }

    fn now(&self) -> Timestamp {
        Timestamp::stamp(self.db.backend().now())
    }

    /// Counts up what the next issue or pull request of a repository is called. A number that is
    /// not used after that stays a gap.
    async fn next_number(&self, owner: &str, name: &str) -> Result<u32, AppError> {
        let counted = self
            .db
            .patch(Repo::by_name(owner, name))
            .last_number(add(1_u32))
            .updated_at(self.now())
            .await;
        match counted {
            Ok(repo) => Ok(repo.last_number),
            Err(WriteError::NotMet { .. }) => Err(AppError::Missing(Thing::Repository)),
            Err(error) => Err(error.into()),
        }
    }
}

/// One page of a query.
async fn page<P: Pattern>(query: Query<P>, wanted: PageRequest<P>) -> Result<Page<P>, AppError> {
    let query = query.exactly(wanted.limit);
    let query = match wanted.after {
        Some(cursor) => query.after(cursor),
        None => query,
    };
    Ok(query.await?)
}

/// A write that was refused because of what is, or is not, there.
fn refused<E: Entity>(error: WriteError<E>, meaning: AppError) -> AppError {
    match error {
        WriteError::NotMet { .. } => meaning,
        error => error.into(),
    }
}
