//! Counters that many tasks raise lose no step.

use monotable_database::WriteError;
use monotable_storage::Engine;

use super::on_both_engines;
use super::world::{Failed, TASKS, World, in_tasks, number};

const STEPS: usize = 30;
const COUNTERS: usize = 3;

on_both_engines!(added_counters_lose_no_step);
on_both_engines!(conditional_counters_lose_no_step);

async fn added_counters_lose_no_step<E: Engine>(world: World<E>) {
    let table = world.create_table("t", "pk:N", &["by_n n:N keys_only"]).await;
    let work = |_| {
        let (world, table) = (world.clone(), table.clone());
        async move {
            for step in 0..STEPS {
                let key = format!("{{\"pk\": {}}}", step % COUNTERS);
                world.update(&table, &key, "ADD n `1`", None).await.unwrap();
            }
        }
    };
    in_tasks(TASKS, work).await;
    let counters = world.scan(&table, None).await;
    let sum: i64 = counters.iter().map(|counter| number(counter, "n")).sum();
    assert_eq!(sum, (TASKS * STEPS) as i64);
    world.check_indexes_and_counters(&table).await;
}

/// Each task reads the counter and raises it only if nobody else has.
async fn conditional_counters_lose_no_step<E: Engine>(world: World<E>) {
    let table = world.create_table("t", "pk:S", &["by_n n:N all"]).await;
    world.put(&table, r#"{"pk": "counter", "n": 0}"#).await.unwrap();
    let work = |_| {
        let (world, table) = (world.clone(), table.clone());
        async move {
            let mut raised = 0;
            while raised < STEPS {
                let seen = world.get(&table, r#"{"pk": "counter"}"#).await.unwrap();
                let seen = number(&seen, "n");
                let (update, condition) =
                    (format!("SET n = `{}`", seen + 1), format!("n = `{seen}`"));
                let key = r#"{"pk": "counter"}"#;
                match world.update(&table, key, &update, Some(&condition)).await {
                    Ok(()) => raised += 1,
                    Err(Failed::Write(WriteError::ConditionFailed { existing })) => {
                        assert!(existing.is_some());
                    }
                    Err(other) => panic!("{other:?}"),
                }
            }
        }
    };
    in_tasks(TASKS, work).await;
    let counter = world.get(&table, r#"{"pk": "counter"}"#).await.unwrap();
    assert_eq!(number(&counter, "n"), (TASKS * STEPS) as i64);
    world.check_indexes_and_counters(&table).await;
}
