//! Exact decimal numbers: 38 significant digits, 1E-130 to 9.99…E+125 and their negatives.
//!
//! A number is a coefficient of up to 38 digits and a power of ten. Both are normalised, so that
//! two equal numbers are equal structures: the coefficient has no trailing zeros, and zero is
//! `0 × 10^0` without a sign. 38 digits fit in a `u128`.
//!
//! DynamoDB reads numbers back as plain decimals: `1.50E2` comes back as `150`, and `1E125` as a
//! one with 125 zeros. [`Number`]'s `Display` is that form.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::limits::{NUMBER_DIGITS_MAX, NUMBER_EXPONENT_MAX, NUMBER_EXPONENT_MIN};

/// How long a text may be for its digits to fit in a word.
const SHORT_NUMBER_BYTES_MAX: usize = 18;

/// A number, normalised: no trailing zeros in its digits, and one zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    negative: bool,
    /// Up to 38 digits; not a multiple of ten unless zero.
    coefficient: u128,
    /// The value is `coefficient × 10^exponent`.
    exponent: i16,
}

/// Why a text is not a number, or why a sum cannot be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NumberError {
    /// The text is not a decimal number.
    #[error("not a decimal number")]
    NotANumber,
    /// The magnitude is above 9.99…E+125.
    #[error("magnitude above the range")]
    Overflow,
    /// The magnitude is below 1E-130, and not zero.
    #[error("magnitude below the range")]
    Underflow,
    /// More than 38 significant digits.
    #[error("more than {NUMBER_DIGITS_MAX} significant digits")]
    TooManyDigits,
}

impl Number {
    /// Zero.
    pub const ZERO: Number = Number { negative: false, coefficient: 0, exponent: 0 };

    /// Builds `±coefficient × 10^exponent`, normalised, if it is within the limits.
    pub(crate) fn from_parts(
        negative: bool,
        mut coefficient: u128,
        mut exponent: i32,
    ) -> Result<Number, NumberError> {
        if coefficient == 0 {
            return Ok(Number::ZERO);
        }
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        if digit_count(coefficient) > NUMBER_DIGITS_MAX {
            return Err(NumberError::TooManyDigits);
        }
        let leading = exponent + digit_count(coefficient) as i32 - 1;
        if leading > NUMBER_EXPONENT_MAX {
            return Err(NumberError::Overflow);
        }
        if leading < NUMBER_EXPONENT_MIN {
            return Err(NumberError::Underflow);
        }
        let exponent =
            i16::try_from(exponent).expect("an exponent within the range fits in 16 bits");
        Ok(Number { negative, coefficient, exponent })
    }

    /// Returns whether the number is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The digits as an integer without trailing zeros.
    pub(crate) fn coefficient(&self) -> u128 {
        self.coefficient
    }

    /// The power of ten of the first digit, as in scientific notation.
    pub(crate) fn leading_exponent(&self) -> i32 {
        self.exponent as i32 + digit_count(self.coefficient) as i32 - 1
    }

    /// The number as an `i64`, if it is a whole number in that range.
    pub fn to_i64(&self) -> Option<i64> {
        let scale = u32::try_from(self.exponent).ok().filter(|scale| *scale < 20)?;
        let magnitude = i128::try_from(self.coefficient).ok()?.checked_mul(10_i128.pow(scale))?;
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }

    /// The whole part of the number as an `i64`, if it is in that range: what is behind the point
    /// is cut off.
    pub fn trunc_to_i64(&self) -> Option<i64> {
        let fraction_digits = u32::try_from(-i32::from(self.exponent)).unwrap_or(0);
        if fraction_digits == 0 {
            return self.to_i64();
        }
        // A coefficient has fewer digits than that many divide away.
        let whole =
            10_u128.checked_pow(fraction_digits).map_or(0, |scale| self.coefficient / scale);
        let whole = i128::try_from(whole).ok()?;
        i64::try_from(if self.negative { -whole } else { whole }).ok()
    }

    /// What the number adds to an item's size: a byte, one for each two digits on either side of
    /// the point (leading and trailing zeros apart), and one for a minus sign.
    ///
    /// Measured: `3.14159` costs 5, `123456` costs 4, `1E125` costs 2.
    pub fn size_bytes(&self) -> usize {
        if self.coefficient == 0 {
            return 1;
        }
        let digits = digit_count(self.coefficient) as i32;
        let fraction = (-self.exponent as i32).clamp(0, digits);
        let integer = digits - fraction;
        1 + (integer as usize).div_ceil(2)
            + (fraction as usize).div_ceil(2)
            + usize::from(self.negative)
    }

