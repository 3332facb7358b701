//! Reading a key back into the attributes that built it.
//!
//! A reading says where each segment begins. It counts only if the values that it gives build the
//! same key again: an attribute that occurs twice must say the same twice, and a shard must be the
//! one that its input gives, if the input can be read from the key.

use std::collections::{BTreeMap, HashSet};

use monotable_item::{Path, Value};

use super::attributes::Attributes;
use super::encoding::{FIDELITY_WHOLE, Form};
use super::error::ReadError;
use super::key_template::Template;
use super::segment::{AttributePart, Segment};
use super::shard::Shard;

/// What a key says about the item that it belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    parts: Vec<ReadPart>,
    values: BTreeMap<Path, Value>,
    /// How much of each value the key holds.
    fidelities: BTreeMap<Path, usize>,
    shard: Option<u32>,
}

/// A part of a key that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPart {
    /// Which segment of the template it belongs to.
    pub segment: usize,
    /// The part as it stands in the key. Empty for a key that is not text.
    pub text: String,
    /// What it says.
    pub meaning: Meaning,
}

/// What a part of a key says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// The value of an attribute, or the value that builds the same key if something was lost on
    /// the way: the normalised text, or the first moment of a period.
    Attribute {
        /// The attribute.
        path: Path,
        /// The value.
        value: Value,
        /// Whether it is the attribute's own value for certain.
        lossless: bool,
    },
    /// The hash of an attribute, whose value the key does not hold.
    Hash {
        /// The attribute.
        path: Path,
    },
    /// The number of a shard.
    Shard(u32),
}

impl Reading {
    /// The parts that are not literals, in order.
    pub fn parts(&self) -> &[ReadPart] {
        &self.parts
    }

    /// The attributes and their values. Of an attribute that occurs twice, the fuller value.
    pub fn values(&self) -> &BTreeMap<Path, Value> {
        &self.values
    }

    /// The value of a whole attribute.
    pub fn get(&self, attribute: &str) -> Option<&Value> {
        self.values.get(&Path::attribute(attribute))
    }

    /// The number of the shard, if the template has one.
    pub fn shard(&self) -> Option<u32> {
        self.shard
    }
}

impl Attributes for Reading {
    fn value(&self, path: &Path) -> Option<&Value> {
        self.values.get(path)
    }

    fn chosen_shard(&self) -> Option<u32> {
        self.shard
    }
}

impl Template {
    /// Reads a key that this template built.
    pub fn read(&self, key: &Value) -> Result<Reading, ReadError> {
        match key {
            Value::String(text) => self.read_text(text),
            _ => self.read_whole(key).ok_or(ReadError::NoMatch),
        }
    }

    /// Whether some item has this key.
    pub fn matches(&self, key: &Value) -> bool {
        match key {
            Value::String(text) => !self.readings(text, 1).is_empty(),
            _ => self.read_whole(key).is_some(),
        }
    }

    /// Reads a key of text.
    pub fn read_text(&self, text: &str) -> Result<Reading, ReadError> {
        let mut readings = self.readings(text, 2);
        match (readings.pop(), readings.pop()) {
            (Some(reading), None) => Ok(reading),
            (Some(_), Some(_)) => Err(ReadError::Ambiguous),
            (None, _) => Err(ReadError::NoMatch),
        }
    }

    /// The first readings of a key, no more than asked for.
    pub fn readings(&self, text: &str, count_max: usize) -> Vec<Reading> {
        let mut search = Search {
            template: self,
            text,
            dead_ends: HashSet::new(),
            ends: Vec::new(),
            readings: Vec::new(),
            count_max,
        };
        search.descend(0, 0);
        search.readings
    }

    /// A key that is an attribute itself.
    fn read_whole(&self, key: &Value) -> Option<Reading> {
        let part = self.attributes().next().filter(|_| key.kind() == self.key_type())?;
        let path = part.path.clone();
        let meaning = Meaning::Attribute { path, value: key.clone(), lossless: true };
        let values = BTreeMap::from([(part.path.clone(), key.clone())]);
        let parts = vec![ReadPart { segment: 0, text: String::new(), meaning }];
        let fidelities = BTreeMap::from([(part.path.clone(), part.encoding.fidelity())]);
        Some(Reading { parts, values, fidelities, shard: None })
    }

