//! Values of attributes: by what the model says about them, and by the templates that have to write
//! them.

use monotable_item::{Map, Number, Path, Step, Type, Value};
use monotable_model::document::{Attribute, AttributeFormat, Entity};
use monotable_model::template::{
    AttributePart, EpochUnit, Form, Identifier, Template, TimeForm, TimeUnit,
};

use super::calendar;
use super::random::Random;
use super::wording;

/// The longest text that is written to be as long as the average.
const TEXT_BYTES_MAX: usize = 1000;
/// A text about whose length nothing is known.
const TEXT_BYTES: usize = 12;
/// A number about which nothing is known is below this.
const NUMBER_END: u64 = 1000;
/// Characters that a text of a character set has.
const CHARSET_CHARS: usize = 8;

/// What a value is drawn for.
#[derive(Clone, Copy)]
pub(super) struct Drawing<'m> {
    /// The entity of the item.
    pub(super) entity: &'m Entity,
    /// The attribute that names the table of the item, where there is one for each period.
    pub(super) period: Option<&'m AttributePart>,
    /// Embedded documents by the attribute that holds them.
    pub(super) embedded: &'m dyn Fn(&str) -> Option<&'m Entity>,
    /// The number of the item among those of its entity.
    pub(super) number: u64,
    /// The second in which the item was made.
    pub(super) second: u64,
}

/// Whether a value tells its item from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It does so alone.
    Identity,
    /// It does so together with the rest of the key.
    Key {
        /// How many items in a row have the same of its distinct values.
        stride: u64,
    },
    /// It says something about the item.
    Content,
}

impl<'m> Drawing<'m> {
    /// A value of an attribute of the entity.
    pub(super) fn value(&self, attribute: &Attribute, role: Role, random: &mut Random) -> Value {
        let path = Path { root: attribute.name.clone(), steps: Vec::new() };
        match (self.embedded)(&attribute.name) {
            Some(document) => self.documents(attribute, document, random),
            None => self.value_at(attribute, &path, role, random),
        }
    }

    /// The embedded documents that an attribute holds: in a list, under names, or one that is the
    /// map itself.
    fn documents(&self, attribute: &Attribute, document: &Entity, random: &mut Random) -> Value {
        let count = 1 + random.below(3);
        match attribute.kind {
            Type::List => {
                Value::List((0..count).map(|_| self.document(document, random)).collect())
            }
            Type::Map if attribute.members.is_empty() => {
                let name = |number: u64| format!("{}{number}", wording::word(&mut random.clone()));
                let names: Vec<String> = (1..=count).map(name).collect();
                let named = names.into_iter().map(|name| (name, self.document(document, random)));
                Value::Map(named.collect())
            }
            Type::Map
            | Type::String
            | Type::Number
            | Type::Binary
            | Type::Bool
            | Type::Null
            | Type::StringSet
            | Type::NumberSet
            | Type::BinarySet => self.document(document, random),
        }
    }

    fn document(&self, document: &Entity, random: &mut Random) -> Value {
        let root = Path { root: String::new(), steps: Vec::new() };
        Value::Map(self.members(&document.attributes, &root, random))
    }

    fn members(&self, attributes: &[Attribute], path: &Path, random: &mut Random) -> Map {
        let mut map = Map::new();
        for member in attributes {
            let mut inner = path.clone();
            inner.steps.push(Step::Member(member.item_name().to_owned()));
            let value = self.value_at(member, &inner, Role::Content, random);
            map.insert(member.item_name().to_owned(), value);
        }
        map
    }