    /// The sum, if it can be stored exactly.
    pub fn checked_add(&self, other: &Number) -> Result<Number, NumberError> {
        if self.coefficient == 0 {
            return Ok(*other);
        }
        if other.coefficient == 0 {
            return Ok(*self);
        }
        let (large, small) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let shift = (large.exponent - small.exponent) as u32;
        // The small one ends in a digit other than zero, so no cancellation can shorten a sum of
        // aligned digits that do not even fit in a u128: it would still have 39 of them.
        let aligned = 10_u128
            .checked_pow(shift)
            .and_then(|scale| large.coefficient.checked_mul(scale))
            .ok_or(NumberError::TooManyDigits)?;
        let (negative, sum) = if large.negative == small.negative {
            let sum = aligned.checked_add(small.coefficient).ok_or(NumberError::TooManyDigits)?;
            (large.negative, sum)
        } else if aligned >= small.coefficient {
            (large.negative, aligned - small.coefficient)
        } else {
            (small.negative, small.coefficient - aligned)
        };
        Number::from_parts(negative, sum, small.exponent as i32)
    }

    /// The difference, if it can be stored exactly.
    pub fn checked_sub(&self, other: &Number) -> Result<Number, NumberError> {
        self.checked_add(&other.negated())
    }

    fn negated(&self) -> Number {
        Number { negative: !self.negative && self.coefficient != 0, ..*self }
    }

