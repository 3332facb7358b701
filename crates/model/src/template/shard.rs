//! Shards: a number that spreads one logical key over several.
//!
//! The rules are part of the stored data: a key that was written with one of them is found only
//! with the same one.

use std::ops::RangeInclusive;

use monotable_item::{Number, Path};

use super::attributes::Attributes;
use super::error::{BuildError, PartError};
use super::key_template::Template;
use super::number_form::scaled;

/// A shard in a key: a number from `first` on, one of `count`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shard {
    rule: ShardRule,
    count: u32,
    first: u32,
    padding: Padding,
}

/// How the shard of an item is found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ShardRule {
    /// `shard`: FNV-1a of 64 bits over the input's UTF-8 bytes.
    Hash(ShardInput),
    /// `shard_sum`: the sum of the input's code points.
    CodePointSum(ShardInput),
    /// `shard_mod`: the input as a whole number.
    Modulus(ShardInput),
    /// `shard_any`: whoever builds the key passes it in.
    Chosen,
}

/// What a shard is calculated from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ShardInput {
    /// The text of an attribute.
    Attribute(Path),
    /// The text that a template builds.
    Template(Box<Template>),
}

/// Whether shard numbers have leading zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Padding {
    /// To the width of the largest.
    Zeros,
    /// `plain`: none.
    None,
}

impl Shard {
    /// A shard of at least one, whose largest number fits 32 bits and whose input leaves nothing
    /// open.
    pub fn new(rule: ShardRule, count: u32, first: u32, padding: Padding) -> Option<Shard> {
        first.checked_add(count.checked_sub(1)?)?;
        rule.input().is_none_or(ShardInput::is_whole).then_some(())?;
        Some(Shard { rule, count, first, padding })
    }

    /// How the number is found.
    pub fn rule(&self) -> &ShardRule {
        &self.rule
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number of the first.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Whether numbers are padded.
    pub fn padding(&self) -> Padding {
        self.padding
    }

    /// All numbers, in order: a query of everything asks each of them.
    pub fn numbers(&self) -> RangeInclusive<u32> {
        self.first..=self.last()
    }

    /// Whether every item has the same number in both.
    pub(crate) fn numbers_like(&self, other: &Shard) -> bool {
        self.rule == other.rule && self.count == other.count && self.first == other.first
    }

    /// Whether both are calculated from an attribute that they share.
    pub(crate) fn is_tied_to(&self, other: &Shard) -> bool {
        let paths = |shard: &'_ Shard| -> Vec<Path> {
            let input = shard.rule.input();
            input.iter().flat_map(|input| input.paths()).cloned().collect()
        };
        let others = paths(other);
        paths(self).iter().any(|path| others.contains(path))
    }

    /// The number as it stands in keys.
    pub fn write(&self, number: u32) -> String {
        match self.padding {
            Padding::Zeros => format!("{number:0>width$}", width = self.width()),
            Padding::None => number.to_string(),
        }
    }

    /// Reads what [`Shard::write`] wrote.
    pub(crate) fn read(&self, text: &str) -> Option<u32> {
        let number = text.parse::<u32>().ok()?;
        let exists = number >= self.first && number <= self.last();
        (exists && self.write(number) == text).then_some(number)
    }

    /// The digits of the largest number.
    pub fn width(&self) -> usize {
        self.last().to_string().len()
    }

    /// The number for these attributes.
    pub fn number<A: Attributes + ?Sized>(&self, attributes: &A) -> Result<u32, BuildError> {
        let count = u64::from(self.count);
        let offset = match &self.rule {
            ShardRule::Hash(input) => fnv1a(&input.text(attributes)?) % count,
            ShardRule::CodePointSum(input) => code_point_sum(&input.text(attributes)?) % count,
            ShardRule::Modulus(input) => input.remainder(attributes, self.count)?,
            ShardRule::Chosen => return self.chosen(attributes),
        };
        let offset = u32::try_from(offset).expect("a remainder is below a count of 32 bits");
        Ok(self.first + offset)
    }

    fn chosen<A: Attributes + ?Sized>(&self, attributes: &A) -> Result<u32, BuildError> {
        let (first, count) = (self.first, self.count);
        let shard = attributes.chosen_shard().ok_or(BuildError::NoShard { first, count })?;
        let exists = shard >= first && shard <= self.last();
        if exists { Ok(shard) } else { Err(BuildError::UnknownShard { shard, first, count }) }
    }

    fn last(&self) -> u32 {
        self.first + (self.count - 1)
    }
}

impl ShardRule {
    /// What the number is calculated from, if it is calculated.
    pub fn input(&self) -> Option<&ShardInput> {
        match self {
            ShardRule::Hash(input) | ShardRule::CodePointSum(input) | ShardRule::Modulus(input) => {
                Some(input)
            }
            ShardRule::Chosen => None,
        }
    }
}

impl ShardInput {
    /// The attributes that it needs.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            ShardInput::Attribute(path) => vec![path],
            ShardInput::Template(template) => template.paths().collect(),
        }
    }

    /// Returns whether nothing of it can be left out.
    fn is_whole(&self) -> bool {
        match self {
            ShardInput::Attribute(_) => true,
            ShardInput::Template(template) => template.optional_part().is_none(),
        }
    }

    fn text<A: Attributes + ?Sized>(&self, attributes: &A) -> Result<String, BuildError> {
        match self {
            ShardInput::Attribute(path) => super::segment::raw_text(path, attributes),
            ShardInput::Template(template) => template.build_text(attributes),
        }
    }

    fn remainder<A: Attributes + ?Sized>(
        &self,
        attributes: &A,
        count: u32,
    ) -> Result<u64, BuildError> {
        let text = self.text(attributes)?;
        let number: Option<Number> = text.parse().ok();
        let whole = number.as_ref().and_then(|number| scaled(number, 0));
        let remainder = whole.map(|whole| whole.rem_euclid(i128::from(count)));
        remainder.and_then(|remainder| u64::try_from(remainder).ok()).ok_or_else(|| {
            let path = self.paths().first().map(|path| (*path).clone());
            let path = path.unwrap_or_else(|| Path::attribute(""));
            let number = number.unwrap_or(Number::ZERO);
            BuildError::Part { path, reason: PartError::NotWhole { number } }
        })
    }
}

fn fnv1a(text: &str) -> u64 {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    text.bytes().fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

fn code_point_sum(text: &str) -> u64 {
    text.chars().map(u64::from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv1a_has_the_published_values() {
        assert_eq!(fnv1a(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn code_points_add_up() {
        assert_eq!(code_point_sum("cert#01#tylerwalch#"), 1719);
        assert_eq!(code_point_sum("é"), 0xe9);
    }

    #[test]
    fn numbers_are_padded_to_the_largest() {
        let shard = |count, first, padding| Shard::new(ShardRule::Chosen, count, first, padding);
        let padded = shard(10, 1, Padding::Zeros).unwrap();
        assert_eq!(padded.numbers().map(|n| padded.write(n)).next_back().as_deref(), Some("10"));
        assert_eq!(padded.write(1), "01");
        assert_eq!((padded.read("01"), padded.read("1"), padded.read("11")), (Some(1), None, None));
        let plain = shard(20, 0, Padding::None).unwrap();
        assert_eq!((plain.read("7"), plain.read("07"), plain.read("+7")), (Some(7), None, None));
        assert_eq!(shard(0, 0, Padding::None), None);
        assert_eq!(shard(2, u32::MAX, Padding::None), None);
    }
}
