//! The worked numbers of cost: units of requests, partitions, storage, break-even points, bills.

use monotable_item::capacity::Consistency::{self, Eventual, Strong};
use monotable_item::capacity::HalfUnits;
use monotable_model::document::TableClass;
use monotable_plan::cost::{
    Bill, Demand, EntryChange, ItemWrite, Load, PageReads, Partitions, Payment, Provision, Request,
    Rows, Utilisation, bill, prices_of, stored_gigabytes,
};
use proptest::prelude::*;

const KB: u64 = 1024;

fn get(item_bytes: u64, consistency: Consistency) -> f64 {
    Request::Get { item_bytes, consistency }.consumption().table.read.units()
}

fn query(count: f64, bytes_each: u64, consistency: Consistency) -> PageReads {
    PageReads { index: None, rows: Rows { count, bytes_each }, consistency, fetched_bytes: None }
}

fn query_units(count: f64, bytes_each: u64, consistency: Consistency) -> f64 {
    let request = Request::Pages(query(count, bytes_each, consistency));
    request.consumption().table.read.units()
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() <= 0.005 * right.abs().max(1.0)
}

#[test]
fn a_get_of_up_to_4_kb_costs_1_unit_strong_and_half_of_it_eventual() {
    assert_eq!((get(4 * KB, Strong), get(4 * KB, Eventual)), (1.0, 0.5));
    assert_eq!((get(4 * KB + 1, Strong), get(8 * KB, Eventual)), (2.0, 1.0));
    assert_eq!(get(0, Eventual), 0.5);
}

#[test]
fn an_inbox_of_50_messages_of_256_kb_costs_1600_units_in_13_pages() {
    assert_eq!(query_units(50.0, 256 * KB, Eventual), 1600.0);
    let rows = Rows { count: 50.0, bytes_each: 256 * KB };
    assert_eq!(rows.read(Eventual).pages, 13);
}

#[test]
fn an_inbox_of_50_index_entries_of_128_bytes_costs_1_unit() {
    assert_eq!(query_units(50.0, 128, Eventual), 1.0);
}

#[test]
fn a_batch_of_50_items_of_256_kb_costs_1600_units() {
    assert_eq!(50.0 * get(256 * KB, Eventual), 1600.0);
}

#[test]
fn a_day_of_readings_is_1440_items_and_the_newest_20_are_20() {
    let (all, newest) = (query_units(1440.0, 100, Eventual), query_units(20.0, 100, Eventual));
    assert_eq!((all, newest), (18.0, 0.5));
}

#[test]
fn a_table_of_8_gb_5000_read_and_500_write_units_has_3_partitions() {
    let partitions = Partitions::estimate(8.0, 5000.0, 500.0);
    assert_eq!(partitions.count, 3);
    assert!(near(partitions.by_throughput, 2.17) && near(partitions.by_size, 0.8));
    assert!(near(partitions.read_units_each, 1666.67));
    assert!(near(partitions.write_units_each, 166.67));
}

#[test]
fn a_ladder_of_time_series_tables_needs_ever_fewer_partitions() {
    let ladder = [(10_000.0, 10_000.0), (1000.0, 1.0), (100.0, 1.0), (10.0, 1.0)];
    let count = |(read, write)| Partitions::estimate(0.0, read, write).count;
    assert_eq!(ladder.map(count), [14, 1, 1, 1]);
}

#[test]
fn a_write_is_billed_by_the_larger_of_before_and_after() {
    let write = |before, after| {
        let write = ItemWrite { before, after, indexes: Vec::new() };
        Request::Write(write).consumption().table.write.units()
    };
    assert_eq!(write(None, Some(3 * KB)), 3.0);
    assert_eq!(write(Some(3 * KB), Some(100)), 3.0);
    assert_eq!(write(Some(100), Some(3 * KB + 1)), 4.0);
    assert_eq!(write(Some(5 * KB), None), 5.0);
    assert_eq!(write(None, None), 1.0);
}

