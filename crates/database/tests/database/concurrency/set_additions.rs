//! Members that many tasks add to one set, and take from it, are all there, and all gone.

use monotable_item::Value;
use monotable_storage::Engine;

use super::on_both_engines;
use super::world::{TASKS, World, in_tasks};

const MEMBERS: usize = 20;

on_both_engines!(set_members_are_not_lost);

async fn set_members_are_not_lost<E: Engine>(world: World<E>) {
    let table = world.create_table("t", "pk:S", &[]).await;
    let work = |task| {
        let (world, table) = (world.clone(), table.clone());
        async move {
            for member in 0..MEMBERS {
                let add = format!("ADD members `{{\"SS\": [\"{task}-{member}\", \"{task}-x\"]}}`");
                world.update(&table, r#"{"pk": "set"}"#, &add, None).await.unwrap();
            }
            let remove = format!("DELETE members `{{\"SS\": [\"{task}-x\"]}}`");
            world.update(&table, r#"{"pk": "set"}"#, &remove, None).await.unwrap();
        }
    };
    in_tasks(TASKS, work).await;
    let item = world.get(&table, r#"{"pk": "set"}"#).await.unwrap();
    let Value::StringSet(members) = &item["members"] else { panic!("{item:?}") };
    assert_eq!(members.len(), TASKS * MEMBERS);
    world.check_indexes_and_counters(&table).await;
}
