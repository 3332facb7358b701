//! What the spans of operations tell.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use monotable::Table;
use monotable::backend::CapacityDetail;
use monotable_embedded::Embedded;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use super::database;
use super::shop::{
    self, Customer, CustomerId, CustomerPage, CustomerRow, Order, Shop, Status, key_of,
};

/// The fields of spans by their ids, and those of events, in the order of their beginning.
#[derive(Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Vec<Entry>>>);

/// The id of a span, which an event has not, and the fields.
type Entry = (Option<u64>, Fields);

type Fields = BTreeMap<&'static str, String>;

struct Values<'a>(&'a mut Fields);

impl Visit for Values<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}").trim_matches('"').to_owned());
    }
}

impl Seen {
    /// The fields of the spans of our operations, with their names, and of events inside of them.
    pub(crate) fn take(&self) -> Vec<Fields> {
        let seen = std::mem::take(&mut *self.0.lock().unwrap());
        seen.into_iter().map(|(_, fields)| fields).collect()
    }
}

impl<S: Subscriber> Layer<S> for Seen {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        if attributes.metadata().target().starts_with("monotable::db") {
            let mut fields = Fields::from([("span", attributes.metadata().name().to_owned())]);
            attributes.record(&mut Values(&mut fields));
            self.0.lock().unwrap().push((Some(id.into_u64()), fields));
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut seen = self.0.lock().unwrap();
        let span = seen.iter_mut().find(|(known, _)| *known == Some(id.into_u64()));
        if let Some((_, fields)) = span {
            values.record(&mut Values(fields));
        }
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target().starts_with("monotable::db") {
            let mut fields = Fields::new();
            event.record(&mut Values(&mut fields));
            self.0.lock().unwrap().push((None, fields));
        }
    }
}

fn seen() -> (Seen, tracing::subscriber::DefaultGuard) {
    let seen = Seen::default();
    let subscriber = tracing_subscriber::registry().with(seen.clone());
    (seen, tracing::subscriber::set_default(subscriber))
}

fn shown(fields: &Fields) -> String {
    let one = |(name, value): (&&str, &String)| {
        format!("{}={value}", name.trim_start_matches("monotable."))
    };
    fields.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn an_operation_is_a_span_with_what_it_is_about_and_what_it_cost() {
    let db = database::shop().await.with_capacity(CapacityDetail::Total);
    let (seen, _guard) = seen();
    let order = shop::order("c1", "o1", "2026-01-02T00:00:00Z");
    let customer = CustomerId("c1".into());
    db.upsert(&shop::customer("c1")).await.unwrap();
    db.create(&order).await.unwrap();
    db.get(Customer::by_id(&customer)).consistent().await.unwrap();
    db.patch(key_of(&order)).status(Status::Paid).await.unwrap();
    db.query(Order::by_day(order.placed_at)).await.unwrap();
    db.query(Order::by_day(order.placed_at)).all().await.unwrap();
    db.query(Order::by_day(order.placed_at)).hydrate().await.unwrap();
    db.query(Order::by_status(Status::Paid)).count().await.unwrap();
    db.rekey(key_of(&order)).await.unwrap();
    db.gather::<CustomerPage>(CustomerRow::of(&customer)).await.unwrap();
    db.get_many([Customer::by_id(&customer)]).await.unwrap();
    db.write_many().delete(&Customer::by_id(&customer)).await.unwrap();
    db.scan_everything::<Order>().await.unwrap();
    let found: Vec<String> = seen.take().iter().map(shown).collect();
    assert_eq!(
        found,
        [
            "entity=Customer pattern=by_id table=shop wcu=1.0 span=upsert",
            "entity=Order pattern=by_customer table=shop wcu=4.0 span=create",
            "entity=Customer pattern=by_id rcu=1.0 table=shop span=get",
            "entity=Order pattern=by_customer table=shop wcu=3.0 span=patch",
            "entity=Order pattern=by_day rcu=2.0 table=shop span=query",
            "entity=Order pattern=by_day rcu=2.0 table=shop span=query",
            "entity=Order pattern=by_day rcu=2.5 table=shop span=query",
            "entity=Order pattern=by_status rcu=0.5 table=shop span=query",
            "entity=Order pattern=by_customer rcu=1.0 table=shop span=rekey",
            "entity=CustomerRow pattern=CustomerRow rcu=1.0 table=shop span=gather",
            "entity=Customer pattern=by_id rcu=0.5 table=shop span=get_many",
            "table=shop wcu=1.0 span=write_many",
            "entity=Order rcu=0.5 table=shop span=scan",
        ]
    );
}

#[tokio::test]
async fn creating_and_deleting_a_table_are_operations_too() {
    let db = Shop::open("shop", Embedded::in_memory());
    let (seen, _guard) = seen();
    db.create_table().await.unwrap();
    db.delete_table().await.unwrap();
    let found: Vec<String> = seen.take().iter().map(shown).collect();
    assert_eq!(found, ["table=shop span=create_table", "table=shop span=delete_table"]);
}

#[tokio::test]
async fn the_parts_of_indexes_are_events_where_they_are_asked_for() {
    let db = database::shop().await.with_capacity(CapacityDetail::Indexes);
    let (seen, _guard) = seen();
    db.create(&shop::parcel("p1")).await.unwrap();
    let found: Vec<String> = seen.take().iter().map(shown).collect();
    assert_eq!(
        found,
        [
            "entity=Parcel pattern=by_id table=shop wcu=3.0 span=create",
            "message=index index=Gsi1 units=1.0",
            "message=index index=Places units=1.0",
        ]
    );
}

#[tokio::test]
async fn nothing_is_asked_of_the_database_unless_somebody_wants_to_know() {
    let db = database::shop().await;
    let (seen, _guard) = seen();
    db.upsert(&shop::customer("c1")).await.unwrap();
    let found = seen.take();
    assert_eq!(shown(&found[0]), "entity=Customer pattern=by_id table=shop span=upsert");
}

#[tokio::test]
async fn a_batch_that_is_sent_again_says_how_often() {
    let embedded = Embedded::in_memory();
    let db = Shop::open("shop", embedded.clone());
    db.create_table().await.unwrap();
    embedded.faults().add("unprocessed count=1 first=1").unwrap();
    let (seen, _guard) = seen();
    let batch = db.write_many().put(&shop::customer("c1")).put(&shop::customer("c2"));
    let written = batch.await.unwrap();
    assert!(written.remainder.is_empty());
    let found = seen.take();
    assert_eq!(shown(&found[0]), "rounds=1 table=shop span=write_many");
}