#[test]
fn an_index_pays_for_nothing_once_or_twice() {
    let units = |change: EntryChange| change.units().units();
    assert_eq!(units(EntryChange::Untouched), 0.0);
    assert_eq!(units(EntryChange::Inserted(1500)), 2.0);
    assert_eq!(units(EntryChange::Removed(100)), 1.0);
    assert_eq!(units(EntryChange::Changed { before: 100, after: 1500 }), 2.0);
    assert_eq!(units(EntryChange::Moved { before: 100, after: 1500 }), 3.0);
}

#[test]
fn a_transaction_doubles_the_table_and_not_the_indexes() {
    let write = ItemWrite {
        indexes: vec![("GSI1".to_owned(), EntryChange::Inserted(100))],
        ..ItemWrite::insert(1500)
    };
    let consumed = Request::TransactWrite(write.clone()).consumption();
    assert_eq!(consumed.table.write.units(), 4.0);
    assert_eq!(consumed.total().write.units(), 5.0);
    assert_eq!(Request::TransactWrite(write).replicated_units().units(), 3.0);
    let check = Request::TransactWrite(ItemWrite::check(100)).consumption();
    assert_eq!(check.table.write.units(), 2.0);
    let read = Request::TransactGet { item_bytes: 100 }.consumption();
    assert_eq!(read.table.read.units(), 2.0);
}

#[test]
fn an_item_that_expires_costs_nothing_at_home_and_a_write_in_each_replica() {
    let expiry = Request::Expire(ItemWrite { before: Some(1500), ..ItemWrite::default() });
    assert_eq!(expiry.consumption().total().write, HalfUnits::default());
    assert_eq!(expiry.replicated_units().units(), 2.0);
}

#[test]
fn a_local_index_that_lacks_attributes_fetches_item_by_item() {
    let pages = PageReads {
        index: Some("LSI1".to_owned()),
        fetched_bytes: Some(5 * KB),
        ..query(10.0, 100, Eventual)
    };
    let consumed = Request::Pages(pages).consumption();
    assert_eq!(consumed.table.read.units(), 10.0);
    assert_eq!(consumed.total().read.units(), 10.5);
}

#[test]
fn storage_counts_100_bytes_more_for_each_item() {
    let gigabytes = stored_gigabytes(1_000_000.0, 924);
    assert_eq!(gigabytes, 1_000_000.0 * 1024.0 / 1_073_741_824.0);
}

#[test]
fn provisioned_capacity_in_virginia_pays_above_29_percent_of_use() {
    let point = Utilisation::break_even(prices_of("us-east-1").unwrap().standard).unwrap();
    assert!(near(point.read, 0.289) && near(point.write, 0.289));
}

fn bill_of(demand: &Demand, payment: Payment, class: TableClass) -> Bill {
    let provision = Provision { target_utilisation: 0.5, peak_factor: 2.0 };
    bill(demand, &prices_of("us-east-1").unwrap(), provision, payment, class).unwrap()
}

/// 100 reads and 100 writes a second on a table, 50 writes on an index, 100 GB.
fn demand() -> Demand {
    Demand {
        loads: vec![Load { read: 100.0, write: 100.0 }, Load { read: 0.0, write: 50.0 }],
        stored_gigabytes: 100.0,
        backup_gigabytes: 80.0,
        point_in_time: true,
        backups: 2.0,
        stream_reads: 4.0,
        ..Demand::default()
    }
}

#[track_caller]
fn check_total(demand: &Demand, payment: Payment, class: TableClass, expected: f64) {
    let total = bill_of(demand, payment, class).total().unwrap();
    assert!((total - expected).abs() < 0.01, "{total} and not {expected}");
}

