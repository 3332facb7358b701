//! The policy of a table or stream: who may do what with it.
//!
//! What a document means is not known here. It is stored with what it belongs to, and whoever
//! changes it does so in a transaction that stands only on the version that the request was checked
//! against.

use std::sync::Arc;

use monotable_storage::{Batch, Decision, Engine, Reads, Wants};

use crate::Database;
use crate::alteration::{After, put_stream};
use crate::error::TableError;
use crate::keyspace::stream;
use crate::stream::StreamSchema;
use crate::table::Table;

/// A policy, or that there is none, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AttachedPolicy {
    /// The document, if there is one.
    pub document: Option<Arc<str>>,
    /// When the document was put or removed, in milliseconds since 1970: its revision. No two
    /// changes have the same, whatever the clock says.
    pub revision_millis: Option<u64>,
}

impl AttachedPolicy {
    /// A policy that a table has from its first moment.
    pub fn new(document: Arc<str>) -> AttachedPolicy {
        AttachedPolicy { document: Some(document), revision_millis: None }
    }

    /// The same with the moment at which it began.
    pub(crate) fn begun(mut self, now_millis: u64) -> AttachedPolicy {
        self.revision_millis = self.document.as_ref().map(|_| now_millis);
        self
    }

    fn changed(&self, document: Option<Arc<str>>, now_millis: u64) -> AttachedPolicy {
        let later = self.revision_millis.map(|last| last.saturating_add(1));
        let revision_millis = Some(later.map_or(now_millis, |later| later.max(now_millis)));
        AttachedPolicy { document, revision_millis }
    }
}

impl<E: Engine> Database<E> {
    /// Puts the policy of a table that was checked, or removes it.
    pub async fn set_table_policy(
        self: &Arc<Self>,
        table: &Arc<Table>,
        document: Option<Arc<str>>,
    ) -> Result<AttachedPolicy, TableError> {
        let now_millis = self.clock.now_millis();
        let changed = self.alter(table, move |before| {
            let mut schema = before.schema.clone();
            schema.policy = schema.policy.changed(document.clone(), now_millis);
            Ok::<_, TableError>(After::schema(schema))
        });
        Ok(changed.await?.schema().policy.clone())
    }

    /// Puts the policy of a stream that was checked, or removes it.
    pub async fn set_stream_policy(
        self: &Arc<Self>,
        checked: &StreamSchema,
        document: Option<Arc<str>>,
    ) -> Result<AttachedPolicy, TableError> {
        let policy = checked.policy.changed(document, self.clock.now_millis());
        let key = stream::encode_key(&checked.home, &checked.table_name, checked.created_millis);
        let (database, expected) = (self.clone(), checked.policy.clone());
        let changing = async move {
            let keys = [key];
            let decide = |reads: &Reads| match changed_stream(reads, &expected, &policy) {
                Ok(batch) => Decision::Commit(batch, Ok(policy.clone())),
                Err(refusal) => Decision::Keep(Err(refusal)),
            };
            (database.transact(Wants::locked(&keys), decide).await, || ())
        };
        self.own(changing).await??
    }
}

/// The stream with another policy, if it still has the one that is expected.
fn changed_stream(
    reads: &Reads,
    expected: &AttachedPolicy,
    policy: &AttachedPolicy,
) -> Result<Batch, TableError> {
    let record = reads.get(0).ok_or(TableError::SchemaChanged)?;
    let stored = stream::decode_value(record)?;
    if stored.policy != *expected {
        return Err(TableError::SchemaChanged);
    }
    let mut batch = Batch::new();
    put_stream(&mut batch, &StreamSchema { policy: policy.clone(), ..stored });
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_grow_though_the_clock_stands_still() {
        let first = AttachedPolicy::new("a".into()).begun(7);
        let second = first.changed(Some("b".into()), 7);
        let third = second.changed(None, 3);
        let revisions = [&first, &second, &third].map(|policy| policy.revision_millis);
        assert_eq!(revisions, [Some(7), Some(8), Some(9)]);
    }
}
