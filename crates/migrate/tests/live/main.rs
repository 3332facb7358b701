//! Migrations of a table that is in use lose nothing and leave nothing out.

mod clock;
mod models;
mod server;
mod table;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use monotable_item::{Item, Value};
use monotable_migrate::{
    BackfillReport, DriftReport, Error, Job, Mode, Progress, Settings, Stop, backfill, forget,
    verify,
};
use monotable_model::document::Model;
use monotable_remote::{Endpoint, encode_item};
use serde_json::json;

use writer::{Kind, Writer, item_of};

const WRITERS: usize = 16;

/// No limit that a test would notice.
fn settings() -> Settings {
    Settings { segments: 4, write_units_per_second: 1e9, page_items: 50, ..Settings::default() }
}

fn job(endpoint: &Arc<Endpoint>) -> Job {
    Job {
        endpoint: Arc::clone(endpoint),
        old: Arc::new(models::old()),
        new: Arc::new(models::new()),
        table: models::TABLE.to_owned(),
    }
}

/// Writers with items in the old form, which are in the table.
async fn writers(job: &Job, count: usize, items_each: usize) -> Vec<Writer> {
    table::create(&job.endpoint).await;
    let models = (&job.old, &job.new);
    let mut writers: Vec<Writer> =
        (0..count).map(|number| Writer::new(&job.endpoint, models, number)).collect();
    for writer in &mut writers {
        table::load(&job.endpoint, &writer.first_items(items_each)).await;
    }
    writers
}

async fn run(job: &Job, settings: &Settings) -> Result<BackfillReport, Error> {
    let prepared = job.prepare().await?;
    backfill(job, &prepared, settings, &Arc::new(Progress::new()), &Stop::new()).await
}

async fn verified(job: &Job) -> DriftReport {
    verify(job, &settings(), &Arc::new(Progress::new()), &Stop::new()).await.unwrap()
}

