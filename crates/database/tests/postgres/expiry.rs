//! Items that expire go once, whichever servers look for them.

use std::time::Duration;

use monotable_database::stream::Cause;
use monotable_database::{Clock, Home};

use crate::fleet::{Stream, create, expire_by, on_each, put, run};
use crate::streams::changes;
use crate::support::contents;

const ITEMS: usize = 120;

#[test]
fn an_expired_item_is_removed_once_though_all_servers_sweep() {
    run(|fleet| async move {
        create(fleet.server(0), "t", Stream::Whole, &["by_expiry expires:N keys_only"]).await;
        expire_by(fleet.server(1), "t", "expires").await;
        let expires = fleet.clock.now_millis() / 1000 + 1;
        for at in 0..ITEMS {
            let item = format!("{{\"pk\": {at}, \"expires\": {expires}}}");
            assert!(put(fleet.server(at), "t", &item).await);
        }
        fleet.clock.advance(Duration::from_secs(2));
        loop {
            let sweeping = fleet.clone();
            on_each(move |number| {
                let fleet = sweeping.clone();
                async move {
                    fleet.server(number).catch_up().await.expect("what is due is done");
                }
            })
            .await;
            // A server whose sweep is under way elsewhere has had nothing to do.
            let table = fleet.server(0).current_table(&Home::default(), "t").await;
            let table = table.expect("the store can be read").expect("the table is there");
            if contents::scan(fleet.server(0), &table, None).await.is_empty() {
                break;
            }
        }
        let changes = changes(fleet.server(2)).await;
        assert_eq!(changes.len(), ITEMS);
        for changes in changes.values() {
            let causes: Vec<Cause> = changes.iter().map(|change| change.cause).collect();
            assert_eq!(causes, [Cause::Client, Cause::TimeToLive]);
        }
    });
}
