//! One call: the database, and who asks it.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use monotable_database::schema::TableSchema;
use monotable_database::stream::StreamSchema;
use monotable_database::{Database, DescribedTable, Home, Table};
use monotable_identity::{Caller, Principal};
use monotable_observe::Observer;
use monotable_policy::{Decision, Policy, PrincipalName, Question, decide};
use monotable_storage::Engine;

use crate::authorization::{Wish, WishFacts};
use crate::context::Api;
use crate::error::ApiError;
use crate::gate::{Attempts, Gate};
use crate::observation;
use crate::resource_name::{account_in, global_table_arn, index_arn, stream_arn, table_arn};
use crate::stream::arn::StreamName;
use crate::table_part::TablePart;
use crate::validate::resource_arn::ResourceArn;
use crate::validate::resource_policy;
use crate::validate::table_name::TableName;
use crate::wording;

/// What an operation works with. Tables and streams are had only by saying what they are wanted
/// for, which the caller's policies must allow.
pub(crate) struct Session<'a, E: Engine> {
    pub(crate) database: &'a Arc<Database<E>>,
    pub(crate) gate: &'a Gate,
    pub(crate) observer: &'a Observer,
    pub(crate) caller: &'a Caller,
    pub(crate) attempts: Attempts,
    home: Home,
    /// On a store that others use too: the tables that the call was checked against as they are
    /// remembered here.
    remembered: Mutex<Vec<Arc<Table>>>,
}