async fn forgotten(job: &Job) {
    let prepared = job.prepare().await.unwrap();
    forget(job, &prepared, &settings()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_writers_lose_no_change_and_every_item_gets_its_new_form() {
    let job = job(&server::start().await);
    let writers = writers(&job, WRITERS, 60).await;
    let is_done = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = writers
        .into_iter()
        .map(|mut writer| {
            let is_done = Arc::clone(&is_done);
            tokio::spawn(async move {
                // At least some changes come before the end, and the rest whenever they do.
                while !is_done.load(Ordering::Relaxed) || writer.acknowledged < 40 {
                    writer.act().await;
                }
                writer
            })
        })
        .collect();
    let report = run(&job, &settings()).await.unwrap();
    is_done.store(true, Ordering::Relaxed);
    let mut writers = Vec::new();
    for task in tasks {
        writers.push(task.await.unwrap());
    }
    assert!(report.finished && report.blocked.is_empty(), "{report:?}");
    let found = verified(&job).await;
    assert!(found.finished && found.drifted.is_empty() && found.foreign == 0, "{found:?}");
    forgotten(&job).await;
    let items = table::check(&job.endpoint, &job.new, &writers).await;
    assert_eq!(found.scanned, u64::try_from(items).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_comes_between_reading_and_writing_an_item_is_kept() {
    let job = job(&server::start_meddling().await);
    let writers = writers(&job, 1, 200).await;
    let report = run(&job, &settings()).await.unwrap();
    let expected: Vec<(&str, Option<Item>)> = writers
        .iter()
        .flat_map(|writer| &writer.items)
        .map(|((kind, id), attributes)| {
            let mut after = attributes.clone();
            after.insert("note".to_owned(), Value::from("meddled"));
            after.insert("status".to_owned(), Value::from("PAID"));
            let is_deleted = id.ends_with('0');
            (id.as_str(), (!is_deleted).then(|| with_status(&job.new, *kind, &after)))
        })
        .collect();
    let deleted = expected.iter().filter(|(_, item)| item.is_none()).count();
    assert_eq!(report.counts.gone, u64::try_from(deleted).unwrap());
    assert_eq!(report.counts.retried, 200);
    forgotten(&job).await;
    let stored = table::read(&job.endpoint).await;
    assert_eq!(stored.len(), 200 - deleted);
    for (id, wanted) in expected {
        let found = stored.values().find(|item| {
            [item.get("order"), item.get("session")].contains(&Some(&Value::from(id)))
        });
        assert_eq!(found, wanted.as_ref(), "{id}");
    }
}

/// What the new model builds; a session has a status only because somebody meddled.
fn with_status(model: &Model, kind: Kind, attributes: &Item) -> Item {
    let mut declared = attributes.clone();
    let status = declared.remove("status").unwrap();
    match kind {
        Kind::Order => item_of(model, kind, attributes),
        Kind::Session => {
            let mut item = item_of(model, kind, &declared);
            item.insert("status".to_owned(), status);
            item
        }
    }
}

#[tokio::test]
async fn a_second_run_has_nothing_to_do() {
    let job = job(&server::start().await);
    let writers = writers(&job, 1, 50).await;
    let first = run(&job, &settings()).await.unwrap();
    assert_eq!(first.counts.updated + first.counts.moved, 50);
    forgotten(&job).await;
    let second = run(&job, &settings()).await.unwrap();
    assert_eq!((second.counts.updated + second.counts.moved, second.resumed), (0, false));
    forgotten(&job).await;
    assert_eq!(table::check(&job.endpoint, &job.new, &writers).await, 50);
}

#[tokio::test]
async fn a_dry_run_counts_and_writes_nothing() {
    let job = job(&server::start().await);
    writers(&job, 1, 50).await;
    let before = table::read(&job.endpoint).await;
    let report = run(&job, &Settings { mode: Mode::DryRun, ..settings() }).await.unwrap();
    assert_eq!(report.counts.updated + report.counts.moved, 50);
    assert_eq!(table::read(&job.endpoint).await, before);
}

#[tokio::test]
async fn verification_names_the_item_the_attribute_and_both_values() {
    let job = job(&server::start().await);
    let writers = writers(&job, 1, 30).await;
    run(&job, &settings()).await.unwrap();
    forgotten(&job).await;
    let ((kind, _), attributes) = writers[0].items.iter().next().unwrap();
    let mut item = item_of(&job.new, *kind, attributes);
    item.insert("GSI1PK".to_owned(), Value::from("STATUS#LOST"));
    let body = json!({ "TableName": models::TABLE, "Item": encode_item(&item) });
    job.endpoint.call("PutItem", &body).await.unwrap();
    let found = verified(&job).await;
    let [drifted] = found.drifted.as_slice() else { panic!("{found:?}") };
    let [drift] = drifted.drifts.as_slice() else { panic!("{drifted:?}") };
    assert_eq!((drifted.entity.as_deref(), drift.attribute.as_str()), (Some("Order"), "GSI1PK"));
    assert_eq!(drift.stored, Some(Value::from("STATUS#LOST")));
    assert_eq!(drift.expected, Some(Value::from("STATUS#OPEN")));
}

#[tokio::test]
async fn a_checkpoint_of_another_migration_is_refused_until_it_is_told_to_restart() {
    let job = job(&server::start().await);
    writers(&job, 1, 20).await;
    run(&job, &settings()).await.unwrap();
    let mut changed = models::new();
    changed.name = "other".to_owned();
    let other = Job { new: Arc::new(changed), ..job.clone() };
    let error = run(&other, &settings()).await.unwrap_err();
    assert!(matches!(error, Error::OtherMigration { .. }), "{error}");
    assert!(error.to_string().contains("--restart"), "{error}");
    let restarted = run(&other, &Settings { restart: true, ..settings() }).await.unwrap();
    assert!(restarted.finished && !restarted.resumed);
}

#[tokio::test]
async fn checkpoints_can_lie_in_a_table_of_their_own() {
    let job = job(&server::start().await);
    let writers = writers(&job, 1, 20).await;
    let apart = Settings { checkpoint_table: Some("Checkpoints".to_owned()), ..settings() };
    run(&job, &apart).await.unwrap();
    assert_eq!(table::check(&job.endpoint, &job.new, &writers).await, 20);
    let prepared = job.prepare().await.unwrap();
    forget(&job, &prepared, &apart).await.unwrap();
    let body = json!({ "TableName": "Checkpoints" });
    assert_eq!(job.endpoint.call("Scan", &body).await.unwrap()["Count"], 0);
}

#[tokio::test]
async fn two_items_that_would_get_the_same_key_are_left_alone_and_reported() {
    let job = job(&server::start().await);
    let writers = writers(&job, 1, 20).await;
    let ((kind, _), attributes) =
        writers[0].items.iter().find(|((kind, _), _)| *kind == Kind::Session).unwrap();
    let mut taken = item_of(&job.new, *kind, attributes);
    taken.insert("note".to_owned(), Value::from("was here first"));
    let body = json!({ "TableName": models::TABLE, "Item": encode_item(&taken) });
    job.endpoint.call("PutItem", &body).await.unwrap();
    let report = run(&job, &settings()).await.unwrap();
    let [blocked] = report.blocked.as_slice() else { panic!("{report:?}") };
    assert!(blocked.reason.contains("another item under its new key"), "{blocked:?}");
    assert!(table::read(&job.endpoint).await.values().any(|item| *item == taken));
}

#[tokio::test]
async fn a_table_without_a_new_index_is_refused() {
    let job = job(&server::start().await);
    writers(&job, 1, 1).await;
    let mut changed = models::new();
    let mut index = changed.tables[0].indexes[0].clone();
    index.name = "GSI9".to_owned();
    changed.tables[0].indexes.push(index);
    let other = Job { new: Arc::new(changed), ..job };
    let error = run(&other, &settings()).await.unwrap_err();
    assert!(error.to_string().contains("has no index GSI9"), "{error}");
}
