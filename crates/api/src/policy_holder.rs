//! Tables and streams whose policies calls are about.

use std::sync::Arc;

use monotable_database::stream::StreamSchema;
use monotable_database::{AttachedPolicy, Table, TableError};
use monotable_policy::Policy;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::resource_name::{account_in, stream_arn, table_arn};
use crate::session::Session;
use crate::stream::arn::StreamName;
use crate::validate::admission;
use crate::validate::resource_arn::ResourceArn;
use crate::validate::resource_policy::PolicyOwner;
use crate::wording;

/// A table or stream whose policy a call is about.
pub(crate) enum PolicyHolder {
    /// A table.
    Table(Arc<Table>),
    /// A stream, and its label.
    Stream {
        /// What is known of it.
        stream: Box<StreamSchema>,
        /// Its label.
        label: String,
    },
}

impl PolicyHolder {
    /// Its policy.
    pub(crate) fn policy(&self) -> &AttachedPolicy {
        match self {
            PolicyHolder::Table(table) => &table.schema().policy,
            PolicyHolder::Stream { stream, .. } => &stream.policy,
        }
    }

    /// Whose policy it is, in the words of refusals.
    pub(crate) fn owner(&self) -> PolicyOwner<'_> {
        match self {
            PolicyHolder::Table(table) => PolicyOwner::Table(&table.schema().name),
            PolicyHolder::Stream { label, .. } => PolicyOwner::Stream(label),
        }
    }

    /// The name of the table, or of the one that it is a stream of.
    pub(crate) fn table_name(&self) -> &str {
        match self {
            PolicyHolder::Table(table) => &table.schema().name,
            PolicyHolder::Stream { stream, .. } => &stream.table_name,
        }
    }

    /// Refuses to change the policy of a table that is being created or deleted.
    pub(crate) fn check_changeable(&self, now_millis: u64) -> Result<(), ApiError> {
        match self {
            PolicyHolder::Table(table) => admission::check_exists(table.schema(), now_millis),
            PolicyHolder::Stream { .. } => Ok(()),
        }
    }
}

impl<E: Engine> Session<'_, E> {
    /// The table or stream of a call on its policy, which must be of the caller's account.
    pub(crate) async fn policy_holder(
        &self,
        arn: ResourceArn<'_>,
        action: &'static str,
    ) -> Result<PolicyHolder, ApiError> {
        let home = self.home_of(account_in(arn.as_sent()));
        if home.account() != self.home().account() {
            return Err(wording::policy::not_the_owner());
        }
        match arn {
            ResourceArn::Table(name) => {
                Ok(PolicyHolder::Table(self.named_table(name, || Wish::new(action)).await?))
            }
            ResourceArn::Stream { table, label, .. } => {
                let name = StreamName { table: table.to_owned(), label: label.to_owned() };
                let found = self.find_stream(&home, &name, action).await?;
                let found =
                    found.ok_or_else(|| ApiError::stream_of_table_not_found(table, label))?;
                Ok(PolicyHolder::Stream { stream: Box::new(found), label: name.label })
            }
        }
    }

    /// Puts the policy of a table or stream, or removes it.
    pub(crate) async fn set_policy(
        &self,
        holder: &PolicyHolder,
        document: Option<Arc<str>>,
    ) -> Result<AttachedPolicy, TableError> {
        match holder {
            PolicyHolder::Table(table) => self.database.set_table_policy(table, document).await,
            PolicyHolder::Stream { stream, .. } => {
                self.database.set_stream_policy(stream, document).await
            }
        }
    }

    /// Refuses a policy by which the caller could not put another one in its place.
    pub(crate) fn check_may_put_policy(
        &self,
        holder: &PolicyHolder,
        policy: &Policy,
    ) -> Result<(), ApiError> {
        let Some(principal) = self.caller.principal() else { return Ok(()) };
        let wish = Wish::new("PutResourcePolicy");
        let (resource, schema) = match holder {
            PolicyHolder::Table(table) => {
                (table_arn(self.home(), &table.schema().name), Some(&**table.schema()))
            }
            PolicyHolder::Stream { stream, .. } => {
                (stream_arn(self.home(), &StreamName::of(stream)), None)
            }
        };
        let asked = self.ask(principal, &wish, &resource, schema, Some(policy));
        asked.map_err(|_| wording::policy::locks_out_caller())
    }
}