#[test]
fn a_bill_adds_up_in_every_way_of_paying() {
    let seconds = 730.0 * 3600.0;
    let kept = 80.0 * 0.20 + 2.0 * 80.0 * 0.10 + 4.0 * seconds * 0.02 / 100_000.0;
    let storage = 100.0 * 0.25;
    let requests = seconds * (100.0 * 0.125 + 150.0 * 0.625) / 1_000_000.0;
    let standard = TableClass::Standard;
    check_total(&demand(), Payment::OnDemand, standard, requests + storage + kept);
    // Four times the average is provided for: twice for the peak, twice for the target.
    let hourly = 730.0 * (401.0 * 0.00013 + 600.0 * 0.00065);
    check_total(&demand(), Payment::Provisioned, standard, hourly + storage + kept);
    let scaled = 730.0 * (201.0 * 0.00013 + 300.0 * 0.00065);
    check_total(&demand(), Payment::Scaled, standard, scaled + storage + kept);
    let reserved = 4.0 * (30.0 / 12.0 + 0.0025 * 730.0)
        + 730.0 * 0.00013
        + 6.0 * (150.0 / 12.0 + 0.0128 * 730.0);
    check_total(&demand(), Payment::ReservedOneYear, standard, reserved + storage + kept);
    let rare = seconds * (100.0 * 0.155 + 150.0 * 0.78) / 1_000_000.0 + 100.0 * 0.10;
    check_total(&demand(), Payment::OnDemand, TableClass::InfrequentAccess, rare + kept);
}

#[test]
fn a_replica_pays_for_its_writes_and_its_storage() {
    let mut replicated = demand();
    replicated.replicated = 150.0;
    replicated.replicas = vec![prices_of("eu-west-1").unwrap()];
    let one = bill_of(&demand(), Payment::OnDemand, TableClass::Standard).total().unwrap();
    let more = 730.0 * 3600.0 * 150.0 * 0.705 / 1_000_000.0 + 100.0 * 0.283;
    check_total(&replicated, Payment::OnDemand, TableClass::Standard, one + more);
}

#[test]
fn a_price_that_is_not_known_is_not_made_up() {
    let prices = prices_of("eu-west-2").unwrap();
    let provision = Provision { target_utilisation: 0.7, peak_factor: 1.0 };
    let make = |payment, class| bill(&demand(), &prices, provision, payment, class);
    assert!(make(Payment::OnDemand, TableClass::InfrequentAccess).is_none());
    let unpriced = make(Payment::OnDemand, TableClass::Standard).unwrap();
    assert_eq!(unpriced.lines.iter().filter(|(_, amount)| amount.is_none()).count(), 3);
    assert!(unpriced.total().is_some());
    let declared = make(Payment::Declared, TableClass::Standard).unwrap();
    assert_eq!(declared.total(), None);
}

proptest! {
    #[test]
    fn units_never_fall_as_items_grow(bytes in 0u64..409_600, more in 0u64..10_000) {
        prop_assert!(get(bytes + more, Strong) >= get(bytes, Strong));
        let write = |bytes| Request::Write(ItemWrite::insert(bytes)).consumption().table.write;
        prop_assert!(write(bytes + more) >= write(bytes));
        prop_assert!(write(bytes) > HalfUnits::default());
    }

    #[test]
    fn a_strong_read_costs_twice_an_eventual_one(count in 0f64..500.0, bytes in 1u64..20_000) {
        prop_assert_eq!(query_units(count, bytes, Strong),
            2.0 * query_units(count, bytes, Eventual));
    }

    #[test]
    fn moving_an_entry_never_costs_less_than_changing_it(
        before in 0u64..9000, after in 0u64..9000,
    ) {
        let moved = EntryChange::Moved { before, after }.units();
        let changed = EntryChange::Changed { before, after }.units();
        prop_assert!(moved >= changed);
    }

    #[test]
    fn bills_are_never_below_zero_and_grow_with_the_load(
        read in 0f64..5000.0, write in 0f64..5000.0, more in 0f64..100.0,
    ) {
        let of = |read: f64, write: f64| {
            Demand { loads: vec![Load { read, write }], ..Demand::default() }
        };
        for payment in [Payment::OnDemand, Payment::Provisioned, Payment::Scaled] {
            let less = bill_of(&of(read, write), payment, TableClass::Standard).total().unwrap();
            let grown = bill_of(&of(read + more, write + more), payment, TableClass::Standard);
            prop_assert!(less >= 0.0 && grown.total().unwrap() >= less);
        }
    }
}
