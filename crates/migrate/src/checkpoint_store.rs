//! Where checkpoints are kept: in the migrated table, or in another one.

use std::sync::Arc;

use monotable_item::key_encoding::KeyType;
use monotable_item::{Item, Value};
use monotable_model::document::KeyAttribute;
use monotable_remote::{Endpoint, decode_value, encode_item};
use serde_json::{Value as Json, json};

use crate::checkpoint::{CONTENT, Header, Part, SegmentCheckpoint};
use crate::error::Error;
use crate::job::{Job, Prepared};
use crate::request;
use crate::settings::Settings;
use crate::table::Described;

/// The key of a table that is made for checkpoints.
const OWN_KEY: &str = "id";

/// The checkpoints of one migration.
pub(crate) struct CheckpointStore {
    endpoint: Arc<Endpoint>,
    /// The table that holds them.
    table: String,
    key: Vec<KeyAttribute>,
    /// The table that is migrated.
    migrated: String,
    fingerprint: String,
}

impl CheckpointStore {
    /// The store that the settings name. A table of their own is made if it is not there.
    pub(crate) async fn open(
        job: &Job,
        prepared: &Prepared,
        settings: &Settings,
    ) -> Result<CheckpointStore, Error> {
        let endpoint = Arc::clone(&job.endpoint);
        let described = match &settings.checkpoint_table {
            Some(name) => describe_or_create(&endpoint, name).await?,
            None => prepared.described.clone(),
        };
        if described.key.iter().any(|part| part.kind == KeyType::Number) {
            return Err(Error::NoRoomForCheckpoints { table: described.name });
        }
        Ok(CheckpointStore {
            endpoint,
            table: described.name,
            key: described.key,
            migrated: job.table.clone(),
            fingerprint: job.fingerprint(),
        })
    }

    /// How far each segment has come in an earlier run, or nothing of it. The segments are as many
    /// as they were.
    pub(crate) async fn resume(
        &self,
        segments: u32,
        restart: bool,
    ) -> Result<Vec<SegmentCheckpoint>, Error> {
        match self.header().await? {
            Some(header) if restart => self.clear(header.segments).await?,
            Some(header) if header.fingerprint == self.fingerprint => {
                return self.segments(header.segments).await;
            }
            Some(header) => {
                let (table, key) = (self.migrated.clone(), Part::Header.text(&self.migrated));
                return Err(Error::OtherMigration { table, key, found: header.fingerprint });
            }
            None => {}
        }
        let header = Header { fingerprint: self.fingerprint.clone(), segments };
        self.put(Part::Header, &header.encode()).await?;
        Ok((0..segments).map(|_| SegmentCheckpoint::default()).collect())
    }

    /// Keeps how far a segment has come.
    pub(crate) async fn save(
        &self,
        segment: u32,
        checkpoint: &SegmentCheckpoint,
    ) -> Result<(), Error> {
        self.put(Part::Segment(segment), &checkpoint.encode()).await
    }

    /// Forgets the migration.
    pub(crate) async fn forget(&self) -> Result<(), Error> {
        match self.header().await? {
            Some(header) => self.clear(header.segments).await,
            None => Ok(()),
        }
    }

    /// The header goes last, so that a run that is killed in between finds what is left.
    async fn clear(&self, segments: u32) -> Result<(), Error> {
        let parts = (0..segments).map(Part::Segment).chain([Part::Header]);
        for part in parts {
            let body = json!({ "TableName": self.table, "Key": encode_item(&self.key_of(part)) });
            self.endpoint.call_patiently("DeleteItem", &body).await?;
        }
        Ok(())
    }

    async fn header(&self) -> Result<Option<Header>, Error> {
        self.get(Part::Header, Header::decode).await
    }

    async fn segments(&self, count: u32) -> Result<Vec<SegmentCheckpoint>, Error> {
        let mut segments = Vec::new();
        for number in 0..count {
            let found = self.get(Part::Segment(number), SegmentCheckpoint::decode).await?;
            segments.push(found.unwrap_or_default());
        }
        Ok(segments)
    }

    async fn get<T>(
        &self,
        part: Part,
        decode: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let body = request::get(&self.table, &self.key_of(part));
        let answer = self.endpoint.call_patiently("GetItem", &body).await?;
        let Some(item) = answer.get("Item") else { return Ok(None) };
        let key = || part.text(&self.migrated);
        let Some(content) = item.get(CONTENT) else { return Err(self.taken(part)) };
        let decoded = decode(&decode_value(content)?);
        decoded.map(Some).ok_or_else(|| Error::CorruptCheckpoint { key: key() })
    }

    /// Writes a checkpoint, never over an item that is none.
    async fn put(&self, part: Part, content: &Value) -> Result<(), Error> {
        let mut item = self.key_of(part);
        item.insert(CONTENT.to_owned(), content.clone());
        let partition = self.key.first().map_or("", |key| key.name.as_str());
        let body = json!({
            "TableName": self.table,
            "Item": encode_item(&item),
            "ConditionExpression": "attribute_not_exists(#key) OR attribute_exists(#content)",
            "ExpressionAttributeNames": { "#key": partition, "#content": CONTENT },
        });
        match self.endpoint.call_patiently("PutItem", &body).await {
            Err(error) if error.is_refusal("ConditionalCheckFailedException") => {
                Err(self.taken(part))
            }
            answer => Ok(answer.map(|_| ())?),
        }
    }

    fn taken(&self, part: Part) -> Error {
        Error::CheckpointTaken { table: self.table.clone(), key: part.text(&self.migrated) }
    }

    fn key_of(&self, part: Part) -> Item {
        part.key(&self.migrated, &self.key).expect("the key is no number, as was checked")
    }
}

async fn describe_or_create(endpoint: &Endpoint, name: &str) -> Result<Described, Error> {
    match Described::read(endpoint, name).await {
        Err(Error::Remote(error)) if error.is_refusal("ResourceNotFoundException") => {}
        described => return described,
    }
    let body = json!({
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{ "AttributeName": OWN_KEY, "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": OWN_KEY, "KeyType": "HASH" }],
    });
    endpoint.call_patiently("CreateTable", &body).await?;
    wait_until_active(endpoint, name).await?;
    Described::read(endpoint, name).await
}

async fn wait_until_active(endpoint: &Endpoint, name: &str) -> Result<(), Error> {
    let body = json!({ "TableName": name });
    loop {
        let answer = endpoint.call_patiently("DescribeTable", &body).await?;
        let status = answer.get("Table").and_then(|table| table.get("TableStatus"));
        if status.and_then(Json::as_str) == Some("ACTIVE") {
            return Ok(());
        }
        endpoint.clock().sleep(std::time::Duration::from_millis(500)).await;
    }
}
