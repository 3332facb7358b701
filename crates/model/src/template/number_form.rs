//! Numbers of fixed width in text keys, in the order of their values.

use monotable_item::{Number, Type, Value};

use super::error::PartError;

/// The most digits a form can have: those of a DynamoDB number.
pub const DIGITS_MAX: u8 = 38;

/// A number written with a fixed count of digits before and after the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberForm {
    sign: Sign,
    whole_digits: u8,
    fraction_digits: u8,
    subtracted_from: Option<i64>,
}

/// Which numbers a form can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Zero and above, as they are.
    Unsigned,
    /// `+`: half of the range is added, so that negative numbers come first.
    Offset,
}

impl NumberForm {
    /// Whole numbers of `digits` digits.
    pub fn whole(sign: Sign, digits: u8) -> Option<NumberForm> {
        NumberForm::decimal(sign, digits, 0)
    }

    /// Fixed point. There must be a digit before the point, and at most [`DIGITS_MAX`] in all.
    pub fn decimal(sign: Sign, whole_digits: u8, fraction_digits: u8) -> Option<NumberForm> {
        let digits = whole_digits.checked_add(fraction_digits)?;
        (whole_digits > 0 && digits <= DIGITS_MAX).then_some(NumberForm {
            sign,
            whole_digits,
            fraction_digits,
            subtracted_from: None,
        })
    }

    /// `desc(total)`: writes `total − value` instead. For unsigned whole numbers.
    pub fn subtracted_from(self, total: i64) -> Option<NumberForm> {
        let fits = self.sign == Sign::Unsigned && self.fraction_digits == 0 && total >= 0;
        fits.then_some(NumberForm { subtracted_from: Some(total), ..self })
    }

    /// Which numbers it can write.
    pub fn sign(&self) -> Sign {
        self.sign
    }

    /// The digits before the point.
    pub fn whole_digits(&self) -> u8 {
        self.whole_digits
    }

    /// The digits after the point; without any, there is no point.
    pub fn fraction_digits(&self) -> u8 {
        self.fraction_digits
    }

    /// What values are subtracted from, if they are.
    pub fn total(&self) -> Option<i64> {
        self.subtracted_from
    }

    /// The characters that it writes.
    pub fn width(&self) -> usize {
        self.digits() + usize::from(self.fraction_digits > 0)
    }

    pub(crate) fn encode(&self, value: &Value) -> Result<String, PartError> {
        let Value::Number(number) = value else {
            return Err(PartError::wrong_type(&[Type::Number], value));
        };
        let does_not_fit = || PartError::NumberDoesNotFit { number: *number, form: *self };
        let scaled = scaled(number, self.fraction_digits).ok_or_else(does_not_fit)?;
        let code =
            self.code(scaled).filter(|code| *code < self.codes()).ok_or_else(does_not_fit)?;
        Ok(self.write(code))
    }

    pub(crate) fn decode(&self, text: &str) -> Option<Value> {
        let code = self.read(text)?;
        let scaled = match (self.sign, self.subtracted_from) {
            (Sign::Unsigned, None) => code,
            (Sign::Unsigned, Some(total)) => Some(i128::from(total) - code).filter(|v| *v >= 0)?,
            (Sign::Offset, _) => code - self.codes() / 2,
        };
        let number = format!("{scaled}E-{}", self.fraction_digits).parse::<Number>().ok()?;
        Some(Value::Number(number))
    }

    /// The least and the greatest of what is written before the point, for values of a range of
    /// whole numbers or for any.
    pub(crate) fn whole_codes(&self, range: Option<(i128, i128)>) -> (i128, i128) {
        let codes = 10_i128.pow(u32::from(self.whole_digits));
        let most = codes - 1;
        let (low, high) = range.unwrap_or((-codes, codes));
        match (self.sign, self.subtracted_from) {
            (Sign::Unsigned, None) => (low.max(0), high.min(most)),
            (Sign::Unsigned, Some(total)) => {
                let total = i128::from(total);
                let least = if range.is_some() { total - high } else { 0 };
                (least.max(0), (total - low.max(0)).min(most))
            }
            (Sign::Offset, _) => ((low + codes / 2).max(0), (high + codes / 2).min(most)),
        }
    }

    /// What is written for a value that has been made whole, if it is not negative.
    fn code(&self, scaled: i128) -> Option<i128> {
        let code = match (self.sign, self.subtracted_from) {
            (Sign::Unsigned, None) => scaled,
            (Sign::Unsigned, Some(total)) if scaled >= 0 => i128::from(total) - scaled,
            (Sign::Unsigned, Some(_)) => return None,
            (Sign::Offset, _) => scaled.checked_add(self.codes() / 2)?,
        };
        (code >= 0).then_some(code)
    }