impl<'a, E: Engine> Session<'a, E> {
    /// A call of the API.
    pub(crate) fn new(api: &'a Api<E>, caller: &'a Caller) -> Session<'a, E> {
        let home = match caller.principal() {
            Some(principal) => api.home.of_account(&principal.account),
            None => api.home.clone(),
        };
        let (attempts, remembered) = (Attempts::default(), Mutex::default());
        let (gate, observer) = (&api.gate, &*api.observer);
        Session { database: &api.database, gate, observer, caller, attempts, home, remembered }
    }

    /// Whether a refusal came about by a table that another server has changed since: an index that
    /// this one does not know yet, say. The request is to be checked again then.
    pub(crate) async fn is_outdated(&self, error: &ApiError) -> bool {
        // Behind a pointer, so that calls on a store of one's own have no room for it.
        self.database.is_shared() && error.status() == 400 && Box::pin(self.has_changes()).await
    }

    async fn has_changes(&self) -> bool {
        let tables = std::mem::take(&mut *self.lock_remembered());
        for table in tables {
            // A store that cannot be read leaves the refusal as it is.
            if matches!(self.database.is_current(&table).await, Ok(false)) {
                return true;
            }
        }
        false
    }

    fn lock_remembered(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Table>>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where names lead that say no account.
    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// The name that the server was called by, if that was found out.
    pub(crate) fn host(&self) -> Option<&str> {
        self.caller.host()
    }

    /// The table of a call on items.
    pub(crate) async fn table<'r>(
        &self,
        name: TableName<'_>,
        wish: impl FnOnce() -> Wish<'r>,
    ) -> Result<Arc<Table>, ApiError> {
        let home = self.home_of(name.account());
        let table = self.database.table(&home, name.name()).await?;
        if self.database.is_shared() {
            self.lock_remembered().extend(table.clone());
        }
        self.authorize_table(&home, name.name(), table.as_deref(), wish)?;
        let table = table.filter(|it| it.schema().takes_items(|| self.database.now_millis()));
        let table = table.ok_or_else(ApiError::resource_not_found)?;
        observation::note_table(table.schema());
        if !self.observer.is_active() && table.schema().has_insights() {
            self.observer.watch_keys();
        }
        Ok(table)
    }

    /// The table of a call on the table itself.
    pub(crate) async fn named_table<'r>(
        &self,
        name: TableName<'_>,
        wish: impl FnOnce() -> Wish<'r>,
    ) -> Result<Arc<Table>, ApiError> {
        self.table_or(name, wish, || ApiError::table_not_found(name.name())).await
    }

    /// The table of a call that has an error of its own for a table that does not exist.
    pub(crate) async fn table_or<'r>(
        &self,
        name: TableName<'_>,
        wish: impl FnOnce() -> Wish<'r>,
        not_found: impl FnOnce() -> ApiError,
    ) -> Result<Arc<Table>, ApiError> {
        self.find_table(name, wish).await?.ok_or_else(not_found)
    }

    /// The table of a call on its tags. Streams have none.
    pub(crate) async fn tagged_table<'r>(
        &self,
        arn: ResourceArn<'_>,
        wish: impl FnOnce() -> Wish<'r>,
    ) -> Result<Arc<Table>, ApiError> {
        let table = match arn {
            ResourceArn::Table(name) => self.find_table(name, wish).await?,
            ResourceArn::Stream { .. } => {
                self.authorize(|| arn.as_sent().to_owned(), None, wish)?;
                None
            }
        };
        table.ok_or_else(|| ApiError::resource_arn_not_found(arn.as_sent()))
    }

    async fn find_table<'r>(
        &self,
        name: TableName<'_>,
        wish: impl FnOnce() -> Wish<'r>,
    ) -> Result<Option<Arc<Table>>, ApiError> {
        let home = self.home_of(name.account());
        let table = self.database.current_table(&home, name.name()).await?;
        self.authorize_table(&home, name.name(), table.as_deref(), wish)?;
        table.iter().for_each(|table| observation::note_table(table.schema()));
        Ok(table)
    }

    /// A table with how much it holds.
    pub(crate) async fn described<'r>(
        &self,
        name: TableName<'_>,
        wish: impl FnOnce() -> Wish<'r>,
    ) -> Result<DescribedTable, ApiError> {
        let home = self.home_of(name.account());
        let described = self.database.describe(&home, name.name()).await?;
        let table = described.as_ref().map(|described| &*described.table);
        self.authorize_table(&home, name.name(), table, wish)?;
        let described = described.ok_or_else(|| ApiError::table_not_found(name.name()))?;
        observation::note_table(described.table.schema());
        Ok(described)
    }

    /// The stream that an Amazon resource name names, for an action on it.
    pub(crate) async fn stream(
        &self,
        arn: &str,
        action: &'static str,
    ) -> Result<StreamSchema, ApiError> {
        let name = StreamName::parse(arn);
        let name = name.ok_or_else(|| ApiError::validation("Invalid StreamArn"))?;
        let home = self.home_of(account_in(arn));
        let found = self.find_stream(&home, &name, action).await?;
        found.ok_or_else(|| ApiError::stream_not_found(arn))
    }

    /// A stream by its name, for an action on it, if there is one.
    pub(crate) async fn find_stream(
        &self,
        home: &Home,
        name: &StreamName,
        action: &'static str,
    ) -> Result<Option<StreamSchema>, ApiError> {
        let streams = self.database.streams_of(home, &name.table).await?;
        let found = streams.into_iter().find(|stream| StreamName::of(stream) == *name);
        // Asked about the name as we write it: the one that was sent may be spelt in other ways,
        // which no policy would know.
        if let Some(principal) = self.caller.principal() {
            let document = found.as_ref().and_then(|stream| stream.policy.document.as_deref());
            let policy = document.map(resource_policy::compile).transpose()?;
            let resource = stream_arn(home, name);
            self.ask(principal, &Wish::new(action), &resource, None, policy.as_ref())?;
        }
        found.iter().for_each(|stream| observation::note_stream(&stream.table_name));
        Ok(found)
    }

    /// Asks whether a table may be created.
    pub(crate) fn authorize_new_table<'r>(
        &self,
        name: &str,
        wish: impl FnOnce() -> Wish<'r>,
    ) -> Result<(), ApiError> {
        self.authorize_table(&self.home, name, None, wish)
    }

    /// Asks whether an action may be done on a backup, export or import of a table.
    pub(crate) fn authorize_part(
        &self,
        part: &TablePart<'_>,
        action: &'static str,
    ) -> Result<(), ApiError> {
        let home = self.home_of(part.account());
        self.authorize(|| part.arn(&home), None, || Wish::new(action))
    }

    /// Asks whether an action may be done on a global table.
    pub(crate) fn authorize_global_table(
        &self,
        name: &str,
        action: &'static str,
    ) -> Result<(), ApiError> {
        self.authorize(|| global_table_arn(&self.home, name), None, || Wish::new(action))
    }

    /// Asks whether an action may be done on what an Amazon resource name names.
    pub(crate) fn authorize_arn(&self, arn: &str, action: &'static str) -> Result<(), ApiError> {
        self.authorize(|| arn.to_owned(), None, || Wish::new(action))
    }

    /// Asks whether an action may be done that is about all tables.
    pub(crate) fn authorize_all_tables(&self, action: &'static str) -> Result<(), ApiError> {
        self.authorize(|| table_arn(&self.home, "*"), None, || Wish::new(action))
    }

    /// Asks whether an action may be done that is about no resource in particular.
    pub(crate) fn authorize_anything(&self, action: &'static str) -> Result<(), ApiError> {
        self.authorize(|| "*".to_owned(), None, || Wish::new(action))
    }

    /// Asks whether an action may be done that is about all streams.
    pub(crate) fn authorize_all_streams(&self, action: &'static str) -> Result<(), ApiError> {
        let every = || format!("{}/stream/*", table_arn(&self.home, "*"));
        self.authorize(every, None, || Wish::new(action))
    }

    /// Where a name leads that may say an account. Where nobody is known there is one account, and
    /// what names say of others does not matter.
    pub(crate) fn home_of(&self, account: Option<&str>) -> Cow<'_, Home> {
        match account.filter(|account| *account != self.home.account()) {
            Some(account) if self.caller.principal().is_some() => {
                Cow::Owned(self.home.of_account(account))
            }
            Some(_) | None => Cow::Borrowed(&self.home),
        }
    }

    fn authorize_table<'r>(
        &self,
        home: &Home,
        name: &str,
        table: Option<&Table>,
        wish: impl FnOnce() -> Wish<'r>,
    ) -> Result<(), ApiError> {
        let Some(principal) = self.caller.principal() else { return Ok(()) };
        let wish = wish();
        let resource = match wish.index {
            Some(index) => index_arn(home, name, index),
            None => table_arn(home, name),
        };
        let policy = table.and_then(|table| table.derived(compiled_policy));
        let policy = policy.as_deref().map_or(Ok(None), |policy| match policy {
            Ok(policy) => Ok(policy.as_ref()),
            Err(unreadable) => Err(unreadable.clone()),
        })?;
        self.ask(principal, &wish, &resource, table.map(|table| &**table.schema()), policy)
    }

    fn authorize<'r>(
        &self,
        resource: impl FnOnce() -> String,
        schema: Option<&TableSchema>,
        wish: impl FnOnce() -> Wish<'r>,
    ) -> Result<(), ApiError> {
        let Some(principal) = self.caller.principal() else { return Ok(()) };
        self.ask(principal, &wish(), &resource(), schema, None)
    }

    /// Asks the policies. Kept out of line: most servers that are asked often have no policies.
    #[cold]
    pub(crate) fn ask(
        &self,
        principal: &Principal,
        wish: &Wish<'_>,
        resource: &str,
        schema: Option<&TableSchema>,
        policy: Option<&Policy>,
    ) -> Result<(), ApiError> {
        let action = format!("dynamodb:{}", wish.action);
        let facts = WishFacts {
            wish,
            schema,
            source: self.caller.source(),
            region: self.home.region(),
            now_millis: self.database.now_millis(),
        };
        let name = PrincipalName::user(&principal.account, &principal.user);
        let question = Question { principal: &name, action: &action, resource, facts: &facts };
        match decide(&principal.policies, policy, &question) {
            Decision::Allowed { .. } => Ok(()),
            refused => Err(wording::authorization::denied(&name, &action, resource, &refused)),
        }
    }
}

/// What a table's policy means, made once for each version of the table. It was checked when it was
/// put, so that it cannot be read is a fault of ours, and nobody is let in on it.
fn compiled_policy(schema: &TableSchema) -> Result<Option<Policy>, ApiError> {
    schema.policy.document.as_deref().map(resource_policy::compile).transpose()
}
