//! Every attribute in every encoding, as the text that it would be in a key.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use monotable_item::{Item, Path, Step, Type, Value};
use monotable_model::document::AttributeFormat;
use monotable_model::template::{AttributePart, Delimiter, MinuteWindow, Segment, Template};

use super::key_text::{
    DELIMITERS, SharedPrefixes, digit_runs, is_constant_word, is_named_after_role,
};
use crate::attribute_words::format_of;

/// An attribute that may have been written into keys.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The attribute and its encoding.
    pub(super) part: AttributePart,
    /// The text for each item.
    pub(super) texts: Vec<String>,
    /// How implausible it is: the smaller, the better.
    pub(super) cost: u32,
}

/// What every candidate costs.
const BASE: u32 = 5;
/// What one costs that lies inside a map.
const NESTED: u32 = 3;
/// What the attribute of the key itself costs: it explains everything, and says nothing.
const ITSELF: u32 = 31;
/// What it costs if the key is a property that has a name of its own.
const ITSELF_NAMED: u32 = 20;
/// What it costs where the key has structure.
const ITSELF_STRUCTURED: u32 = 150;
/// What it costs where a property has structure: a path of several levels rather is one value.
const ITSELF_NAMED_STRUCTURED: u32 = 40;
/// What the attribute of another key costs.
const OTHER_KEY: u32 = 4;

/// How many characters a key may have of a text. A single one is found anywhere.
const BEGINNINGS: RangeInclusive<usize> = 2..=8;

/// The attributes that a key may have been built from.
pub(super) struct Sources<'a> {
    /// The items whose keys are explained.
    pub(super) items: &'a [&'a Item],
    /// Names that are none: the type attribute, keys that were built from others, and such.
    pub(super) excluded: &'a [String],
    /// The attributes of keys.
    pub(super) keys: &'a [String],
    /// Attributes that stand in keys alone, one map for each item.
    pub(super) invented: &'a [Item],
    /// What keys of the table begin with.
    pub(super) prefixes: &'a SharedPrefixes,
}

/// All candidates for a key, whose texts are given. An attribute that one of the items lacks is
/// none.
pub(super) fn candidates(sources: &Sources<'_>, key_name: &str, keys: &[&str]) -> Vec<Candidate> {
    let mut found = Vec::new();
    let widths = digit_runs(keys);
    let Some(first) = sources.items.first() else { return found };
    for (name, value) in first.iter() {
        let is_itself = name == key_name;
        if sources.excluded.contains(name) && !is_itself || !can_be_named(name) {
            continue;
        }
        let is_key = sources.keys.contains(name);
        let extra = match (is_itself, is_key) {
            (true, _) => cost_of_itself(sources, name, keys),
            (false, true) if is_built(sources, name) => continue,
            (false, true) => OTHER_KEY,
            (false, false) => 0,
        };
        for (path, nested) in paths(name, value) {
            let values: Option<Vec<&Value>> =
                sources.items.iter().map(|item| at(item, &path)).collect();
            let Some(values) = values else { continue };
            let cost = BASE + extra + if nested { NESTED } else { 0 };
            found.extend(encoded(&path, &values, &widths, cost));
        }
    }
    found.extend(of_invented(sources, &widths));
    found
}

fn cost_of_itself(sources: &Sources<'_>, name: &str, keys: &[&str]) -> u32 {
    let has_structure = keys.iter().any(|key| sources.prefixes.have_structure(key));
    match (is_named_after_role(name), has_structure) {
        (true, true) => ITSELF_STRUCTURED,
        (true, false) => ITSELF,
        (false, true) => ITSELF_NAMED_STRUCTURED,
        (false, false) => ITSELF_NAMED,
    }
}

/// Attributes that were made up for another key of the same items.
fn of_invented(sources: &Sources<'_>, widths: &[u8]) -> Vec<Candidate> {
    let Some(first) = sources.invented.first() else { return Vec::new() };
    let candidates = first.keys().flat_map(|name| {
        let values: Option<Vec<&Value>> =
            sources.invented.iter().map(|item| item.get(name)).collect();
        values
            .map(|values| encoded(&Path::attribute(name), &values, widths, BASE))
            .unwrap_or_default()
    });
    candidates.collect()
}

/// A key that has structure, or that is a mere constant, was built, and builds no other.
fn is_built(sources: &Sources<'_>, name: &str) -> bool {
    let texts = sources.items.iter().filter_map(|item| match item.get(name) {
        Some(Value::String(text)) => Some(text.as_str()),
        _ => None,
    });
    texts.into_iter().any(|text| text.contains(DELIMITERS) || is_constant_word(text))
}

/// Names that the string form of templates can say.
pub(super) fn can_be_named(name: &str) -> bool {
    Template::parse(&format!("{{{name}}}")).is_ok_and(|template| {
        template.paths().next().is_some_and(|path| path.is_attribute() && path.root == name)
    })
}

/// An attribute, and the members of a map one level down.
fn paths(name: &str, value: &Value) -> Vec<(Path, bool)> {
    let Value::Map(map) = value else { return vec![(Path::attribute(name), false)] };
    let member = |member: &String| {
        let step = Step::Member(member.clone());
        (Path { root: name.to_owned(), steps: vec![step] }, true)
    };
    map.keys().filter(|member| can_be_named(member)).map(member).collect()
}

fn at<'i>(item: &'i Item, path: &Path) -> Option<&'i Value> {
    monotable_model::template::Attributes::value(item, path)
}

