//! All databases see the same tables, each with exact indexes and counters.

use monotable_database::{DescribedTable, Home};
use monotable_storage::Engine;

use super::super::server::Server;
use super::replay::Replay;
use crate::support::contents::{check_indexes_and_counters, scan};

pub(super) fn check<E: Engine>(replay: &Replay, servers: &[Server<E>]) {
    let mut expected: Vec<&str> = replay.tables.values().map(|table| table.name()).collect();
    expected.sort_unstable();
    for server in servers {
        let database = server.database().expect("the database is open");
        let names = server.run(database.table_names(&Home::default(), None, usize::MAX)).unwrap();
        assert_eq!(names, expected, "the tables that {} sees", server.number);
        for name in &names {
            server.run(async {
                let described = database.describe(&Home::default(), name).await.unwrap();
                let DescribedTable { table, .. } = described.expect("the table is there");
                let known = database
                    .table(&Home::default(), name)
                    .await
                    .unwrap()
                    .expect("the table is there");
                assert_eq!(known.schema(), table.schema(), "after a write");
                check_indexes_and_counters(database, &table).await;
                check_expiry(database, &table).await;
            });
        }
    }
}

/// Checks that no item is left whose time is over.
async fn check_expiry<E: Engine>(
    database: &monotable_database::Database<E>,
    table: &monotable_database::Table,
) {
    if table.schema().time_to_live.is_none() {
        return;
    }
    let now_secs = (database.now_millis() / 1000) as i64;
    for item in scan(database, table, None).await {
        let expires_at = super::replay::number(&item, "expires");
        assert!(expires_at.is_none_or(|secs| secs > now_secs), "{item:?} at {now_secs}");
    }
}