    fn cmp_magnitude(&self, other: &Number) -> Ordering {
        self.leading_exponent()
            .cmp(&other.leading_exponent())
            .then_with(|| left_aligned(self.coefficient).cmp(&left_aligned(other.coefficient)))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        let sign = |number: &Number| match (number.coefficient, number.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        match (sign(self), sign(other)) {
            (0, 0) => Ordering::Equal,
            (1, 1) => self.cmp_magnitude(other),
            (-1, -1) => other.cmp_magnitude(self),
            (left, right) => left.cmp(&right),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Number {
    fn from(integer: i64) -> Number {
        Number::from_parts(integer < 0, integer.unsigned_abs().into(), 0)
            .expect("an i64 has at most 19 digits")
    }
}

impl FromStr for Number {
    type Err = NumberError;

    /// Reads what DynamoDB reads: an optional sign, digits with at most one point, an optional
    /// exponent. `.5`, `5.` and `+5` are numbers; white space is never allowed.
    fn from_str(text: &str) -> Result<Number, NumberError> {
        let (negative, unsigned) = split_sign(text);
        if let Some(number) = short_number(negative, unsigned) {
            return Ok(number);
        }
        let (mantissa, exponent) = split_exponent(unsigned)?;
        let mut digits = Digits::default();
        for byte in mantissa.bytes() {
            digits.push(byte)?;
        }
        digits.finish(negative, exponent)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        if self.exponent >= 0 {
            return write!(
                f,
                "{}{:0<zeros$}",
                self.coefficient,
                "",
                zeros = self.exponent as usize
            );
        }
        let fraction_digits = -self.exponent as usize;
        match 10_u128.checked_pow(fraction_digits as u32) {
            Some(scale) => write!(
                f,
                "{}.{:0fraction_digits$}",
                self.coefficient / scale,
                self.coefficient % scale
            ),
            None => write!(f, "0.{:0fraction_digits$}", self.coefficient),
        }
    }
}

/// A number of few digits and without exponent, as most are: nothing can be out of range, and the
/// digits fit in a word. None says nothing about other texts.
fn short_number(negative: bool, unsigned: &str) -> Option<Number> {
    if unsigned.len() > SHORT_NUMBER_BYTES_MAX {
        return None;
    }
    let (mut coefficient, mut exponent, mut digits) = (0_u64, 0_i16, 0_usize);
    let mut places = 0;
    for byte in unsigned.bytes() {
        match byte {
            b'0'..=b'9' => {
                coefficient = coefficient * 10 + u64::from(byte - b'0');
                exponent -= places;
                digits += 1;
            }
            b'.' if places == 0 => places = 1,
            _ => return None,
        }
    }
    if coefficient == 0 {
        return (digits > 0).then_some(Number::ZERO);
    }
    while coefficient.is_multiple_of(10) {
        coefficient /= 10;
        exponent += 1;
    }
    Some(Number { negative, coefficient: coefficient.into(), exponent })
}

/// The digits of a mantissa as they are read.
#[derive(Default)]
struct Digits {
    coefficient: u128,
    /// Significant digits so far, without leading zeros and without `pending_zeros`.
    count: u32,
    /// Zeros that count only if another digit follows them.
    pending_zeros: u32,
    /// Digits read after the point.
    fraction: i32,
    point_seen: bool,
    any: bool,
    overlong: bool,
}

impl Digits {
    fn push(&mut self, byte: u8) -> Result<(), NumberError> {
        match byte {
            b'.' if !self.point_seen => self.point_seen = true,
            b'0'..=b'9' => self.push_digit(byte - b'0'),
            _ => return Err(NumberError::NotANumber),
        }
        Ok(())
    }

    fn push_digit(&mut self, digit: u8) {
        self.any = true;
        self.fraction = self.fraction.saturating_add(i32::from(self.point_seen));
        if digit == 0 {
            self.pending_zeros = self.pending_zeros.saturating_add(u32::from(self.count > 0));
            return;
        }
        let places = self.pending_zeros.saturating_add(1);
        self.count = self.count.saturating_add(places);
        self.pending_zeros = 0;
        if self.count > NUMBER_DIGITS_MAX {
            self.overlong = true;
        } else {
            self.coefficient = self.coefficient * 10_u128.pow(places) + u128::from(digit);
        }
    }

    fn finish(self, negative: bool, exponent: i64) -> Result<Number, NumberError> {
        if !self.any {
            return Err(NumberError::NotANumber);
        }
        if self.count == 0 {
            // Even zero must be written with an exponent within the range.
            return check_range(exponent).map(|()| Number::ZERO);
        }
        let last = exponent + i64::from(self.pending_zeros) - i64::from(self.fraction);
        check_range(last + i64::from(self.count) - 1)?;
        if self.overlong {
            return Err(NumberError::TooManyDigits);
        }
        Number::from_parts(negative, self.coefficient, last as i32)
    }
}

/// Checks the power of ten of a number's first digit.
fn check_range(leading: i64) -> Result<(), NumberError> {
    if leading > i64::from(NUMBER_EXPONENT_MAX) {
        return Err(NumberError::Overflow);
    }
    if leading < i64::from(NUMBER_EXPONENT_MIN) {
        return Err(NumberError::Underflow);
    }
    Ok(())
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Splits `1.5e-3` into its mantissa and its exponent. An exponent of more than 64 bits makes no
/// number; one of more than 32 is as good as the largest, because both are far out of range.
fn split_exponent(text: &str) -> Result<(&str, i64), NumberError> {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return Ok((text, 0));
    };
    let (negative, digits) = split_sign(exponent);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::NotANumber);
    }
    let magnitude: i64 = digits.parse().map_err(|_| NumberError::NotANumber)?;
    let magnitude = magnitude.min(i64::from(i32::MAX));
    Ok((mantissa, if negative { -magnitude } else { magnitude }))
}

/// How many decimal digits a coefficient has; zero has one.
fn digit_count(coefficient: u128) -> u32 {
    coefficient.checked_ilog10().unwrap_or(0) + 1
}

/// The coefficient shifted left to 38 digits, so that coefficients of equal leading exponent
/// compare.
fn left_aligned(coefficient: u128) -> u128 {
    coefficient * 10_u128.pow(NUMBER_DIGITS_MAX - digit_count(coefficient))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(text: &str) -> Number {
        text.parse().unwrap()
    }

    #[track_caller]
    fn check_reads(text: &str, expected: &str) {
        assert_eq!(number(text).to_string(), expected, "{text}");
    }

    #[test]
    fn reads_back_as_a_plain_decimal_without_needless_zeros() {
        check_reads("0042.1200", "42.12");
        check_reads("+5", "5");
        check_reads(".5", "0.5");
        check_reads("5.", "5");
        check_reads("1.e5", "100000");
        check_reads("-0", "0");
        check_reads("-0.00e7", "0");
        check_reads("1E2", "100");
        check_reads("-1.5e-3", "-0.0015");
        check_reads("1e-40", &format!("0.{}1", "0".repeat(39)));
        check_reads(
            "12345678901234567890.123456789012345678",
            "12345678901234567890.123456789012345678",
        );
        check_reads("1E125", &format!("1{}", "0".repeat(125)));
        check_reads("1E-130", &format!("0.{}1", "0".repeat(129)));
        check_reads(&"9".repeat(38), &"9".repeat(38));
    }

    proptest! {
        #[test]
        fn a_short_number_is_read_as_a_long_one_is(text in "[-+]?[0-9]{0,9}[.]?[0-9]{0,12}") {
            // An exponent makes it long, and zeros in front of it make it no other number.
            let long = format!("{text}e{}0", "0".repeat(SHORT_NUMBER_BYTES_MAX));
            prop_assert_eq!(text.parse::<Number>(), long.parse::<Number>());
        }
    }

    #[test]
    fn refuses_what_is_not_a_decimal() {
        for text in [
            "", "+", "-", ".", "e5", "+e2", "1e", "1e+", "1+2", "1.2.3", " 1", "1 ", "1_0", "0x1",
            "NaN", "Infinity", "1e5.0", "--1", "１", "1e 5",
        ] {
            assert_eq!(text.parse::<Number>(), Err(NumberError::NotANumber), "{text:?}");
        }
    }

    #[test]
    fn refuses_magnitudes_out_of_range_and_too_many_digits() {
        let parse = |text: &str| text.parse::<Number>();
        assert_eq!(parse("1E126"), Err(NumberError::Overflow));
        assert_eq!(parse("-10e125"), Err(NumberError::Overflow));
        assert_eq!(parse("1e2147483647"), Err(NumberError::Overflow));
        assert_eq!(parse("1e9223372036854775807"), Err(NumberError::Overflow));
        assert_eq!(parse("1E-131"), Err(NumberError::Underflow));
        assert_eq!(parse("0.1E-130"), Err(NumberError::Underflow));
        assert_eq!(parse("1e-99999999999"), Err(NumberError::Underflow));
        assert_eq!(parse(&"1".repeat(39)), Err(NumberError::TooManyDigits));
        assert_eq!(parse("1e9223372036854775808"), Err(NumberError::NotANumber));
        assert_eq!(parse("0e126"), Err(NumberError::Overflow));
        assert_eq!(parse("0e-131"), Err(NumberError::Underflow));
        assert_eq!(parse("0e125"), Ok(Number::ZERO));
    }

    #[test]
    fn sizes_are_those_measured_on_aws() {
        for (text, expected) in [
            ("0", 1),
            ("1", 2),
            ("-1", 3),
            ("3.14159", 5),
            ("123456", 4),
            ("1E125", 2),
            ("1E-130", 2),
            ("100", 2),
            ("-12.5", 4),
            ("0.001", 2),
        ] {
            assert_eq!(number(text).size_bytes(), expected, "{text}");
        }
        assert_eq!(number(&"9".repeat(38)).size_bytes(), 20);
    }

    #[test]
    fn sums_are_exact_or_refused() {
        assert_eq!(number("0.1").checked_add(&number("0.2")), Ok(number("0.3")));
        assert_eq!(number("5").checked_sub(&number("5")), Ok(Number::ZERO));
        assert_eq!(number("1").checked_sub(&number("1.5")), Ok(number("-0.5")));
        let most = format!("{}E88", "9".repeat(38));
        assert_eq!(number(&most).checked_add(&number("1E88")), Err(NumberError::Overflow));
        assert_eq!(number("1E125").checked_add(&number("1")), Err(NumberError::TooManyDigits));
        assert_eq!(
            number("1E37").checked_add(&number("1")),
            Ok(number(&format!("1{}1", "0".repeat(36))))
        );
        assert_eq!(number("1E38").checked_add(&number("1")), Err(NumberError::TooManyDigits));
        let cancelled = format!("8{}1", "0".repeat(36));
        let taken = format!("9{}9", "9".repeat(36));
        assert_eq!(number("18E37").checked_sub(&number(&taken)), Ok(number(&cancelled)));
    }

    #[test]
    fn the_whole_part_is_what_stands_before_the_point() {
        let cases = [
            ("1763280000.5", Some(1_763_280_000)),
            ("1763280000", Some(1_763_280_000)),
            ("1.76328E9", Some(1_763_280_000)),
            ("0.999", Some(0)),
            ("-1.5", Some(-1)),
            ("1E-130", Some(0)),
            ("9223372036854775807.9", Some(i64::MAX)),
            ("9223372036854775808.1", None),
            ("1E30", None),
        ];
        for (text, whole) in cases {
            assert_eq!(text.parse::<Number>().unwrap().trunc_to_i64(), whole, "{text}");
        }
    }

    fn any_number() -> impl Strategy<Value = Number> {
        (any::<bool>(), 0..10_u128.pow(38), -130_i32..126)
            .prop_filter_map("range", |(sign, digits, exponent)| {
                Number::from_parts(sign, digits, exponent).ok()
            })
    }

    proptest! {
        #[test]
        fn display_reads_back_the_same(number in any_number()) {
            prop_assert_eq!(number.to_string().parse(), Ok(number));
        }

        #[test]
        fn small_integers_behave_as_integers(
            a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000,
        ) {
            let (x, y) = (Number::from(a), Number::from(b));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.checked_add(&y), Ok(Number::from(a + b)));
            prop_assert_eq!(x.checked_sub(&y), Ok(Number::from(a - b)));
            prop_assert_eq!(x.to_i64(), Some(a));
            prop_assert_eq!(x.to_string(), a.to_string());
        }

        #[test]
        fn adding_and_taking_away_gives_the_same(a in any_number(), b in any_number()) {
            if let Ok(sum) = a.checked_add(&b) {
                prop_assert_eq!(sum.checked_sub(&b), Ok(a));
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[-+.eE0-9 ]{0,60}") {
            if let Ok(number) = text.parse::<Number>() {
                prop_assert_eq!(number.to_string().parse(), Ok(number));
            }
        }
    }
}
