//! Sets: not empty, and without repetition.
//!
//! The error of a set names its members as they were sent, so repetition is sought among references
//! to them, before they are sorted in place.

use monotable_item::{Number, NumberError, Type, Value};

use super::base64;
use super::error::ValueError;

/// A set of strings.
pub(super) fn strings(members: Vec<String>) -> Result<Value, ValueError> {
    not_empty(Type::StringSet, members.len())?;
    if has_repeats(&members) {
        return Err(ValueError::Duplicates { kind: Type::StringSet, members });
    }
    Ok(Value::string_set(members))
}

/// A set of numbers, given as text. A member that is no number is reported before a repeated one.
pub(super) fn numbers(members: Vec<String>) -> Result<Value, ValueError> {
    not_empty(Type::NumberSet, members.len())?;
    let numbers = members.iter().map(|text| number(text)).collect::<Result<Vec<_>, _>>()?;
    if has_repeats(&numbers) {
        return Err(ValueError::Duplicates { kind: Type::NumberSet, members });
    }
    Ok(Value::number_set(numbers))
}

/// A set of numbers that are numbers already.
pub(super) fn distinct_numbers(numbers: Vec<Number>) -> Result<Value, ValueError> {
    not_empty(Type::NumberSet, numbers.len())?;
    if has_repeats(&numbers) {
        let members = numbers.iter().map(Number::to_string).collect();
        return Err(ValueError::Duplicates { kind: Type::NumberSet, members });
    }
    Ok(Value::number_set(numbers))
}

/// A set of binaries.
pub(super) fn binaries(members: Vec<Vec<u8>>) -> Result<Value, ValueError> {
    not_empty(Type::BinarySet, members.len())?;
    if has_repeats(&members) {
        let members = members.iter().map(|bytes| base64::encode(bytes)).collect();
        return Err(ValueError::Duplicates { kind: Type::BinarySet, members });
    }
    Ok(Value::binary_set(members))
}

/// A number, given as text.
pub(super) fn number(text: &str) -> Result<Number, ValueError> {
    text.parse().map_err(|reason: NumberError| ValueError::Number { text: text.to_owned(), reason })
}

fn not_empty(kind: Type, members: usize) -> Result<(), ValueError> {
    if members == 0 { Err(ValueError::EmptySet(kind)) } else { Ok(()) }
}

fn has_repeats<T: Ord>(members: &[T]) -> bool {
    let mut sorted: Vec<&T> = members.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| matches!(pair, [first, second] if first == second))
}
