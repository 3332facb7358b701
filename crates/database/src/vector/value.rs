//! Vectors: lists of numbers, each rounded to 32 bits.

use bytes::Bytes;
use monotable_item::stored::{self, CorruptItem, ItemView, ValueView};
use monotable_item::{Number, Type};
use thiserror::Error;

use super::schema::VectorIndexSchema;
use crate::error::{KeyError, KeyProblem};
use crate::keyspace::vector_entry::NUMBER_BYTES;
use crate::schema::TableSchema;

/// Why a value is not a vector of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VectorProblem {
    /// It is not a list.
    #[error("not a list")]
    NotList,
    /// It has another number of elements.
    #[error("expected {expected} dimensions, found {actual}")]
    Dimensions {
        /// How many the index has.
        expected: u32,
        /// How many there are.
        actual: usize,
    },
    /// An element is not a number.
    #[error("element {position} has type {}", actual.code())]
    NotNumber {
        /// Which one, from 0.
        position: usize,
        /// What it is.
        actual: Type,
    },
    /// An element is too large for 32 bits.
    #[error("element {position} is out of range")]
    OutOfRange {
        /// Which one, from 0.
        position: usize,
        /// Its value.
        value: Number,
    },
}

/// Returns the numbers of a value that should be a vector of this many dimensions.
pub(crate) fn read_vector(
    value: ValueView<'_>,
    dimensions: u32,
) -> Result<Result<Vec<f32>, VectorProblem>, CorruptItem> {
    let ValueView::List(values) = value else { return Ok(Err(VectorProblem::NotList)) };
    let actual = values.count_left();
    if actual != dimensions as usize {
        return Ok(Err(VectorProblem::Dimensions { expected: dimensions, actual }));
    }
    let mut vector = Vec::with_capacity(actual);
    for (position, value) in values.enumerate() {
        match value? {
            ValueView::Number(text) => match read_number(text)? {
                Some(number) => vector.push(number),
                None => {
                    let value = exact(text)?;
                    return Ok(Err(VectorProblem::OutOfRange { position, value }));
                }
            },
            other => {
                return Ok(Err(VectorProblem::NotNumber { position, actual: other.kind() }));
            }
        }
    }
    Ok(Ok(vector))
}

/// Returns the numbers to search for, if each fits into 32 bits.
pub fn read_numbers<'n>(numbers: impl Iterator<Item = &'n Number>) -> Option<Vec<f32>> {
    numbers
        .map(|number| number.to_string().parse().ok().filter(|near: &f32| near.is_finite()))
        .collect()
}

/// A number of a vector as it appears in items.
pub(super) fn number_of(number: f32) -> Number {
    // The shortest text that means this number has at most nine digits, so it always fits.
    let text = if number == 0.0 { "0".to_owned() } else { number.to_string() };
    text.parse().unwrap_or_else(|_| Number::from(0))
}

/// Returns the nearest 32-bit number, if there is one.
fn read_number(text: &[u8]) -> Result<Option<f32>, CorruptItem> {
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f32>().ok());
    let number = number.ok_or(CorruptItem::BAD_NUMBER)?;
    Ok(number.is_finite().then_some(number))
}

fn exact(text: &[u8]) -> Result<Number, CorruptItem> {
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    number.ok_or(CorruptItem::BAD_NUMBER)
}

/// Checks the vectors of an item that is put. Corrupt data is detected elsewhere.
pub(crate) fn check_vectors(schema: &TableSchema, item: &ItemView<'_>) -> Result<(), KeyError> {
    first_problem(schema, item, |_| true)
}