    /// What the segments say if they end at these bytes, unless they contradict each other.
    fn reading(&self, text: &str, ends: &[usize]) -> Option<Reading> {
        let mut reading = Reading::default();
        let mut start = 0;
        for (segment, (of, end)) in self.segments().iter().zip(ends).enumerate() {
            let text = text.get(start..*end)?;
            start = *end;
            if let Some(meaning) = self.meaning(of, text).filter(|_| !text.is_empty()) {
                reading.note(of, &meaning);
                reading.parts.push(ReadPart { segment, text: text.to_owned(), meaning });
            }
        }
        self.builds(&reading).then_some(reading)
    }

    fn meaning(&self, segment: &Segment, text: &str) -> Option<Meaning> {
        match segment {
            Segment::Literal(_) => None,
            Segment::Attribute(part) => match part.encoding.form() {
                Form::Hash(form) => {
                    form.is_valid(text).then(|| Meaning::Hash { path: part.path.clone() })
                }
                _ => Some(Meaning::Attribute {
                    path: part.path.clone(),
                    value: part.encoding.decode(text, self.delimiter())?,
                    lossless: part.encoding.is_lossless(),
                }),
            },
            Segment::Shard(shard) => shard.read(text).map(Meaning::Shard),
        }
    }

    /// Whether the values build each part again. A shard whose input the key does not hold may be
    /// any, and so may a hash.
    pub(crate) fn builds(&self, reading: &Reading) -> bool {
        let open = self.open_shards(reading);
        let is_consistent = |(shard, number): &(&Shard, u32)| {
            open.iter().all(|(other, found)| number == found || !shard.numbers_like(other))
        };
        open.iter().all(is_consistent)
            && hashes_agree(&self.hashes(reading), HashDoubt::Allowed)
            && self.builds_parts(reading)
    }

    /// The shards of a reading whose input it does not tell, and their numbers.
    pub(crate) fn open_shards<'t>(&'t self, reading: &Reading) -> Vec<(&'t Shard, u32)> {
        let open_shard = |part: &ReadPart| {
            let Some(Segment::Shard(shard)) = self.segments().get(part.segment) else {
                return None;
            };
            let Meaning::Shard(number) = part.meaning else { return None };
            shard.number(reading).is_err().then_some((shard, number))
        };
        reading.parts.iter().filter_map(open_shard).collect()
    }

    /// The hashes of a reading, each with the part that wrote it.
    pub(crate) fn hashes<'t>(&'t self, reading: &'t Reading) -> Vec<(&'t AttributePart, &'t str)> {
        let hash = |part: &'t ReadPart| {
            let segment = self.segments().get(part.segment)?.attribute()?;
            matches!(part.meaning, Meaning::Hash { .. }).then_some((segment, part.text.as_str()))
        };
        reading.parts.iter().filter_map(hash).collect()
    }

    fn builds_parts(&self, reading: &Reading) -> bool {
        reading.parts.iter().filter(|part| reading.tells(part)).all(|part| {
            let segment = self.segments().get(part.segment);
            let built = segment.map(|segment| segment.build(reading, self.delimiter()));
            match (built, &part.meaning) {
                (Some(Ok(text)), _) => text == part.text,
                (Some(Err(_)), Meaning::Shard(_)) => true,
                (Some(Err(_)), Meaning::Attribute { .. } | Meaning::Hash { .. }) | (None, _) => {
                    false
                }
            }
        })
    }
}

impl Reading {
    /// Whether the values must build a part again. A hash is compared only with a whole value.
    fn tells(&self, part: &ReadPart) -> bool {
        match &part.meaning {
            Meaning::Hash { path } => self.fidelities.get(path) == Some(&FIDELITY_WHOLE),
            Meaning::Attribute { .. } | Meaning::Shard(_) => true,
        }
    }

    fn note(&mut self, segment: &Segment, meaning: &Meaning) {
        match meaning {
            Meaning::Hash { .. } => {}
            Meaning::Shard(number) => self.shard = Some(*number),
            Meaning::Attribute { path, value, .. } => {
                let fidelity = segment.attribute().map_or(0, |part| part.encoding.fidelity());
                self.learn(path, value, fidelity);
            }
        }
    }

    /// Keeps a value unless a fuller one is known.
    fn learn(&mut self, path: &Path, value: &Value, fidelity: usize) {
        if self.fidelities.get(path).is_none_or(|known| *known < fidelity) {
            self.fidelities.insert(path.clone(), fidelity);
            self.values.insert(path.clone(), value.clone());
        }
    }

