//! Text, numbers, bytes and flags.

use monotable_item::{Number, Type, Value};

use super::{Attribute, NumberBounds, ValueError};

impl Attribute for String {
    const KIND: Type = Type::String;

    fn to_value(&self) -> Option<Value> {
        Some(Value::String(self.clone()))
    }

    fn from_value(value: Value) -> Result<String, ValueError> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(ValueError::wrong_type(Type::String, &other)),
        }
    }
}

impl Attribute for bool {
    const KIND: Type = Type::Bool;

    fn to_value(&self) -> Option<Value> {
        Some(Value::Bool(*self))
    }

    fn from_value(value: Value) -> Result<bool, ValueError> {
        match value {
            Value::Bool(flag) => Ok(flag),
            other => Err(ValueError::wrong_type(Type::Bool, &other)),
        }
    }
}

impl Attribute for Number {
    const KIND: Type = Type::Number;

    fn to_value(&self) -> Option<Value> {
        Some(Value::Number(*self))
    }

    fn from_value(value: Value) -> Result<Number, ValueError> {
        match value {
            Value::Number(number) => Ok(number),
            other => Err(ValueError::wrong_type(Type::Number, &other)),
        }
    }
}

impl Attribute for Value {
    const KIND: Type = Type::Map;

    fn to_value(&self) -> Option<Value> {
        Some(self.clone())
    }

    fn from_value(value: Value) -> Result<Value, ValueError> {
        Ok(value)
    }
}

macro_rules! whole_numbers {
    ($($integer:ty: $least:expr, $greatest:expr);+) => {$(
        impl Attribute for $integer {
            const KIND: Type = Type::Number;
            const BOUNDS: NumberBounds = NumberBounds { least: $least, greatest: $greatest };

            fn to_value(&self) -> Option<Value> {
                Some(number_of(i128::from(*self)))
            }

            fn from_value(value: Value) -> Result<$integer, ValueError> {
                let number = Number::from_value(value)?;
                let misfit = || ValueError::unexpected(
                    concat!("a whole number in the range of ", stringify!($integer)),
                    number.to_string(),
                );
                if let Some(small) = number.to_i64() {
                    return small.try_into().map_err(|_| misfit());
                }
                number.to_string().parse().map_err(|_| misfit())
            }
        }
    )+};
}

whole_numbers! {
    u8: Some(0), Some(u8::MAX as i64);
    u16: Some(0), Some(u16::MAX as i64);
    u32: Some(0), Some(u32::MAX as i64);
    u64: Some(0), None;
    i8: Some(i8::MIN as i64), Some(i8::MAX as i64);
    i16: Some(i16::MIN as i64), Some(i16::MAX as i64);
    i32: Some(i32::MIN as i64), Some(i32::MAX as i64);
    i64: None, None
}

/// A number beyond `i64` goes through its decimal text, which is exact.
fn number_of(integer: i128) -> Value {
    match i64::try_from(integer) {
        Ok(small) => Value::from(small),
        Err(_) => {
            let number = integer.to_string().parse();
            Value::Number(number.expect("64 bits have at most 20 digits"))
        }
    }
}

/// Floating point numbers are stored by their shortest decimal text. What is not a number, or
/// beyond DynamoDB's range, has no attribute value.
macro_rules! floating_point {
    ($($float:ty),+) => {$(
        impl Attribute for $float {
            const KIND: Type = Type::Number;

            fn to_value(&self) -> Option<Value> {
                self.to_string().parse().ok().map(Value::Number)
            }

            fn is_storable(&self) -> bool {
                self.to_value().is_some()
            }

            fn from_value(value: Value) -> Result<$float, ValueError> {
                let number = Number::from_value(value)?;
                number.to_string().parse().map_err(|_| {
                    ValueError::unexpected("a floating point number", number.to_string())
                })
            }
        }
    )+};
}

floating_point!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn round_trips<T: Attribute + PartialEq + std::fmt::Debug>(original: T) {
        let value = original.to_value().expect("it has a value");
        assert_eq!(value.kind(), T::KIND);
        assert_eq!(T::from_value(value), Ok(original));
    }

    #[test]
    fn scalars_come_back_as_they_were() {
        round_trips("text".to_owned());
        round_trips(true);
        round_trips(u64::MAX);
        round_trips(i64::MIN);
        round_trips(0.1_f64);
        round_trips("1.50".parse::<Number>().unwrap());
    }

    #[test]
    fn a_number_that_does_not_fit_is_refused() {
        assert!(u8::from_value(Value::from(256)).is_err());
        assert!(u8::from_value(Value::from(-1)).is_err());
        assert!(i64::from_value(Value::Number("1.5".parse().unwrap())).is_err());
    }

    #[test]
    fn what_is_not_a_number_has_no_value() {
        assert_eq!(f64::NAN.to_value(), None);
        assert_eq!(f64::INFINITY.to_value(), None);
        assert!(!f64::NAN.is_storable() && !1e300_f64.is_storable() && 1e100_f64.is_storable());
    }
}