/// Checks the vectors that a write has changed. An item that is older than an index may have one
/// that the index cannot hold; its other attributes can still be changed.
pub(crate) fn check_changed_vectors(
    schema: &TableSchema,
    old: Option<&Bytes>,
    new: &Bytes,
) -> Result<(), KeyError> {
    if schema.vector_indexes.is_empty() {
        return Ok(());
    }
    let Ok(view) = ItemView::new(new) else { return Ok(()) };
    first_problem(schema, &view, |name| {
        let value = |item: &[u8]| stored::decode_attributes(item, |found| found == name.as_bytes());
        old.is_none_or(|old| value(old).ok() != value(new).ok())
    })
}

/// Of several indexes whose vectors do not fit, the first by name is reported.
fn first_problem(
    schema: &TableSchema,
    item: &ItemView<'_>,
    concerns: impl Fn(&str) -> bool,
) -> Result<(), KeyError> {
    let problem = |index: &VectorIndexSchema| {
        let name = &index.definition.attribute;
        let value = item.get(name).ok().flatten()?;
        let problem = read_vector(value, index.definition.dimensions).ok()?.err()?;
        concerns(name).then(|| KeyError {
            name: name.clone(),
            index: Some(index.name().to_owned()),
            problem: KeyProblem::Vector(problem),
        })
    };
    let maintained = schema.vector_indexes.iter().filter(|index| index.is_maintained());
    match maintained.filter_map(problem).min_by(|left, right| left.index.cmp(&right.index)) {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// How many bytes of an item are not charged when it is written: a vector that an index reads is
/// charged four bytes per number, however many digits it has.
pub(crate) fn vector_excess_bytes(
    schema: &TableSchema,
    item: &ItemView<'_>,
) -> Result<usize, CorruptItem> {
    let mut excess_bytes = 0;
    let mut seen: Vec<&str> = Vec::new();
    for index in schema.vector_indexes.iter().filter(|index| index.is_maintained()) {
        let (name, dimensions) = (index.definition.attribute.as_str(), index.definition.dimensions);
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let Some(value) = item.get(name)? else { continue };
        if read_vector(value, dimensions)?.is_ok() {
            let charged_bytes = dimensions as usize * NUMBER_BYTES;
            excess_bytes += value.size_bytes()?.saturating_sub(charged_bytes);
        }
    }
    Ok(excess_bytes)
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Value};

    use super::*;

    fn read(value: Value, dimensions: u32) -> Result<Vec<f32>, VectorProblem> {
        let stored = stored::encode(&Item::from([("v".to_owned(), value)]));
        let view = ItemView::new(&stored).unwrap();
        read_vector(view.get("v").unwrap().unwrap(), dimensions).unwrap()
    }

    fn number(text: &str) -> Value {
        Value::Number(text.parse().unwrap())
    }

    #[test]
    fn a_vector_is_a_list_of_as_many_numbers() {
        let numbers = || vec![number("0.1"), number("16777217"), number("-3.4028235E38")];
        assert_eq!(read(Value::List(numbers()), 3), Ok(vec![0.1, 16_777_216.0, f32::MIN]));
        assert_eq!(read(Value::from("x"), 3), Err(VectorProblem::NotList));
        let short = VectorProblem::Dimensions { expected: 4, actual: 3 };
        assert_eq!(read(Value::List(numbers()), 4), Err(short));
        let mixed = Value::List(vec![number("1"), Value::from("x")]);
        let found = VectorProblem::NotNumber { position: 1, actual: Type::String };
        assert_eq!(read(mixed, 2), Err(found));
        let large = VectorProblem::OutOfRange { position: 0, value: "1E39".parse().unwrap() };
        assert_eq!(read(Value::List(vec![number("1E39")]), 1), Err(large));
    }

    #[test]
    fn numbers_come_back_as_the_shortest_text_that_means_them() {
        for (number, text) in [(0.1_f32, "0.1"), (-0.0, "0"), (16_777_216.0, "16777216")] {
            assert_eq!(number_of(number), text.parse().unwrap());
        }
        for number in [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), -1.5e-30] {
            assert_eq!(number_of(number).to_string().parse::<f32>().unwrap(), number);
        }
    }
}
