//! Exact decimal numbers, for comparing what a server returns with what is expected.
//!
//! `1`, `1.0` and `10e-1` are one number in DynamoDB. A number is kept as `coefficient ×
//! 10^exponent` with no zero at the end of the coefficient, so equal numbers have equal parts.
//! DynamoDB's 38 digits fit an
//! `i128`.

use std::cmp::Ordering;
use std::str::FromStr;

use anyhow::{Context, Error, Result};

/// An exact decimal number of at most 38 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    coefficient: i128,
    exponent: i32,
}

impl Decimal {
    fn new(mut coefficient: i128, mut exponent: i32) -> Self {
        if coefficient == 0 {
            return Self { coefficient, exponent: 0 };
        }
        while coefficient % 10 == 0 {
            coefficient /= 10;
            exponent += 1;
        }
        Self { coefficient, exponent }
    }

    /// The sum, or nothing if it has more digits than fit.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let exponent = self.exponent.min(other.exponent);
        let sum = self.coefficient_at(exponent)?.checked_add(other.coefficient_at(exponent)?)?;
        Some(Self::new(sum, exponent))
    }

    /// The coefficient that this number has with a smaller exponent.
    fn coefficient_at(self, exponent: i32) -> Option<i128> {
        let places = u32::try_from(self.exponent - exponent).ok()?;
        self.coefficient.checked_mul(10_i128.checked_pow(places)?)
    }

    /// The power of ten of the first digit.
    fn magnitude(self) -> i32 {
        let digits = self.coefficient.unsigned_abs().checked_ilog10().unwrap_or(0);
        self.exponent + i32::try_from(digits).expect("39 digits at most")
    }
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Self {
        Self::new(i128::from(number), 0)
    }
}

impl FromStr for Decimal {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let not_a_number = || format!("{text:?} is not a number");
        let coefficient = format!("{whole}{fraction}").parse().with_context(not_a_number)?;
        let exponent: i32 = exponent.parse().with_context(not_a_number)?;
        let places = i32::try_from(fraction.len()).with_context(not_a_number)?;
        Ok(Self::new(coefficient, exponent - places))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.coefficient.signum().cmp(&other.coefficient.signum());
        let magnitudes = self.magnitude().cmp(&other.magnitude());
        let by_magnitude = if self.coefficient < 0 { magnitudes.reverse() } else { magnitudes };
        signs.then(by_magnitude).then_with(|| self.cmp_digits(*other))
    }
}

impl Decimal {
    /// Compares two numbers of one sign and one magnitude: their coefficients at the smaller
    /// exponent, which fit because the numbers have the same first place.
    fn cmp_digits(self, other: Self) -> Ordering {
        let exponent = self.exponent.min(other.exponent);
        self.coefficient_at(exponent).cmp(&other.coefficient_at(exponent))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn equal_numbers_are_equal_in_every_spelling() {
        for text in ["1", "1.0", "10e-1", "0.1E1", "1.000"] {
            assert_eq!(number(text), number("1"), "{text}");
        }
        assert_eq!(number("0"), number("-0.00"));
        assert_ne!(number("1"), number("1.0000000000000000000000000000000000001"));
    }

    #[test]
    fn numbers_sort_by_value() {
        let sorted =
            ["-1e30", "-25", "-3", "-0.5", "0", "1e-130", "0.25", "0.3", "3", "25", "1e125"];
        let mut numbers: Vec<Decimal> = sorted.iter().rev().map(|text| number(text)).collect();
        numbers.sort();
        assert_eq!(numbers, sorted.map(number));
    }

    #[test]
    fn sums_are_exact() {
        assert_eq!(number("0.1").checked_add(number("0.2")), Some(number("0.3")));
        assert_eq!(number("1e125").checked_add(number("1")), None);
    }
}