    fn value_at(
        &self,
        attribute: &Attribute,
        path: &Path,
        role: Role,
        random: &mut Random,
    ) -> Value {
        let mut forms = forms_of(self.entity, path);
        let period = self.period.filter(|part| part.path == *path);
        forms.extend(period.map(|part| part.encoding.form()));
        if let Some(value) = listed(attribute, &forms, random) {
            return value;
        }
        match attribute.kind {
            Type::String => Value::String(self.text(attribute, &forms, role, random)),
            Type::Number => Value::Number(self.number(attribute, &forms, role, random)),
            Type::Binary => Value::Binary(binary(attribute, random)),
            Type::Bool => Value::Bool(random.happens(50)),
            Type::Null => Value::Null,
            Type::Map => Value::Map(self.members(&attribute.members, path, random)),
            Type::List => self.list(attribute, path, random),
            Type::StringSet => {
                let texts = (0..=random.below(3)).map(|_| wording::word(random).to_owned());
                let mut texts: Vec<String> = texts.collect();
                texts.sort_unstable();
                texts.dedup();
                Value::string_set(texts)
            }
            Type::NumberSet => {
                let first = i64::try_from(random.below(NUMBER_END)).unwrap_or(0);
                Value::number_set(vec![Number::from(first), Number::from(first + 1)])
            }
            Type::BinarySet => Value::binary_set(vec![binary(attribute, random)]),
        }
    }

    fn list(&self, attribute: &Attribute, path: &Path, random: &mut Random) -> Value {
        let Some(items) = &attribute.items else { return Value::List(Vec::new()) };
        let count = 1 + random.below(3);
        let element = |index: u64| {
            let mut inner = path.clone();
            inner.steps.push(Step::Index(u32::try_from(index).unwrap_or(0)));
            self.value_at(items, &inner, Role::Content, random)
        };
        Value::List((0..count).map(element).collect())
    }

    fn text(
        &self,
        attribute: &Attribute,
        forms: &[&Form],
        role: Role,
        random: &mut Random,
    ) -> String {
        let index = self.distinct_index(attribute, role, random);
        if let Some(index) = index {
            let (drawing, mut own) = self.of_index(index, attribute);
            if let Some(text) = drawing.formed_text(attribute, forms, &mut own) {
                return text;
            }
        } else if let Some(text) = self.formed_text(attribute, forms, random) {
            return text;
        }
        let bytes_max = attribute.max_bytes.and_then(|bytes| usize::try_from(bytes).ok());
        let number = match (role, index) {
            (_, Some(index)) => index,
            (Role::Identity | Role::Key { .. }, None) => self.number,
            (Role::Content, None) if attribute.charset.is_some() || !forms.is_empty() => {
                random.below(NUMBER_END)
            }
            (Role::Content, None) => return free_text(attribute, bytes_max, random),
        };
        match &attribute.charset {
            Some(charset) => of_charset(charset, bytes_max, number),
            // Things of one kind have one name each, whichever item names them.
            None => {
                let mut naming = Random::of(number, &attribute.name);
                wording::name(&mut naming, number + 1, bytes_max)
            }
        }
    }

    /// Which of its distinct values an attribute has, if the model says how many there are. What
    /// is held to be unique has as many as there are items.
    fn distinct_index(
        &self,
        attribute: &Attribute,
        role: Role,
        random: &mut Random,
    ) -> Option<u64> {
        let distinct = attribute.distinct?.max(1);
        match role {
            Role::Identity => None,
            Role::Key { stride } => Some(self.number.checked_div(stride)? % distinct),
            Role::Content => Some(random.below(distinct)),
        }
    }

    /// A drawing that depends on one of an attribute's distinct values, and not on the item.
    fn of_index(&self, index: u64, attribute: &Attribute) -> (Drawing<'m>, Random) {
        let mut random = Random::of(index, &attribute.name);
        let second = calendar::any_second(&mut random);
        (Drawing { number: index, second, ..*self }, random)
    }

    /// A text that a form of a key or a format asks for, if one does.
    fn formed_text(
        &self,
        attribute: &Attribute,
        forms: &[&Form],
        random: &mut Random,
    ) -> Option<String> {
        let of_form = forms.iter().find_map(|form| self.text_of_form(form, random));
        of_form.or_else(|| Some(self.text_of_format(attribute.format?, random)))
    }

