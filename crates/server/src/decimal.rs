//! Numbers in headers.

/// The digits of the largest number.
const DIGITS_MAX: usize = 20;

/// A number in decimal digits, without the machinery of formatting.
#[derive(Debug)]
pub(crate) struct Decimal {
    digits: [u8; DIGITS_MAX],
    begin: usize,
}

impl Decimal {
    pub(crate) fn new(number: u64) -> Decimal {
        let mut digits = [b'0'; DIGITS_MAX];
        let mut begin = DIGITS_MAX;
        let mut rest = number;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            begin -= 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        Decimal { digits, begin }
    }

    pub(crate) fn digits(&self) -> &[u8] {
        self.digits.get(self.begin..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_as_it_is_displayed() {
        for number in [0, 7, 10, 99, 100, 4_294_967_295, u64::MAX] {
            let decimal = Decimal::new(number);
            assert_eq!(str::from_utf8(decimal.digits()).unwrap(), number.to_string());
        }
    }
}
