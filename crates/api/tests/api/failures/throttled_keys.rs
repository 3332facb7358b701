//! The keys whose requests are throttled are those that meet the limits, and no others of the call.

use std::sync::Arc;
use std::time::Duration;

use monotable_api::observation::{Attributions, Observation, observe};
use monotable_model::diagnostic::SourceFile;
use monotable_observe::{EntityReport, Observer, Outcome, Refused};
use serde_json::{Value, json};

use super::world::{ON_DEMAND, World, batch, put, transaction};

const MODEL: &str = r#"
format = 1
name = "things"

[tables.on-demand]
partition_key = "pk"

[entities.Thing]
key = { partition = "{id}" }
attributes = { id = "S" }
"#;

struct Watched {
    world: World,
    observer: Arc<Observer>,
}

impl Watched {
    async fn new() -> Watched {
        let observer = Arc::new(Observer::default());
        observer.load(SourceFile::new("things.toml", MODEL), 0).unwrap();
        Watched { world: World::observed_by(observer.clone()).await, observer }
    }

    /// What is noted of a call while requests for the key `b` are throttled, and whether it is
    /// refused.
    async fn observed(&self, operation: &str, request: Value) -> (Observation, bool) {
        self.world.fault(&["throttle key=b"]);
        let (answer, observation) = observe(self.world.call(operation, request)).await;
        (*observation, answer.is_err())
    }

    /// The keys that were throttled, with how often.
    fn throttled(&self) -> Vec<(String, u64)> {
        let tables = self.observer.report(0).models.remove(0).tables;
        let keys = &tables[0].keys[0].throttled;
        keys.iter().map(|key| (key.key.clone().unwrap(), key.count)).collect()
    }

    fn entity(&self) -> EntityReport {
        self.observer.report(0).models.remove(0).entities.remove(0)
    }
}

/// Counts a call that has ended well.
fn count(observation: &Observation) {
    let Attributions::Whole(found) = &observation.attributions else {
        panic!("the call is not watched")
    };
    let (halves, items, evaluated) = (2, 0, 0);
    let (duration, refused) = (Duration::ZERO, Refused::No);
    found.count(&Outcome { halves, items, evaluated, duration, refused, is_replay: false });
}

#[tokio::test]
async fn a_call_on_one_item_is_throttled_for_its_key() {
    let watched = Watched::new().await;
    for key in ["a", "b", "b"] {
        watched.observed("PutItem", put(ON_DEMAND, key)).await;
    }
    assert_eq!(watched.throttled(), [("b".to_owned(), 2)]);
}

#[tokio::test]
async fn a_member_of_a_batch_that_is_left_undone_is_throttled_and_not_put() {
    let watched = Watched::new().await;
    let request = batch(ON_DEMAND, &["a", "b", "c"]);
    let (observation, is_refused) = watched.observed("BatchWriteItem", request).await;
    assert!(!is_refused && !observation.is_throttled);
    assert_eq!(watched.throttled(), [("b".to_owned(), 1)]);
    count(&observation);
    let entity = watched.entity();
    assert_eq!((entity.writes, entity.puts, entity.put_bytes), (2, 2, 2 * 3));
}

#[tokio::test]
async fn a_batch_that_is_refused_as_a_whole_is_throttled() {
    let watched = Watched::new().await;
    let request = batch(ON_DEMAND, &["b"]);
    let (observation, is_refused) = watched.observed("BatchWriteItem", request).await;
    assert!(is_refused && observation.is_throttled);
    assert_eq!(watched.throttled(), [("b".to_owned(), 1)]);
}

#[tokio::test]
async fn a_transaction_is_throttled_for_the_keys_that_meet_the_limit() {
    let watched = Watched::new().await;
    let request = transaction(ON_DEMAND, &["a", "b", "c"]);
    let (observation, is_refused) = watched.observed("TransactWriteItems", request).await;
    assert!(is_refused && observation.is_throttled);
    assert_eq!(watched.throttled(), [("b".to_owned(), 1)]);
}

#[tokio::test]
async fn a_call_that_fails_otherwise_is_not_throttled() {
    let watched = Watched::new().await;
    let refused = json!({
        "TableName": ON_DEMAND, "Item": {"pk": {"S": "a"}},
        "ConditionExpression": "attribute_exists(pk)",
    });
    let (observation, is_refused) = watched.observed("PutItem", refused).await;
    assert!(is_refused && !observation.is_throttled);
    assert_eq!(watched.throttled(), []);
}
