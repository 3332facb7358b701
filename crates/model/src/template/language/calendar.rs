//! Dates and times as texts, exact to the leap day and to the years of 53 weeks.

use std::collections::HashMap;

use monotable_calendar::{Date, is_leap};

use super::super::time_form::{Bucket, EpochUnit, TimeForm, TimeUnit};
use super::automaton::Automaton;
use super::char_set::CharSet;
use super::numerals::padded_between;

/// The calendar repeats after this many years, to the day of the week.
const CYCLE_YEARS: u16 = 400;

/// All texts of a form.
pub(crate) fn time_language(form: TimeForm) -> Automaton {
    match form {
        TimeForm::Timestamp(unit) => timestamps(unit),
        TimeForm::Epoch(EpochUnit::Seconds) => digits(10),
        TimeForm::Epoch(EpochUnit::Millis) => digits(13),
        TimeForm::Bucket(Bucket::Year, _) => digits(4),
        TimeForm::Bucket(Bucket::Quarter, _) => {
            Automaton::concat(&[digits(4), Automaton::literal("-Q"), padded_between(1, 4, 1)])
        }
        TimeForm::Bucket(Bucket::Month, _) => {
            Automaton::concat(&[digits(4), Automaton::literal("-"), padded_between(1, 12, 2)])
        }
        TimeForm::Bucket(Bucket::Week, _) => weeks(),
        TimeForm::Bucket(Bucket::Day, _) => dates("-"),
        TimeForm::Bucket(Bucket::Hour, _) => {
            Automaton::concat(&[dates("-"), Automaton::literal("T"), padded_between(0, 23, 2)])
        }
        TimeForm::Bucket(Bucket::Minute, unit) => minutes(unit, padded_between(0, 59, 2)),
        TimeForm::Bucket(Bucket::Minutes(window), unit) => {
            let first = (0..60).step_by(usize::from(window.minutes()));
            let first = first.map(|minute| Automaton::literal(&format!("{minute:02}")));
            minutes(unit, Automaton::union(first))
        }
    }
}

/// Hours, and some minutes of each.
fn minutes(unit: TimeUnit, of_hour: Automaton) -> Automaton {
    let hour = time_language(TimeForm::Bucket(Bucket::Hour, unit));
    Automaton::concat(&[hour, Automaton::literal(":"), of_hour])
}

/// All dates, year first.
pub(crate) fn dates(separator: &str) -> Automaton {
    let date = |years: Automaton, months: &[u8], days: i128| {
        let months = months.iter().map(|month| Automaton::literal(&format!("{month:02}")));
        let between = || Automaton::literal(separator);
        let months = Automaton::union(months);
        Automaton::concat(&[years, between(), months, between(), padded_between(1, days, 2)])
    };
    Automaton::union([
        date(digits(4), &[1, 3, 5, 7, 8, 10, 12], 31),
        date(digits(4), &[4, 6, 9, 11], 30),
        date(digits(4), &[2], 28),
        date(years(is_leap), &[2], 29),
    ])
}

fn timestamps(unit: TimeUnit) -> Automaton {
    let sixty = || padded_between(0, 59, 2);
    let colon = || Automaton::literal(":");
    let fraction = match unit.fraction_digits() {
        0 => Automaton::literal(""),
        count => Automaton::concat(&[Automaton::literal("."), digits(usize::from(count))]),
    };
    let hour = time_language(TimeForm::Bucket(Bucket::Hour, unit));
    Automaton::concat(&[
        hour,
        colon(),
        sixty(),
        colon(),
        sixty(),
        fraction,
        Automaton::literal("Z"),
    ])
}

fn weeks() -> Automaton {
    let has_53 = |year: u16| Date::of_week(year, 53).is_some();
    let of = |years: Automaton, weeks: Automaton| {
        Automaton::concat(&[years, Automaton::literal("-W"), weeks])
    };
    Automaton::union([
        of(digits(4), padded_between(1, 52, 2)),
        of(years(has_53), Automaton::literal("53")),
    ])
}

