//! Break-even points: where one way of paying or storing becomes cheaper than another.

use super::bill::{Bill, BillLine};
use super::price::{ClassPrices, UnitPrices};

/// The part of provisioned capacity that must be used, on average, for it to be cheaper than paying
/// by request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Utilisation {
    /// Of read capacity.
    pub read: f64,
    /// Of write capacity.
    pub write: f64,
}

impl Utilisation {
    /// Of a table class, if both prices are known.
    pub fn break_even(class: ClassPrices) -> Option<Utilisation> {
        let (hour, request) = (class.provisioned?, class.on_demand?);
        let of = |part: fn(&UnitPrices) -> f64| part(&hour) / (part(&request) * 3600.0);
        Some(Utilisation { read: of(|prices| prices.read), write: of(|prices| prices.write) })
    }
}

/// The part of a bill that storage must be for the class Standard-Infrequent Access to be cheaper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StorageShare {
    /// The part that storage is.
    pub share: f64,
    /// The part from which on it is cheaper, with the same reads and writes.
    pub break_even: f64,
}

impl StorageShare {
    /// Compares the bills of both classes.
    pub fn of(standard: &Bill, infrequent: &Bill) -> Option<StorageShare> {
        let parts = |bill: &Bill| {
            let requests = bill.amount(BillLine::Reads)? + bill.amount(BillLine::Writes)?;
            Some((bill.amount(BillLine::Storage)?, requests))
        };
        let ((storage, requests), (rare_storage, rare_requests)) =
            (parts(standard)?, parts(infrequent)?);
        if storage <= 0.0 || requests <= 0.0 {
            return None;
        }
        let saved = 1.0 - rare_storage / storage;
        let added = rare_requests / requests - 1.0;
        let share = storage / (storage + requests);
        Some(StorageShare { share, break_even: added / (added + saved) })
    }
}

/// What a narrower projection of an index would save, and when it would not.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectionSaving {
    /// The index.
    pub index: String,
    /// The attributes that it would include; none for the keys alone.
    pub include: Vec<String>,
    /// What is saved in a month, before items are fetched.
    pub month: f64,
    /// How many items a second can be fetched from the table until the saving is used up.
    pub break_even_fetches: f64,
    /// How many rows a second patterns read through the index that want whole items.
    pub whole_rows: f64,
}

impl ProjectionSaving {
    /// Returns whether the narrower projection is cheaper, with the fetches that it takes.
    pub fn is_worth_it(&self) -> bool {
        self.month > 0.0 && self.whole_rows < self.break_even_fetches
    }
}
