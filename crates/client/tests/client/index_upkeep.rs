//! No sequence of patches leaves an index entry behind: after each, the item that is stored is the
//! item that the entity builds.

use monotable::backend::GetItem;
use monotable::prelude::*;
use monotable::{Item, Value};
use proptest::prelude::*;

use super::database;
use super::shop::{self, Order, Parcel, Shop, Status, key_of, parcel, time};
use super::starting::{self, Site, Visits};

#[derive(Debug, Clone)]
enum Step {
    Pay,
    Reopen,
    Total(u64),
    Carrier(Option<String>, u8),
    Place(String, u32),
    Remark(Option<String>),
    /// A patch that may create the item.
    Visit(u8),
    Label(u8, Option<String>),
    Forget(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        Just(Step::Pay),
        Just(Step::Reopen),
        (0..1000_u64).prop_map(Step::Total),
        (proptest::option::of("[a-c#$]{1,3}"), 1..28_u8)
            .prop_map(|(carrier, day)| Step::Carrier(carrier, day)),
        ("[a-c]{1,2}", 0..9_u32).prop_map(|(city, weight)| Step::Place(city, weight)),
        proptest::option::of("[a-z]{1,3}").prop_map(Step::Remark),
        (1..3_u8).prop_map(Step::Visit),
        (1..3_u8, proptest::option::of("[a-c]")).prop_map(|(day, label)| Step::Label(day, label)),
        (1..3_u8).prop_map(Step::Forget),
    ];
    proptest::collection::vec(step, 1..12)
}

async fn stored<E: Entity>(db: &Db<E::Table>, key: &Key<E>) -> Item {
    let request = GetItem {
        table: db.name().into(),
        key: key.to_item().unwrap(),
        consistent: true,
        projection: None,
        names: Default::default(),
        capacity: Default::default(),
    };
    db.backend().get_item(request).await.unwrap().item.unwrap()
}

/// The item that `create` would write for the entity as it was read.
async fn rebuilt<E: Entity<Table = Shop>>(entity: &E) -> Item {
    let recorder = std::sync::Arc::new(monotable::backend::Recorder::new());
    let db: Db<Shop> = Db::new("shop", recorder.clone());
    let _ = db.create(entity).await;
    match recorder.take().remove(0) {
        monotable::backend::Request::PutItem(put) => put.item,
        monotable::backend::Request::TransactWriteItems(mut request) => {
            match request.actions.remove(0) {
                monotable::backend::TransactWrite::Put { item, .. } => item,
                other => panic!("{other:?}"),
            }
        }
        other => panic!("{other:?}"),
    }
}

/// A step on items that come into being by patches.
async fn visit(site: &Db<Site>, step: Step) {
    let key = |day: u8| Visits::by_page("home").day(day);
    let day = match step {
        Step::Visit(day) => {
            drop(site.patch(key(day)).count(add(1_u64)).or_create().await.unwrap());
            day
        }
        Step::Label(day, label) => {
            drop(site.patch(key(day)).label(label).or_create().await.unwrap());
            day
        }
        Step::Forget(day) => return drop(site.delete(key(day)).await.unwrap()),
        other => panic!("{other:?}"),
    };
    let mut item = stored(site, &key(day)).await;
    let recorder = std::sync::Arc::new(monotable::backend::Recorder::new());
    let db: Db<Site> = Db::new("site", recorder.clone());
    db.upsert(&Visits::from_item(item.clone()).unwrap()).await.unwrap();
    let monotable::backend::Request::PutItem(put) = recorder.take().remove(0) else {
        panic!("an upsert is a put")
    };
    let mut expected = put.item;
    for item in [&mut item, &mut expected] {
        item.insert("last".to_owned(), Value::Null);
    }
    assert_eq!(item, expected);
}

async fn run(steps: Vec<Step>) {
    let db = database::shop().await;
    let site = starting::site().await;
    let order = db.create(&shop::order("c1", "o1", "2026-01-02T00:00:00Z")).await.unwrap();
    db.create(&shop::parcel("p1")).await.unwrap();
    let (order_key, parcel_key) = (key_of(&order), Parcel::by_id("p1"));
    for step in steps {
        let order = || db.patch(order_key.clone());
        let parcel = || db.patch(parcel_key.clone());
        match step {
            Step::Pay => drop(order().status(Status::Paid).await.unwrap()),
            Step::Reopen => drop(order().status(Status::Open).await.unwrap()),
            Step::Total(total) => drop(order().total(total).await.unwrap()),
            Step::Carrier(carrier, day) => {
                let eta = time(&format!("2026-01-{day:02}T00:00:00Z"));
                drop(parcel().by_carrier(parcel::ByCarrier { carrier, eta }).await.unwrap());
            }
            Step::Place(city, weight) => {
                let (country, region) = ("DE".to_owned(), "BE".to_owned());
                let parts = parcel::ByPlace { country, region, city, weight };
                drop(parcel().by_place(parts).await.unwrap());
            }
            Step::Remark(remark) => drop(parcel().remark(remark).await.unwrap()),
            Step::Visit(_) | Step::Label(..) | Step::Forget(_) => visit(&site, step).await,
        }
        let mut order_item = stored(&db, &order_key).await;
        let mut expected = rebuilt(&Order::from_item(order_item.clone()).unwrap()).await;
        for item in [&mut order_item, &mut expected] {
            item.insert("updated_at".to_owned(), Value::Null);
        }
        assert_eq!(order_item, expected);
        let parcel_item = stored(&db, &parcel_key).await;
        let expected = rebuilt(&Parcel::from_item(parcel_item.clone()).unwrap()).await;
        assert_eq!(parcel_item, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_patch_leaves_an_index_key_stale(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(run(steps));
    }
}
