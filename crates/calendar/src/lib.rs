//! The calendar: days and moments in UTC, read from text and written as text.
//!
//! [`Date`] and [`Instant`] cover the years 0000 to 9999 of the proleptic Gregorian calendar; both
//! are in `instant`. There is no clock here: a moment comes from a number or from a text.
//!
//! ```
//! use monotable_calendar::Instant;
//!
//! let moment = Instant::parse("2024-02-29T12:00:00+01:00").unwrap();
//! assert_eq!(moment.write(), "2024-02-29T11:00:00.000000");
//! assert_eq!(moment.date().iso_week(), Some((2024, 9)));
//! ```

mod instant;

pub use instant::{Date, Instant, MICROS_PER_SEC, Reader, is_leap};
