//! Of many who create a table of one name at once, one does.

use monotable_database::TableError;
use monotable_storage::Engine;

use super::on_both_engines;
use super::world::{TASKS, World};
use crate::support::table;

on_both_engines!(one_of_many_creations_succeeds);

async fn one_of_many_creations_succeeds<E: Engine>(world: World<E>) {
    let create = |_| {
        let world = world.clone();
        let definition = table::table("t", "pk:N").unwrap();
        tokio::spawn(async move { world.0.create_table(definition).await })
    };
    let tasks: Vec<_> = (0..TASKS).map(create).collect();
    let mut created = 0;
    for task in tasks {
        match task.await.expect("a task ends well") {
            Ok(_) => created += 1,
            Err(TableError::Exists) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(created, 1);
}
