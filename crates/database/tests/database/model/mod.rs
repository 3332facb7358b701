//! Random histories of a table with indexes, compared with a model.
//!
//! A history is a list of steps: writes, transactions, index changes, restarts and crashes. The
//! model keeps the items in a plain map and works out everything else from them: what each index
//! holds, the numbers of items and bytes, and every page of a query.

mod agreement;
mod domain;
mod history;
mod model_table;
mod query;

use monotable_database::schema::IndexKind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::support::harness::Harness;
use crate::support::store::{LocalStore, MemoryStore, Store};
use crate::support::table;
use agreement::Agreement;
use history::{Step, step};
use model_table::ModelTable;
use query::{Query, query};

const TABLE: &str = "t";

/// Sort keys of all types, all projections, keys of one attribute and of several.
const GLOBAL_INDEXES: [&str; 3] =
    ["by_gn g:S/n:N all", "by_g g:S keys_only", "by_gn_bt g:S,n:N/b:B,t:S include x"];
const LOCAL_INDEX: &str = "near t:S include x";

fn new_harness<S: Store>() -> Harness<S> {
    let mut definition = table::table(TABLE, "pk:S/sk:N").unwrap();
    for index in GLOBAL_INDEXES {
        table::with_index(&mut definition, IndexKind::Global, index).unwrap();
    }
    table::with_index(&mut definition, IndexKind::Local, LOCAL_INDEX).unwrap();
    let harness = Harness::new();
    harness.change(Harness::<S>::database(&harness).create_table(definition)).unwrap();
    harness
}

fn check<S: Store>(steps: &[Step], queries: &[Query]) -> TestCaseResult {
    let mut harness = new_harness::<S>();
    let mut model = ModelTable::default();
    for step in steps {
        step.take(&mut harness, &mut model)?;
    }
    // Whatever is under way, what is stored belongs together.
    prop_assert_eq!(harness.faults(), vec![]);
    harness.settle();
    prop_assert_eq!(harness.faults(), vec![]);
    let table = harness.table(TABLE).unwrap();
    let schema = table.schema();
    let agreement = Agreement { harness: &harness, model: &model, table: &table, schema };
    agreement.check_contents()?;
    agreement.check_counters()?;
    for query in queries {
        agreement.check_query(query)?;
    }
    Ok(())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn histories_in_memory_agree_with_the_model(
        steps in vec(step(), 1..60), queries in vec(query(), 40),
    ) {
        check::<MemoryStore>(&steps, &queries)?;
    }
}

proptest! {
    #![proptest_config(config(20))]

    #[test]
    fn histories_on_disk_agree_with_the_model(
        steps in vec(step(), 1..60), queries in vec(query(), 40),
    ) {
        check::<LocalStore>(&steps, &queries)?;
    }
}
