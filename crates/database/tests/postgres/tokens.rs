//! A transaction with a token happens once, whichever servers it is sent to.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use monotable_database::{Home, RequestToken, TransactOutcome, TransactWrite};

use crate::fleet::{SERVERS, Stream, create, on_each, run, table_on, update_of};
use crate::support::{contents, json};

#[test]
fn a_transaction_that_is_sent_to_all_servers_at_once_happens_once() {
    run(|fleet| async move {
        create(fleet.server(0), "t", Stream::None, &[]).await;
        let done = Arc::new(AtomicUsize::new(0));
        const ROUNDS: usize = 10;
        for round in 0..ROUNDS {
            let (fleet, done) = (fleet.clone(), done.clone());
            on_each(move |number| {
                let (fleet, done) = (fleet.clone(), done.clone());
                async move {
                    let server = fleet.server(number);
                    let table = table_on(server, "t").await.expect("the table is there");
                    let write = update_of(&table, "{\"pk\": 1}", "ADD n `1`");
                    let token = RequestToken {
                        home: Home::default(),
                        token: format!("token-{round}"),
                        digest: 7,
                    };
                    let writes = [TransactWrite { table, write }];
                    match server.transact_write(&writes, Some(&token)).await {
                        Ok(TransactOutcome::Done(_)) => {
                            done.fetch_add(1, Ordering::Relaxed);
                        }
                        Ok(TransactOutcome::Replayed(items)) => assert_eq!(items.len(), 1),
                        Err(error) => panic!("{error}"),
                    }
                }
            })
            .await;
        }
        assert_eq!(done.load(Ordering::Relaxed), ROUNDS);
        for number in 0..SERVERS {
            let server = fleet.server(number);
            let table = table_on(server, "t").await.expect("the table is there");
            let items = contents::scan(server, &table, None).await;
            let printed: Vec<String> = items.iter().map(json::print_item).collect();
            assert_eq!(printed, [format!("{{\"n\": {ROUNDS}, \"pk\": 1}}")]);
        }
    });
}
