//! The shapes of dates and times in texts.

/// A date, perhaps with a time, that stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Timestamp<'t> {
    /// What stands before it.
    pub(super) before: &'t str,
    /// The date and time itself.
    pub(super) text: &'t str,
}

/// The characters that a date with a time can go on with.
const CONTINUATION: &str = "0123456789-:./TZtz+ ";

impl<'t> Timestamp<'t> {
    /// The first date in a text that begins with its year, such as `2026-01-03`, with the time
    /// behind it.
    pub(super) fn find(text: &'t str) -> Option<Timestamp<'t>> {
        let start = text.char_indices().map(|(start, _)| start).find(|start| {
            let is_inside = text.get(..*start).is_some_and(ends_in_digit);
            !is_inside && text.get(*start..).is_some_and(is_year_first)
        })?;
        let (before, rest) = text.split_at_checked(start)?;
        let end = rest.find(|character| !CONTINUATION.contains(character)).unwrap_or(rest.len());
        let text = rest.get(..end)?.trim_end();
        Some(Timestamp { before, text })
    }

    /// Its digits replaced by one of them: two times with the same shape sort by time.
    pub(super) fn shape(&self) -> String {
        let digit = |character: char| if character.is_ascii_digit() { '9' } else { character };
        self.text.chars().map(digit).collect()
    }

    /// Whether the calendar has such a month and day.
    pub(super) fn is_valid(&self) -> bool {
        let mut numbers = self.text.split(|character: char| !character.is_ascii_digit());
        let _year = numbers.next();
        let mut within = |max: u8| {
            let number = numbers.next().and_then(|digits| digits.parse::<u8>().ok());
            number.is_some_and(|number| (1..=max).contains(&number))
        };
        within(12) && within(31)
    }
}

/// Whether a text is a date that ends with its year, such as `03/15/2022`: such texts do not sort
/// by time.
pub(super) fn is_year_last(text: &str) -> bool {
    let shape: String = text.chars().map(class).collect();
    let date = shape.split([' ', 'T']).next().unwrap_or_default();
    ["9/9/9999", "99/9/9999", "9/99/9999", "99/99/9999", "99-99-9999", "99.99.9999", "9.9.9999"]
        .contains(&date)
}

fn class(character: char) -> char {
    if character.is_ascii_digit() { '9' } else { character }
}

fn ends_in_digit(text: &str) -> bool {
    text.ends_with(|character: char| character.is_ascii_digit())
}

fn is_year_first(text: &str) -> bool {
    let shape: String = text.chars().take(10).map(class).collect();
    shape == "9999-99-99" || shape == "9999/99/99"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_found_with_what_stands_before_it() {
        let found = Timestamp::find("ORDER#2026-01-03T10:00:00Z#17").unwrap();
        assert_eq!(found, Timestamp { before: "ORDER#", text: "2026-01-03T10:00:00Z" });
        assert_eq!(found.shape(), "9999-99-99T99:99:99Z");
        assert_eq!(Timestamp::find("2020-01-11 04:13").unwrap().shape(), "9999-99-99 99:99");
        assert_eq!(Timestamp::find("ORDER#17"), None);
        assert_eq!(Timestamp::find("12020-01-11"), None);
    }

    #[test]
    fn months_end_at_twelve() {
        assert!(Timestamp::find("2020-12-31").unwrap().is_valid());
        assert!(!Timestamp::find("2020-15-03").unwrap().is_valid());
    }

    #[test]
    fn a_date_that_ends_with_its_year_is_known() {
        assert!(
            is_year_last("03/15/2022")
                && is_year_last("3.1.2022")
                && is_year_last("03-15-2022 10:00")
        );
        assert!(!is_year_last("2022/03/15") && !is_year_last("15"));
    }
}