    /// A text that a form of a key can write, if it does not take any.
    fn text_of_form(&self, form: &Form, random: &mut Random) -> Option<String> {
        match form {
            Form::Identifier(Identifier::Ulid) => Some(wording::ulid(random, self.second)),
            Form::Identifier(Identifier::Ksuid) => Some(wording::ksuid(random, self.second)),
            Form::Identifier(Identifier::Uuid) => Some(wording::uuid(random)),
            Form::Identifier(Identifier::Uuid7) => Some(wording::uuid7(random, self.second)),
            Form::Time(_) => Some(calendar::rfc3339(self.second)),
            Form::YearFirst => Some(calendar::month_first(self.second)),
            Form::Enumeration(enumeration) => {
                let values: Vec<&str> = enumeration.tokens().map(|(value, _)| value).collect();
                random.pick(&values).map(|value| (*value).to_owned())
            }
            Form::Text(_)
            | Form::Plain
            | Form::Number(_)
            | Form::Hash(_)
            | Form::Bool
            | Form::NumberKey
            | Form::BinaryKey => None,
        }
    }

    fn text_of_format(&self, format: AttributeFormat, random: &mut Random) -> String {
        match format {
            AttributeFormat::Ksuid => wording::ksuid(random, self.second),
            AttributeFormat::Ulid => wording::ulid(random, self.second),
            AttributeFormat::Uuid => wording::uuid(random),
            AttributeFormat::UuidV7 => wording::uuid7(random, self.second),
            AttributeFormat::Email => {
                format!("{}@example.com", wording::name(random, self.number + 1, None))
            }
            AttributeFormat::Rfc3339 => calendar::rfc3339(self.second),
            AttributeFormat::EpochSeconds => self.second.to_string(),
            AttributeFormat::EpochMillis => (self.second * 1000).to_string(),
            AttributeFormat::Date => calendar::date(self.second),
        }
    }

    fn number(
        &self,
        attribute: &Attribute,
        forms: &[&Form],
        role: Role,
        random: &mut Random,
    ) -> Number {
        let index = self.distinct_index(attribute, role, random);
        let drawing = index.map_or(*self, |index| self.of_index(index, attribute).0);
        if let Some(time) = drawing.counted_time(attribute, forms) {
            return whole(time);
        }
        let min = attribute.min.as_ref().and_then(Number::to_i64).unwrap_or(0);
        let end = number_end(attribute, forms, min);
        let span = u64::try_from(end.saturating_sub(min)).unwrap_or(1).max(1);
        let offset = match (role, index) {
            (_, Some(index)) => index.checked_rem(span).unwrap_or(0),
            (Role::Identity | Role::Key { .. }, None) => self.number.checked_rem(span).unwrap_or(0),
            (Role::Content, None) => random.below(span.min(NUMBER_END)),
        };
        Number::from(min.saturating_add(i64::try_from(offset).unwrap_or(0)))
    }

    /// A time as a number, if a form of a key or the format asks for one.
    fn counted_time(&self, attribute: &Attribute, forms: &[&Form]) -> Option<u64> {
        let of_form = forms.iter().find_map(|form| self.time(form));
        of_form.or_else(|| match attribute.format? {
            AttributeFormat::EpochSeconds => Some(self.second),
            AttributeFormat::EpochMillis => Some(self.second * 1000),
            AttributeFormat::Ksuid
            | AttributeFormat::Ulid
            | AttributeFormat::Uuid
            | AttributeFormat::UuidV7
            | AttributeFormat::Email
            | AttributeFormat::Rfc3339
            | AttributeFormat::Date => None,
        })
    }

    fn time(&self, form: &Form) -> Option<u64> {
        let Form::Time(form) = form else { return None };
        Some(match form {
            TimeForm::Epoch(EpochUnit::Seconds)
            | TimeForm::Timestamp(TimeUnit::Seconds)
            | TimeForm::Bucket(_, TimeUnit::Seconds) => self.second,
            TimeForm::Epoch(EpochUnit::Millis)
            | TimeForm::Timestamp(TimeUnit::Millis)
            | TimeForm::Bucket(_, TimeUnit::Millis) => self.second * 1000,
            TimeForm::Timestamp(TimeUnit::Micros) | TimeForm::Bucket(_, TimeUnit::Micros) => {
                self.second * 1_000_000
            }
        })
    }
}

