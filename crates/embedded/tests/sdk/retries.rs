//! The span of an operation says how often the SDK sent its request again.

use std::fmt;
use std::sync::{Arc, Mutex};

use monotable::prelude::*;
use monotable_embedded::Embedded;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Id, Record};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::fixture::retrying_client;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", entities(Note))]
pub struct Notes;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Notes)]
#[key(by_id: pk = "NOTE#{id}", sk = "NOTE")]
pub struct Note {
    pub id: String,
}

/// The numbers of retries, as they are recorded.
#[derive(Clone, Default)]
struct Retries(Arc<Mutex<Vec<String>>>);

impl Visit for Retries {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "monotable.retries" {
            self.0.lock().unwrap().push(format!("{value:?}"));
        }
    }
}

impl<S: Subscriber> Layer<S> for Retries {
    fn on_record(&self, _: &Id, values: &Record<'_>, _: Context<'_, S>) {
        values.record(&mut self.clone());
    }
}

#[tokio::test]
async fn retries_of_the_sdk_are_recorded() {
    let embedded = Embedded::in_memory();
    let db = Notes::open("notes", retrying_client(&embedded));
    db.create_table().await.unwrap();
    let retries = Retries::default();
    let subscriber = tracing_subscriber::registry().with(retries.clone());
    let _guard = tracing::subscriber::set_default(subscriber);

    db.get(Note::by_id("a")).await.unwrap();
    assert!(retries.0.lock().unwrap().is_empty(), "the first attempt is no retry");
    embedded.faults().add("throttle first=2 operation=GetItem").unwrap();
    db.get(Note::by_id("a")).await.unwrap();
    assert_eq!(*retries.0.lock().unwrap(), ["1", "2"]);
}