/// The years for which something holds that depends on the place in the cycle alone.
fn years(holds: impl Fn(u16) -> bool) -> Automaton {
    let centuries = CYCLE_YEARS / 100;
    Automaton::union((0..centuries).map(|remainder| {
        let first = two_digits(|century| century % centuries == remainder);
        // The second cycle stands for all, since the first begins with half a week.
        let last = two_digits(|year| holds(CYCLE_YEARS + remainder * 100 + year));
        Automaton::concat(&[first, last])
    }))
}

/// The numbers below 100 for which something holds, tens with the same units together.
fn two_digits(holds: impl Fn(u16) -> bool) -> Automaton {
    let digit = |number: u16| char::from_digit(number.into(), 10).map(|digit| (digit, digit));
    let mut tens_by_units: HashMap<CharSet, Vec<(char, char)>> = HashMap::new();
    for tens in 0..10 {
        let units = (0..10).filter(|unit| holds(tens * 10 + unit)).filter_map(digit);
        tens_by_units.entry(CharSet::from_ranges(units)).or_default().extend(digit(tens));
    }
    let sequences = tens_by_units.into_iter();
    Automaton::union(
        sequences.map(|(units, tens)| Automaton::sequence([CharSet::from_ranges(tens), units])),
    )
}

fn digits(count: usize) -> Automaton {
    Automaton::repeat(&CharSet::digits(), count, Some(count))
}

#[cfg(test)]
mod tests {
    use super::super::super::minute_window::MinuteWindow;
    use super::super::super::time_form::{decode_year_first, encode_year_first};
    use super::*;

    #[test]
    fn february_has_its_leap_days() {
        let days = dates("/");
        for year in (0..10_000).step_by(4) {
            let text = format!("{year:04}/02/29");
            assert_eq!(days.accepts(&text), decode_year_first(&text).is_some(), "{text}");
        }
        for (text, valid) in [
            ("2022/03/15", true),
            ("2022/15/03", false),
            ("2022/04/31", false),
            ("2023/02/29", false),
            ("2022/00/10", false),
            ("2022/12/31", true),
        ] {
            assert_eq!(days.accepts(text), valid, "{text}");
            assert_eq!(
                decode_year_first(text).is_some_and(|v| encode_year_first(&v).is_ok()),
                valid
            );
        }
    }

    #[test]
    fn years_have_their_weeks() {
        let weeks = weeks();
        for year in (0..=9999).step_by(7) {
            for week in [0, 1, 52, 53, 54] {
                let valid = Date::of_week(year, week).is_some();
                assert_eq!(weeks.accepts(&format!("{year:04}-W{week:02}")), valid, "{year} {week}");
            }
        }
    }

    #[test]
    fn short_periods_begin_where_their_form_says() {
        let window = MinuteWindow::new(15).unwrap();
        for (bucket, text, valid) in [
            (Bucket::Minute, "2026-01-03T10:59", true),
            (Bucket::Minute, "2026-01-03T10:60", false),
            (Bucket::Minutes(window), "2026-01-03T10:45", true),
            (Bucket::Minutes(window), "2026-01-03T10:50", false),
            (Bucket::Quarter, "2026-Q4", true),
            (Bucket::Quarter, "2026-Q5", false),
            (Bucket::Quarter, "2026-Q0", false),
        ] {
            let form = TimeForm::Bucket(bucket, TimeUnit::Seconds);
            assert_eq!(time_language(form).accepts(text), valid, "{text}");
            assert_eq!(form.decode(text).is_some(), valid, "{text}");
        }
    }

    #[test]
    fn timestamps_have_their_precision() {
        let millis = timestamps(TimeUnit::Millis);
        assert!(millis.accepts("2026-01-03T10:15:06.012Z"));
        assert!(!millis.accepts("2026-01-03T10:15:06Z"));
        assert!(!millis.accepts("2026-01-03T24:15:06.012Z"));
        assert!(timestamps(TimeUnit::Seconds).accepts("2026-01-03T10:15:06Z"));
    }
}
