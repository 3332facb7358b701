//! What every operation needs: the database, and who and where we are.

use std::sync::Arc;

use monotable_database::stream::StreamSchema;
use monotable_database::{Database, Table};
use monotable_faults::FaultPlan;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::gate::{Gate, Imitation};
use crate::stream::arn::StreamName;
use crate::validate::table_name::TableName;

/// Settings that show in answers.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The region in Amazon resource names.
    pub region: String,
    /// The account in Amazon resource names.
    pub account: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { region: "us-east-1".to_owned(), account: "000000000000".to_owned() }
    }
}

/// The API on a database.
pub struct Api<E: Engine> {
    pub(crate) database: Arc<Database<E>>,
    pub(crate) settings: Settings,
    pub(crate) gate: Gate,
}

impl<E: Engine> Api<E> {
    /// The API on this database.
    pub fn new(database: Arc<Database<E>>, settings: Settings) -> Api<E> {
        Api { database, settings, gate: Gate::default() }
    }

    /// The same API, with calls refused that AWS would refuse.
    #[must_use]
    pub fn imitating(mut self, imitation: Imitation) -> Api<E> {
        self.gate = Gate::new(imitation);
        self
    }

    /// The faults that are in force.
    pub fn faults(&self) -> Arc<FaultPlan> {
        self.gate.plan()
    }

    /// Lets calls fail by these faults, and by no others, from here on.
    pub fn set_faults(&self, plan: FaultPlan) {
        self.database.keep_history(plan.age_max());
        self.gate.set_plan(Arc::new(plan));
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Does what has become due by the database's clock: see [`Database::catch_up`].
    pub async fn catch_up(&self) -> Result<(), monotable_storage::Error> {
        self.database.catch_up().await
    }

    /// The table of a call on items.
    pub(crate) async fn table(&self, name: TableName<'_>) -> Result<Arc<Table>, ApiError> {
        self.database.table(name.name()).await?.ok_or_else(ApiError::resource_not_found)
    }

    /// The table of a call on the table itself.
    pub(crate) async fn named_table(&self, name: &str) -> Result<Arc<Table>, ApiError> {
        self.database.table(name).await?.ok_or_else(|| ApiError::table_not_found(name))
    }

    /// The Amazon resource name of a table.
    pub(crate) fn table_arn(&self, name: &str) -> String {
        let Settings { region, account } = &self.settings;
        format!("arn:aws:dynamodb:{region}:{account}:table/{name}")
    }

    /// The Amazon resource name of a stream.
    pub(crate) fn stream_arn(&self, stream: &StreamName) -> String {
        format!("{}/stream/{}", self.table_arn(&stream.table), stream.label)
    }

    /// The stream that an Amazon resource name names.
    pub(crate) async fn stream(&self, arn: &str) -> Result<StreamSchema, ApiError> {
        let name = StreamName::parse(arn);
        let name = name.ok_or_else(|| ApiError::validation("Invalid StreamArn"))?;
        let streams = self.database.streams_of(&name.table).await?;
        let found = streams.into_iter().find(|stream| StreamName::of(stream) == name);
        found.ok_or_else(|| ApiError::stream_not_found(arn))
    }
}
