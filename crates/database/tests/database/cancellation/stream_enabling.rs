//! Of many who enable the stream of a table at once, one does.

use monotable_database::schema::StreamView;
use monotable_database::{Home, TableChange, TableError};
use monotable_storage::Engine;

use super::change::{Change, TABLE};
use crate::concurrency::on_both_engines;
use crate::concurrency::world::{TASKS, World};

on_both_engines!(one_of_many_enablings_succeeds);

async fn one_of_many_enablings_succeeds<E: Engine>(world: World<E>) {
    Change::CreateTable.make(world.0.clone()).await;
    Change::DisableStream.make(world.0.clone()).await;
    let table = world.0.table(&Home::default(), TABLE).await.unwrap().unwrap();
    let enable = |_| {
        let (world, table) = (world.clone(), table.clone());
        let stream = Some(Some(StreamView::KeysOnly));
        let change = TableChange { stream, ..TableChange::default() };
        tokio::spawn(async move { world.0.update_table(&table, change).await })
    };
    let tasks: Vec<_> = (0..TASKS).map(enable).collect();
    let mut enabled = Vec::new();
    for task in tasks {
        match task.await.expect("a task ends well") {
            Ok(table) => enabled.push(table),
            Err(TableError::SchemaChanged) => {}
            Err(error) => panic!("{error}"),
        }
    }
    let [enabled] = &enabled[..] else { panic!("{} enabled it", enabled.len()) };
    let streams = world.0.streams_of(&Home::default(), TABLE).await.unwrap();
    assert_eq!(streams.len(), 2);
    let open: Vec<_> = streams.iter().filter(|stream| stream.disabled_millis.is_none()).collect();
    let [open] = &open[..] else { panic!("{} enabled streams", open.len()) };
    assert_eq!(Some(open.id), enabled.schema().stream.as_ref().map(|stream| stream.id));
    let known = world.0.table(&Home::default(), TABLE).await.unwrap().unwrap();
    assert_eq!(enabled.schema(), known.schema());
}