    fn digits(&self) -> usize {
        usize::from(self.whole_digits) + usize::from(self.fraction_digits)
    }

    /// How many different codes there are: ten to the number of digits, at most 10^38.
    fn codes(&self) -> i128 {
        10_i128.pow(u32::from(self.whole_digits) + u32::from(self.fraction_digits))
    }

    fn write(&self, code: i128) -> String {
        let mut text = format!("{code:0>width$}", width = self.digits());
        if self.fraction_digits > 0 {
            text.insert(usize::from(self.whole_digits), '.');
        }
        text
    }

    fn read(&self, text: &str) -> Option<i128> {
        let digits = match self.fraction_digits {
            0 => text.to_owned(),
            _ => {
                let (whole, fraction) = text.split_once('.')?;
                (whole.len() == usize::from(self.whole_digits))
                    .then(|| whole.to_owned() + fraction)?
            }
        };
        let is_number = digits.len() == self.digits() && digits.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| digits.parse().ok())?
    }
}

/// The number times ten to `fraction_digits`, if that is a whole number of at most 38 digits.
pub(crate) fn scaled(number: &Number, fraction_digits: u8) -> Option<i128> {
    let text = number.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let width = usize::from(fraction_digits);
    if fraction.len() > width || whole.len() + width > usize::from(DIGITS_MAX) + 1 {
        return None;
    }
    let scaled: i128 = format!("{whole}{fraction:0<width$}").parse().ok()?;
    (scaled.unsigned_abs() < 10_u128.pow(u32::from(DIGITS_MAX))).then_some(scaled)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(text: &str) -> Value {
        Value::Number(text.parse().unwrap())
    }

    #[test]
    fn forms_write_what_the_design_says() {
        let whole = |digits| NumberForm::whole(Sign::Unsigned, digits).unwrap();
        let offset = |digits| NumberForm::whole(Sign::Offset, digits).unwrap();
        let price = NumberForm::decimal(Sign::Unsigned, 5, 2).unwrap();
        let balance = NumberForm::decimal(Sign::Offset, 5, 2).unwrap();
        for (form, value, written) in [
            (whole(6), "42", "000042"),
            (
                whole(38),
                "99999999999999999999999999999999999999",
                "99999999999999999999999999999999999999",
            ),
            (whole(5).subtracted_from(100_000).unwrap(), "1", "99999"),
            (offset(6), "-1", "499999"),
            (offset(6), "-500000", "000000"),
            (price, "12.5", "00012.50"),
            (balance, "-0.01", "49999.99"),
        ] {
            assert_eq!(form.encode(&number(value)).unwrap(), written);
            assert_eq!(form.decode(written), Some(number(value)));
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        let whole = NumberForm::whole(Sign::Unsigned, 2).unwrap();
        let complement = whole.subtracted_from(100).unwrap();
        let offset = NumberForm::whole(Sign::Offset, 2).unwrap();
        let price = NumberForm::decimal(Sign::Unsigned, 2, 1).unwrap();
        for (form, value) in [
            (whole, "100"),
            (whole, "-1"),
            (whole, "1.5"),
            (whole, "1E125"),
            (whole, "1E-130"),
            (complement, "0"),
            (complement, "101"),
            (complement, "-1"),
            (offset, "50"),
            (offset, "-51"),
            (price, "1.25"),
            (price, "100"),
        ] {
            assert!(form.encode(&number(value)).is_err(), "{form:?} {value}");
        }
    }

    proptest! {
        #[test]
        fn offset_decimals_come_back_and_sort_as_their_values(
            a in -50_000..50_000_i64, b in -50_000..50_000_i64,
        ) {
            let form = NumberForm::decimal(Sign::Offset, 3, 2).unwrap();
            let value = |n: i64| number(&format!("{n}E-2"));
            let (x, y) = (form.encode(&value(a)).unwrap(), form.encode(&value(b)).unwrap());
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(form.decode(&x), Some(value(a)));
        }

        #[test]
        fn what_decodes_was_encoded(text in "[0-9.]{1,6}", whole in 1..4_u8, fraction in 0..3_u8) {
            let form = NumberForm::decimal(Sign::Unsigned, whole, fraction).unwrap();
            if let Some(value) = form.decode(&text) {
                prop_assert_eq!(form.encode(&value).unwrap(), text);
            }
        }
    }
}