    /// The same parts, with the values that another key of the same item holds more fully.
    pub(crate) fn informed_by(&self, other: &Reading) -> Reading {
        let mut informed = self.clone();
        for (path, value) in &other.values {
            let fidelity = other.fidelities.get(path).copied().unwrap_or(0);
            informed.learn(path, value, fidelity);
        }
        informed
    }
}

/// What is made of two hashes of one attribute that cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HashDoubt {
    /// They may be of one value.
    Allowed,
    /// It is not certain that they are.
    Refused,
}

/// Whether hashes of one attribute can be of one value: the shorter is how the longer begins.
pub(crate) fn hashes_agree(hashes: &[(&AttributePart, &str)], doubt: HashDoubt) -> bool {
    let mut pairs = hashes.iter().flat_map(|one| hashes.iter().map(move |other| (one, other)));
    pairs.all(|((one, text), (other, longer))| {
        let is_alike = match (one.encoding.form(), other.encoding.form()) {
            (Form::Hash(a), Form::Hash(b)) => a.steps() == b.steps(),
            _ => false,
        };
        match (one.path == other.path, is_alike) {
            (false, _) => true,
            (true, true) => text.starts_with(longer) || longer.starts_with(text),
            (true, false) => doubt == HashDoubt::Allowed,
        }
    })
}

/// A depth-first search for places where segments can end.
struct Search<'a> {
    template: &'a Template,
    text: &'a str,
    /// Segments that cannot begin at a byte, so that no two paths try it twice.
    dead_ends: HashSet<(usize, usize)>,
    ends: Vec<usize>,
    readings: Vec<Reading>,
    count_max: usize,
}

impl Search<'_> {
    /// Places the segments from one on, beginning at a byte. Says whether they can be placed at
    /// all.
    fn descend(&mut self, segment: usize, start: usize) -> bool {
        let Some(current) = self.template.segments().get(segment) else {
            return self.finish(start);
        };
        if self.dead_ends.contains(&(segment, start)) {
            return false;
        }
        let mut placed = false;
        let next = self.template.segments().get(segment + 1);
        for end in candidate_ends(self.template, (current, next), self.text, start) {
            if self.readings.len() >= self.count_max {
                return true;
            }
            self.ends.push(end);
            placed |= self.descend(segment + 1, end);
            self.ends.pop();
        }
        if !placed {
            self.dead_ends.insert((segment, start));
        }
        placed
    }

    fn finish(&mut self, end: usize) -> bool {
        if end != self.text.len() {
            return false;
        }
        self.readings.extend(self.template.reading(self.text, &self.ends));
        true
    }
}

/// Where a segment that begins at a byte may end, so that the next one can begin there. A part is
/// decoded only where it can end: a long key of few delimiters is read in one pass.
fn candidate_ends(
    template: &Template,
    (segment, next): (&Segment, Option<&Segment>),
    text: &str,
    start: usize,
) -> Vec<usize> {
    let Some(rest) = text.get(start..) else { return Vec::new() };
    if let Segment::Literal(literal) = segment {
        return if rest.starts_with(literal.as_str()) {
            vec![start + literal.len()]
        } else {
            vec![]
        };
    }
    let longest = if segment.ends_at_delimiter() {
        rest.find(template.delimiter().character()).unwrap_or(rest.len())
    } else {
        rest.len()
    };
    let width = segment.fixed_width();
    let left_out = (segment.is_optional() && rest.is_empty()).then_some(start);
    let ends = rest.char_indices().map(|(offset, character)| offset + character.len_utf8());
    ends.enumerate()
        .take_while(|(_, end)| *end <= longest)
        .filter(|(place, _)| width.is_none_or(|width| place + 1 == width))
        .map(|(_, end)| end)
        .filter(|end| rest.get(*end..).is_some_and(|after| can_follow(next, after)))
        .filter(|end| {
            rest.get(..*end).is_some_and(|part| template.meaning(segment, part).is_some())
        })
        .map(|end| start + end)
        .chain(left_out)
        .collect()
}

/// Whether a text can begin as a segment does; after the last segment nothing follows.
fn can_follow(segment: Option<&Segment>, text: &str) -> bool {
    match segment {
        None => text.is_empty(),
        Some(Segment::Literal(literal)) => text.starts_with(literal.as_str()),
        Some(Segment::Attribute(_) | Segment::Shard(_)) => true,
    }
}
