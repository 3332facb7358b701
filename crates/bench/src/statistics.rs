//! Medians and spreads over the rounds of a run.

/// What several rounds measured of the same thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The middle value, or the mean of the two in the middle.
    pub median: f64,
    /// The smallest value.
    pub least: f64,
    /// The largest value.
    pub most: f64,
}

impl Spread {
    /// The spread of these values; none if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        let upper = *values.get(middle)?;
        let lower = if values.len().is_multiple_of(2) { *values.get(middle - 1)? } else { upper };
        let (least, most) = (*values.first()?, *values.last()?);
        Some(Spread { median: (lower + upper) / 2.0, least, most })
    }

    /// Half of the range, in percent of the median: the number after `±`.
    pub fn percent(&self) -> f64 {
        if self.median == 0.0 { 0.0 } else { (self.most - self.least) / 2.0 / self.median * 100.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_odd_number_is_the_one_in_the_middle() {
        let spread = Spread::of([9.0, 1.0, 5.0]).unwrap();
        assert_eq!(spread, Spread { median: 5.0, least: 1.0, most: 9.0 });
        assert_eq!(spread.percent(), 80.0);
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_two_in_the_middle() {
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 8.0]).unwrap().median, 3.0);
    }

    #[test]
    fn no_values_have_no_spread() {
        assert_eq!(Spread::of([]), None);
    }
}
