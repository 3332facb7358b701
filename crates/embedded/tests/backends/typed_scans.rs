//! Scans of the typed client: the same requests and rows on every backend.

#![expect(unreachable_pub, reason = "tables and entities are public where they are used")]

use std::sync::Arc;

use monotable::backend::Recorder;
use monotable::prelude::*;
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Job))]
#[gsi(Failures, pk = "gsi1pk", sk = "gsi1sk", project(error))]
pub struct Jobs;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Jobs)]
#[key(by_id: pk = "JOB#{id}", sk = "JOB")]
#[index(
    Failures by_error: pk = "FAILED", sk = "{id}", when = "attribute_exists(error)", view(error)
)]
pub struct Job {
    pub id: String,
    pub error: Option<String>,
    pub log: String,
}

#[derive(View, Debug, PartialEq)]
#[view(Job, job::ByError)]
pub struct Failure {
    pub id: String,
    pub error: Option<String>,
}

#[tokio::test]
async fn the_sdk_is_sent_what_the_database_in_process_is() {
    let embedded = Embedded::in_memory();
    let recorders = [
        Arc::new(Recorder::wrap(embedded.clone())),
        Arc::new(Recorder::wrap(embedded.sdk_client())),
    ];
    let [direct, sdk] = recorders.each_ref().map(|it| Db::<Jobs>::new("jobs", it.clone()));
    direct.create_table().await.unwrap();
    for number in 0..7 {
        let error = (number % 2 == 0).then(|| format!("error {number}"));
        let job = Job { id: format!("j{number}"), error, log: "...".into() };
        direct.create(&job).await.unwrap();
    }
    recorders[0].take();
    let mut found = Vec::new();
    for db in [&direct, &sdk] {
        let rows = db.scan_index::<job::ByError>().limit(3).all().await.unwrap();
        let failures = db.scan_index::<job::ByError>().view::<Failure>().segments(3).all().await;
        let all = db.scan_everything::<Job>().view::<Failure>().all().await.unwrap();
        found.push((rows.rows, failures.unwrap().rows, all.rows));
    }
    assert_eq!(found[0], found[1]);
    let (rows, failures, all) = &found[0];
    assert_eq!((rows.len(), failures.len(), all.len()), (4, 4, 7));
    let [direct, sdk] = recorders.each_ref().map(|it| format!("{:?}", it.take()));
    assert_eq!(direct, sdk);
}
