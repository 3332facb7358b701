//! Queries and scans.

use monotable::backend::{
    Backend, CapacityDetail, Names, PageOutcome, Query, Scan, Segment, Select, Values,
};
use monotable_item::Item;

use crate::fixture::{key, keyed, on_all, put, table, values};

fn query(pk: &str) -> Query {
    Query {
        table: table(),
        index: None,
        key_condition: "pk = :pk".to_owned(),
        filter: None,
        projection: None,
        names: Names::new(),
        values: values(&[(":pk", pk.into())]),
        select: Select::Projected,
        forward: true,
        limit: None,
        start_after: None,
        consistent: false,
        capacity: CapacityDetail::None,
    }
}

fn scan() -> Scan {
    Scan {
        table: table(),
        index: None,
        filter: None,
        projection: None,
        names: Names::new(),
        values: Values::new(),
        select: Select::Projected,
        segment: None,
        limit: None,
        start_after: None,
        consistent: false,
        capacity: CapacityDetail::None,
    }
}

async fn fill(backend: &dyn Backend, count: i64) {
    for sk in 0..count {
        backend.put_item(put(keyed("a", sk, &[("rank", (-sk).into())]))).await.unwrap();
    }
}

fn sort_keys(page: &PageOutcome) -> Vec<String> {
    let sort_key = |item: &Item| match &item["sk"] {
        monotable_item::Value::Number(number) => number.to_string(),
        other => panic!("{other:?}"),
    };
    page.items.iter().map(sort_key).collect()
}

#[tokio::test]
async fn pages_follow_each_other_in_both_directions() {
    on_all(async |backend| {
        fill(backend, 5).await;
        for (forward, pages) in [
            (true, [vec!["0", "1"], vec!["2", "3"], vec!["4"]]),
            (false, [vec!["4", "3"], vec!["2", "1"], vec!["0"]]),
        ] {
            let mut start_after = None;
            for expected in pages {
                let request = Query { forward, limit: Some(2), start_after, ..query("a") };
                let page = backend.query(request).await.unwrap();
                assert_eq!(sort_keys(&page), expected);
                start_after = page.last_key;
            }
            assert_eq!(start_after, None);
        }
    })
    .await;
}

#[tokio::test]
async fn a_filter_drops_items_that_count_as_scanned() {
    on_all(async |backend| {
        fill(backend, 5).await;
        let request = Query {
            filter: Some("#rank < :most".to_owned()),
            names: Names::from([("#rank".to_owned(), "rank".to_owned())]),
            values: values(&[(":pk", "a".into()), (":most", (-2).into())]),
            ..query("a")
        };
        let page = backend.query(request.clone()).await.unwrap();
        assert_eq!(sort_keys(&page), ["3", "4"]);
        assert_eq!((page.count, page.scanned_count), (2, 5));
        let counted = backend.query(Query { select: Select::Count, ..request }).await.unwrap();
        assert_eq!((counted.items, counted.count, counted.scanned_count), (vec![], 2, 5));
    })
    .await;
}

#[tokio::test]
async fn indexes_have_their_own_order_and_projection() {
    on_all(async |backend| {
        fill(backend, 2).await;
        backend.put_item(put(keyed("b", 1, &[("state", "new".into())]))).await.unwrap();
        let by_rank = Query { index: Some("by-rank".to_owned()), ..query("a") };
        assert_eq!(sort_keys(&backend.query(by_rank).await.unwrap()), ["1", "0"]);
        let by_state = Query {
            index: Some("by-state".to_owned()),
            key_condition: "#state = :pk".to_owned(),
            names: Names::from([("#state".to_owned(), "state".to_owned())]),
            ..query("new")
        };
        let page = backend.query(by_state).await.unwrap();
        assert_eq!(page.items, [keyed("b", 1, &[("state", "new".into())])]);
    })
    .await;
}

#[tokio::test]
async fn the_segments_of_a_scan_hold_every_item_once() {
    on_all(async |backend| {
        for pk in 0..20 {
            backend.put_item(put(key(&format!("{pk}"), 1))).await.unwrap();
        }
        let mut count = 0;
        for number in 0..4 {
            let request = Scan { segment: Some(Segment { number, of: 4 }), ..scan() };
            count += backend.scan(request).await.unwrap().count;
        }
        assert_eq!(count, 20);
        let sparse = Scan { index: Some("by-state".to_owned()), ..scan() };
        assert_eq!(backend.scan(sparse).await.unwrap().items, Vec::<Item>::new());
    })
    .await;
}
