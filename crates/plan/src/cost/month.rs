//! The month that bills are for.

/// The hours of a month, as AWS counts them.
pub const HOURS: f64 = 730.0;
/// The seconds of a month.
pub const SECONDS: f64 = HOURS * 3600.0;
/// The bytes of a gigabyte on a bill.
pub const GIGABYTE: f64 = (1u64 << 30) as f64;
/// What each item and each index entry costs in storage besides its own bytes.
pub const STORED_OVERHEAD_BYTES: u64 = 100;

/// The gigabytes of this many items of one size, stored with their overhead.
pub fn stored_gigabytes(count: f64, bytes_each: u64) -> f64 {
    count * (bytes_each + STORED_OVERHEAD_BYTES) as f64 / GIGABYTE
}