/// A value that is listed, and that the forms which list values can write.
fn listed(attribute: &Attribute, forms: &[&Form], random: &mut Random) -> Option<Value> {
    let is_writable = |value: &&Value| {
        forms.iter().all(|form| match (form, value) {
            (Form::Enumeration(enumeration), Value::String(text)) => {
                enumeration.tokens().any(|(value, _)| value == text)
            }
            (_, _) => true,
        })
    };
    let writable: Vec<&Value> = attribute.values.iter().filter(is_writable).collect();
    random.pick(&writable).map(|value| (*value).clone())
}

/// The forms in which the keys of an entity write what lies at a path.
fn forms_of<'m>(entity: &'m Entity, path: &Path) -> Vec<&'m Form> {
    let of_indexes = entity.indexes.iter().map(|index| &index.keys);
    let keys = entity.key.iter().chain(of_indexes);
    let templates = keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    let parts = templates.flat_map(Template::attributes).filter(|part| part.path == *path);
    parts.map(|part| part.encoding.form()).collect()
}

/// The first number that is too large.
fn number_end(attribute: &Attribute, forms: &[&Form], min: i64) -> i64 {
    let power = |digits: u32| 10i64.checked_pow(digits).unwrap_or(i64::MAX);
    let mut end = min.saturating_add(i64::try_from(NUMBER_END * NUMBER_END).unwrap_or(i64::MAX));
    if let Some(max) = attribute.max.as_ref().and_then(Number::to_i64) {
        end = end.min(max.saturating_add(1));
    }
    if let Some(digits) = attribute.digits.and_then(|digits| u32::try_from(digits).ok()) {
        end = end.min(power(digits));
    }
    for form in forms {
        if let Form::Number(form) = form {
            end = end.min(power(u32::from(form.whole_digits())) / 2);
            end = end.min(form.total().unwrap_or(i64::MAX));
        }
    }
    end
}

fn whole(number: u64) -> Number {
    Number::from(i64::try_from(number).unwrap_or(i64::MAX))
}

fn binary(attribute: &Attribute, random: &mut Random) -> Vec<u8> {
    let bytes_max = attribute.max_bytes.and_then(|bytes| usize::try_from(bytes).ok());
    let mut bytes = random.next().to_be_bytes().to_vec();
    bytes.truncate(bytes_max.unwrap_or(bytes.len()).max(1));
    bytes
}

/// Words of about the average length.
fn free_text(attribute: &Attribute, bytes_max: Option<usize>, random: &mut Random) -> String {
    let average = attribute.average_bytes.and_then(|bytes| usize::try_from(bytes).ok());
    let average = average.unwrap_or(TEXT_BYTES).min(TEXT_BYTES_MAX);
    let mut text = wording::words(random, average);
    text.truncate(bytes_max.unwrap_or(usize::MAX).max(1));
    text.trim_end().to_owned()
}

/// A number in the characters of a set such as `a-z0-9-`.
fn of_charset(charset: &str, bytes_max: Option<usize>, number: u64) -> String {
    let characters = characters(charset);
    // A text that begins or ends with a sign looks odd, and some services refuse it.
    let plain: Vec<char> = characters.iter().copied().filter(|one| one.is_alphanumeric()).collect();
    let characters = if plain.is_empty() { characters } else { plain };
    let width = bytes_max.map_or(CHARSET_CHARS, |bytes| bytes.min(CHARSET_CHARS)).max(1);
    wording::written(&characters, width, u128::from(number))
}

/// The characters of a set: single ones, and ranges with `-` between their ends.
fn characters(charset: &str) -> Vec<char> {
    let mut characters = Vec::new();
    let mut rest = charset.chars().peekable();
    while let Some(first) = rest.next() {
        let mut ahead = rest.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(last)) if first <= last => {
                characters.extend(first..=last);
                rest = ahead;
            }
            (_, _) => characters.push(first),
        }
    }
    characters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_characters_have_ranges_and_single_ones() {
        let text = |charset: &str| characters(charset).into_iter().collect::<String>();
        assert_eq!(text("a-e0-2-"), "abcde012-");
        assert_eq!(text("._-"), "._-");
        assert_eq!(text("-a"), "-a");
    }

    #[test]
    fn texts_of_a_set_have_its_characters_only() {
        assert_eq!(of_charset("0-9A-F", Some(4), 255), "00FF");
        assert_eq!(of_charset("a-b-", None, 5), "aaaaabab");
    }
}