/// The encodings that can write all values, one for each text that they come to.
fn encoded(path: &Path, values: &[&Value], widths: &[u8], cost: u32) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for (encoding, extra) in encodings(values, widths) {
        let Some(part) = part(path, &encoding) else { continue };
        let texts: Option<Vec<String>> = values.iter().map(|value| written(&part, value)).collect();
        let Some(texts) = texts else { continue };
        if found.iter().all(|earlier| earlier.texts != texts) {
            found.push(Candidate { part, texts, cost: cost + extra });
        }
    }
    found
}

/// The text of a value in a key, without escapes: what has to be escaped is looked at when the
/// template is made.
fn written(part: &AttributePart, value: &Value) -> Option<String> {
    if part.encoding.key_type() != Type::String {
        return None;
    }
    let raw = Delimiter::new('~')?;
    part.encoding.encode(value, raw).ok()
}

fn part(path: &Path, encoding: &str) -> Option<AttributePart> {
    let template = Template::parse(&format!("{{{path}{encoding}}}")).ok()?;
    match template.segments() {
        [Segment::Attribute(part)] => Some(part.clone()),
        _ => None,
    }
}

/// Encodings to try, the most plausible first: of two that write the same text, the first is taken.
fn encodings(values: &[&Value], widths: &[u8]) -> Vec<(String, u32)> {
    let kinds: Vec<Type> = values.iter().map(|value| value.kind()).collect();
    match kinds.first() {
        Some(Type::String) => text_encodings(values, widths),
        Some(Type::Number) => number_encodings(widths),
        Some(Type::Bool) => vec![(":bool".to_owned(), 10)],
        Some(_) | None => Vec::new(),
    }
}

fn text_encodings(values: &[&Value], widths: &[u8]) -> Vec<(String, u32)> {
    let texts = || {
        values.iter().filter_map(|value| match value {
            Value::String(text) => Some(text.as_str()),
            _ => None,
        })
    };
    let mut encodings: Vec<(String, u32)> = Vec::new();
    let mut add = |forms: &[&str], cost: u32| {
        encodings.extend(forms.iter().map(|form| ((*form).to_owned(), cost)));
    };
    match format_of(texts()) {
        Some(AttributeFormat::Ksuid) => add(&[":ksuid", ":ksuid:desc"], 0),
        Some(AttributeFormat::Ulid) => add(&[":ulid", ":ulid:desc"], 0),
        Some(AttributeFormat::UuidV7) => add(&[":uuid7", ":uuid7:desc"], 0),
        Some(AttributeFormat::Uuid) => add(&[":uuid"], 0),
        Some(AttributeFormat::Rfc3339) => {
            add(&[":time(s)", ":time(ms)", ":time(us)"], 0);
            add(&["", ":raw"], 1);
            add(&[":day", ":hour", ":minute", ":month", ":year", ":week", ":quarter"], 4);
            add(&[":epoch(s)", ":epoch(ms)"], 4);
            // The longest window first: times that meet it by chance are rarer.
            let mut windows: Vec<String> =
                MinuteWindow::all().map(|one| format!(":minutes({})", one.minutes())).collect();
            windows.reverse();
            add(&windows.iter().map(String::as_str).collect::<Vec<_>>(), 5);
            add(&[":time(s):desc", ":time(ms):desc", ":day:desc", ":epoch(s):desc"], 6);
        }
        Some(AttributeFormat::Date) => {
            add(&["", ":month", ":year", ":week", ":quarter"], 1);
            add(&[":day:desc"], 6);
        }
        Some(
            AttributeFormat::Email | AttributeFormat::EpochSeconds | AttributeFormat::EpochMillis,
        )
        | None => {}
    }
    add(&["", ":raw"], 1);
    add(&[":upper", ":fold", ":ymd"], 2);
    add(&[":snake", ":slug"], 3);
    add(&[":reversed"], 6);
    for width in widths.iter().filter(|width| **width > 1) {
        encodings.push((format!(":digits({width})"), 4));
        encodings.push((format!(":slug:digits({width})"), 5));
    }
    let different: BTreeSet<&str> = texts().collect();
    let beginnings = BEGINNINGS.filter(|count| is_shared_beginning(&different, *count));
    encodings.extend(beginnings.map(|count| (format!(":first({count})"), 7)));
    encodings
}

/// Returns whether texts are cut to this length on purpose: different ones begin alike, and none is
/// as short. A name that an address begins with is an identifier of its own.
fn is_shared_beginning(different: &BTreeSet<&str>, count: usize) -> bool {
    let cut: Vec<Option<&str>> = different.iter().map(|text| beginning(text, count)).collect();
    cut.iter().all(Option::is_some) && cut.windows(2).any(|pair| pair.first() == pair.last())
}

/// So many characters of a longer text.
fn beginning(text: &str, count: usize) -> Option<&str> {
    let (end, _) = text.char_indices().nth(count)?;
    text.get(..end)
}

fn number_encodings(widths: &[u8]) -> Vec<(String, u32)> {
    let mut encodings = vec![(":plain".to_owned(), 0), (":raw".to_owned(), 1)];
    for width in widths.iter().filter(|width| (2..=38).contains(*width)) {
        encodings.push((format!(":0{width}"), 0));
        encodings.push((format!(":0{width}:desc"), 4));
        if *width < 18 {
            encodings.push((format!(":0{width}:desc({})", 10_i64.pow(u32::from(*width))), 4));
        }
        encodings.push((format!(":+0{width}"), 6));
    }
    for unit in ["s", "ms"] {
        for form in ["time", "day", "hour", "minute", "month", "year", "week", "quarter"] {
            encodings.push((format!(":{form}({unit})"), 6));
        }
    }
    encodings
}
