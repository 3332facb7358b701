//! The words of a template, each with what it means and an example: one table for suggestions, for
//! editors and for the reference in the guide.

/// A word after the colon in `{attribute:word}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodingWord {
    /// The word without its arguments; the padded numbers have none.
    pub name: &'static str,
    /// The word as it is written, such as `first(n)`.
    pub usage: &'static str,
    /// The types of attributes that it takes.
    pub types: &'static str,
    /// What it writes.
    pub meaning: &'static str,
    /// A template that has it.
    pub example: &'static str,
    /// The value of the attribute `a` in the example.
    pub value: ExampleValue,
    /// The key that the example builds from the value.
    pub key: &'static str,
}

/// The value of an attribute in an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExampleValue {
    /// A text.
    Text(&'static str),
    /// A number.
    Number(&'static str),
    /// True or false.
    Bool(bool),
    /// Bytes, in hexadecimal digits.
    Bytes(&'static str),
    /// The item lacks the attribute.
    Absent,
}

use ExampleValue::{Absent, Bool, Bytes, Number, Text};

const MOMENT: ExampleValue = Text("2026-01-03T10:17:06.012Z");

/// All of them: texts, numbers, times, identifiers, and what follows other words.
pub const ENCODINGS: &[EncodingWord] = &[
    word("fold", "fold", "S", "Each character in lower case.", "{a:fold}", Text("Acme"), "acme"),
    word("upper", "upper", "S", "Each character in upper case.", "{a:upper}", Text("Acme"), "ACME"),
    word(
        "slug",
        "slug",
        "S",
        "Lower case, without white space.",
        "{a:slug}",
        Text("Intro to X"),
        "introtox",
    ),
    word(
        "snake",
        "snake",
        "S",
        "Upper case, with `_` for each white space character.",
        "{a:snake}",
        Text("San José"),
        "SAN_JOSÉ",
    ),
    word(
        "digits",
        "digits(n)",
        "S",
        "Each run of digits zero-padded to at least n.",
        "{a:digits(2)}",
        Text("hall 7"),
        "hall 07",
    ),
    word(
        "reversed",
        "reversed",
        "S",
        "The characters from last to first.",
        "{a:reversed}",
        Text("abc"),
        "cba",
    ),
    word(
        "first",
        "first(n)",
        "S",
        "The first n characters, or all if there are fewer: the cell of a geohash, the region of a \
         postal code. The last step of a text.",
        "{a:first(5)}",
        Text("9q8yykw"),
        "9q8yy",
    ),
    word(
        "hash",
        "hash(n)",
        "S, N",
        "The first n hexadecimal digits of the SHA-256 of the text, all 64 for `hash` alone. Found \
         by equality only.",
        "{a:fold:hash(16)}",
        Text("ABC"),
        "ba7816bf8f01cfea",
    ),
    word(
        "raw",
        "raw",
        "S, N",
        "As it is, with nothing escaped. Keys may not read back.",
        "{a:raw}",
        Text("a#b"),
        "a#b",
    ),
    word(
        "plain",
        "plain",
        "N",
        "A whole number without padding, which does not sort by value.",
        "{a:plain}",
        Number("-7"),
        "-7",
    ),
    word(
        "",
        "06",
        "N",
        "A whole number from 0 on, zero-padded to that many digits.",
        "{a:06}",
        Number("42"),
        "000042",
    ),
    word(
        "",
        "+06",
        "N",
        "A whole number with half of the range added, so that negative ones sort.",
        "{a:+06}",
        Number("-1"),
        "499999",
    ),
    word(
        "",
        "08.2",
        "N",
        "Fixed point: that many characters, of which so many follow the point; also `+08.2`.",
        "{a:08.2}",
        Number("12.5"),
        "00012.50",
    ),
    word(
        "time",
        "time(s)",
        "S, N",
        "RFC 3339 in UTC, cut to seconds, milliseconds (`ms`) or microseconds (`us`).",
        "{a:time(ms)}",
        MOMENT,
        "2026-01-03T10:17:06.012Z",
    ),
    word(
        "epoch",
        "epoch(s)",
        "S, N",
        "Seconds since 1970 in 10 digits, or milliseconds (`ms`) in 13.",
        "{a:epoch(s)}",
        MOMENT,
        "1767435426",
    ),
    word("year", "year", "S, N", "The year.", "{a:year}", MOMENT, "2026"),
    word("quarter", "quarter", "S, N", "The quarter.", "{a:quarter}", MOMENT, "2026-Q1"),
    word("month", "month", "S, N", "The month.", "{a:month}", MOMENT, "2026-01"),
    word("week", "week", "S, N", "The ISO week.", "{a:week}", MOMENT, "2026-W01"),
    word(
        "day",
        "day",
        "S, N",
        "The day. A number counts seconds, or what a unit says: `day(ms)`, with any period.",
        "{a:day(ms)}",
        Number("1767435426012"),
        "2026-01-03",
    ),
    word("hour", "hour", "S, N", "The hour.", "{a:hour}", MOMENT, "2026-01-03T10"),
    word(
        "minutes",
        "minutes(n)",
        "S, N",
        "The window of n minutes, by its first minute; n divides 60. With a unit: \
         `minutes(5, ms)`.",
        "{a:minutes(5)}",
        MOMENT,
        "2026-01-03T10:15",
    ),
    word("minute", "minute", "S, N", "The minute.", "{a:minute}", MOMENT, "2026-01-03T10:17"),
    word(
        "ymd",
        "ymd",
        "S",
        "A date `MM/DD/YYYY` turned year first.",
        "{a:ymd}",
        Text("03/15/2022"),
        "2022/03/15",
    ),
    word(
        "ulid",
        "ulid",
        "S",
        "A ULID in upper case.",
        "{a:ulid}",
        Text("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    ),
    word(
        "ksuid",
        "ksuid",
        "S",
        "A KSUID.",
        "{a:ksuid}",
        Text("1YnlHOfSSk3DhX4BR6lMAceAo1V"),
        "1YnlHOfSSk3DhX4BR6lMAceAo1V",
    ),
    word(
        "uuid",
        "uuid",
        "S",
        "A UUID of any version, in lower case.",
        "{a:uuid}",
        Text("018f3e9c-5b1a-4c3e-8f00-0123456789ab"),
        "018f3e9c-5b1a-4c3e-8f00-0123456789ab",
    ),
    word(
        "uuid7",
        "uuid7",
        "S",
        "A UUID of version 7, which sorts by time, in lower case.",
        "{a:uuid7}",
        Text("018f3e9c-5b1a-7c3e-8f00-0123456789ab"),
        "018f3e9c-5b1a-7c3e-8f00-0123456789ab",
    ),
    word(
        "enum",
        "enum(a=1,b=2)",
        "S",
        "The token of each value; `enum(A,B)` writes the values themselves.",
        "{a:enum(new=1,paid=2)}",
        Text("paid"),
        "2",
    ),
    word("bool", "bool", "BOOL", "`0` for false, `1` for true.", "{a:bool}", Bool(true), "1"),
    word(
        "number",
        "number",
        "N",
        "The key itself is a number, and this is all of it.",
        "{a:number}",
        Number("42"),
        "42",
    ),
    word(
        "binary",
        "binary",
        "B",
        "The key itself is binary, and this is all of it.",
        "{a:binary}",
        Bytes("00ff"),
        "00ff",
    ),
    word(
        "desc",
        "desc",
        "after a fixed width",
        "Turns the order round: each character becomes its mirror image. `desc(total)` writes the \
         total minus a whole number.",
        "{a:08:desc}",
        Number("42"),
        "99999957",
    ),
    word(
        "optional",
        "optional",
        "the last part",
        "The key ends before the part if an item lacks the attribute.",
        "CITY#{a:optional}",
        Absent,
        "CITY#",
    ),
];

const fn word(
    name: &'static str,
    usage: &'static str,
    types: &'static str,
    meaning: &'static str,
    example: &'static str,
    value: ExampleValue,
    key: &'static str,
) -> EncodingWord {
    EncodingWord { name, usage, types, meaning, example, value, key }
}

/// A function that stands in place of an attribute: `{shard(id, 16)}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShardFunction {
    /// Its name.
    pub name: &'static str,
    /// It with its arguments.
    pub usage: &'static str,
    /// The number that it writes.
    pub meaning: &'static str,
}

/// The functions that spread a key over several.
pub const SHARD_FUNCTIONS: &[ShardFunction] = &[
    ShardFunction {
        name: "shard",
        usage: "shard(x, n)",
        meaning: "FNV-1a of 64 bits over the text of x, modulo n.",
    },
    ShardFunction {
        name: "shard_sum",
        usage: "shard_sum(x, n)",
        meaning: "The sum of the code points of x, modulo n.",
    },
    ShardFunction {
        name: "shard_mod",
        usage: "shard_mod(x, n)",
        meaning: "The whole number x, modulo n.",
    },
    ShardFunction {
        name: "shard_any",
        usage: "shard_any(n)",
        meaning: "Chosen by whoever writes; a read asks all of them.",
    },
];

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Value};

    use super::super::Template;
    use super::*;

    fn bytes(hexadecimal: &str) -> Vec<u8> {
        let digits = hexadecimal.as_bytes().chunks(2);
        digits
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    #[test]
    fn every_example_builds_the_key_that_it_shows() {
        for word in ENCODINGS {
            let value = match word.value {
                Text(text) => Some(Value::from(text)),
                Number(number) => Some(Value::Number(number.parse().unwrap())),
                Bool(flag) => Some(Value::Bool(flag)),
                Bytes(digits) => Some(Value::Binary(bytes(digits))),
                Absent => None,
            };
            let item: Item = value.map(|value| ("a".to_owned(), value)).into_iter().collect();
            let template = Template::parse(word.example).unwrap();
            let key = match template.build(&item).unwrap() {
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                Value::Binary(built) => {
                    built.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
                }
                other => panic!("{other:?} is no key"),
            };
            assert_eq!(key, word.key, "{}", word.example);
            assert!(word.example.contains(word.name), "{}", word.example);
        }
    }

    #[test]
    fn functions_are_known_by_their_names() {
        for function in SHARD_FUNCTIONS {
            let text = format!("{{{}}}", function.usage.replace("n)", "16)"));
            let template = Template::parse(&text).unwrap();
            assert!(template.to_string().contains(function.name));
        }
    }
}
