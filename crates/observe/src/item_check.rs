//! Whether an item is one of the model: its keys have the form of its entity, and its attributes
//! agree with them.
//!
//! The quick way reads the item in place and stops at the first entity that it fits. Only an item
//! that fits none is decoded, to say what is wrong with it.

use monotable_expr::Condition;
use monotable_item::stored::{self, ItemView, SortedNames, ValueView};
use monotable_item::{Item, Path, Value};
use monotable_model::document::{Entity, KeyAttribute, Model, Table};
use monotable_model::template::{
    AttributePart, BuildError, Delimiter, Direction, Encoding, Escaping, Form, Segment, Sign,
    Template, TextForm,
};

use crate::call::KeyBytes;
use crate::entity_forms::{Candidates, entities_in};
use crate::key_form::{KeyForm, writes};
use crate::misfit::Fault;
use crate::slots::{SlotSet, SlotValues};

/// A number of so many digits counts milliseconds: as seconds it would be after the year 5000.
const MILLISECOND_DIGITS: usize = 12;

/// Checks the items of a table.
#[derive(Debug)]
pub(crate) struct ItemCheck {
    /// By the numbers of entities in the model; none for those that are not of the table.
    entities: Vec<Option<Box<EntityCheck>>>,
}

/// Checks whether an item is one of an entity. It knows the few attributes that this takes.
#[derive(Debug)]
struct EntityCheck {
    names: SortedNames,
    type_value: Box<[u8]>,
    kind: Option<usize>,
    expiry: Option<usize>,
    /// Of the table: of the partition key, then of the sort key.
    own_keys: Vec<KeyCheck>,
    /// The attributes that these are made of.
    own_parts: SlotSet,
    /// Of each index that can hold the item, with the slots of the keys.
    index_keys: Vec<(usize, KeyCheck)>,
    /// Conditions of indexes, with the keys that an item must not have unless they hold.
    conditions: Vec<(Condition, Vec<usize>)>,
    /// Attributes of keys of indexes that hold none of these items.
    unexpected: Vec<usize>,
    /// The same at a glance.
    unexpected_set: SlotSet,
}

/// A key, and the attributes that its parts are made of.
#[derive(Debug)]
struct KeyCheck {
    form: KeyForm,
    delimiter: Delimiter,
    parts: Vec<PartCheck>,
    /// The attributes that the parts are compared with.
    compared: SlotSet,
    /// Compared as a whole where parts cannot be, with the names of attributes in the model and in
    /// items.
    whole: Option<(Template, AttributeNames)>,
}

#[derive(Debug)]
struct PartCheck {
    /// The slot of the attribute; none if items do not hold it as it is.
    slot: Option<usize>,
    /// The attributes that the part is compared with.
    compared: SlotSet,
    written: Written,
}

/// How a part is written.
#[derive(Debug)]
enum Written {
    /// As it is, if it holds no delimiter.
    Same,
    /// A number with leading zeros.
    Padded,
    /// In another way.
    Encoded(Box<AttributePart>),
    /// From within attributes: it lies in a map or list, or is a shard that follows from them.
    Derived(Box<(Template, AttributeNames)>),
    /// By a shard that the client chooses, or from what items do not hold: it is not compared.
    Unknown,
}

/// The names of attributes in the model and in items.
type AttributeNames = Vec<(String, String)>;

impl ItemCheck {
    pub(crate) fn new(model: &Model, table: &Table) -> ItemCheck {
        let mut entities = Vec::new();
        for (number, entity) in entities_in(model, table).filter(|(_, it)| it.key.is_some()) {
            entities.resize_with(usize::from(number), || None);
            entities.push(Some(Box::new(EntityCheck::new(table, entity))));
        }
        ItemCheck { entities }
    }

    /// Of the entities that the key of an item can belong to, those that the item fits. The key is
    /// that of its partition and its sort key.
    pub(crate) fn fitting(
        &self,
        candidates: &Candidates,
        key: [Option<&KeyBytes<'_>>; 2],
        item: &ItemView<'_>,
    ) -> Candidates {
        let mut fitting = Candidates::default();
        let all = candidates.all().iter().copied();
        all.filter(|entity| self.fits(*entity, key, item)).for_each(|entity| fitting.add(entity));
        fitting
    }

    /// Returns whether an item fits an entity that its key can belong to.
    #[inline]
    pub(crate) fn fits(
        &self,
        entity: u16,
        key: [Option<&KeyBytes<'_>>; 2],
        item: &ItemView<'_>,
    ) -> bool {
        let entity = self.entities.get(usize::from(entity)).and_then(Option::as_ref);
        entity.is_some_and(|entity| entity.fits(key, item))
    }
}

impl EntityCheck {
    fn new(table: &Table, entity: &Entity) -> EntityCheck {
        let names = SortedNames::new(names(table, entity));
        let own = entity.key.iter().flat_map(|keys| keys.partition.iter().chain(&keys.sort));
        let own_keys: Vec<KeyCheck> =
            own.map(|template| KeyCheck::new(entity, template, &names)).collect();
        let own_parts = own_keys.iter().fold(SlotSet::default(), |all, key| all.and(key.compared));
        let mut index_keys = Vec::new();
        let mut conditions = Vec::new();
        let mut unexpected = Vec::new();
        for index in &table.indexes {
            let of_index = index.key_attributes().filter(|key| !is_table_key(table, key));
            let Some(held) = entity.index_key(&index.name) else {
                let foreign = of_index.filter(|key| !is_known(table, entity, &key.name));
                unexpected.extend(foreign.filter_map(|key| names.position(&key.name)));
                continue;
            };
            let templates = held.keys.partition.iter().chain(&held.keys.sort);
            let pairs = index.key_attributes().zip(templates);
            let pairs = pairs.filter(|(key, _)| !is_table_key(table, key));
            index_keys.extend(pairs.filter_map(|(key, template)| {
                // An attribute that is a key of an index as it is cannot differ from itself.
                Some((names.position(&key.name)?, KeyCheck::new(entity, template, &names)))
            }));
            if let Some(condition) =
                held.when.as_ref().and_then(|when| when.condition(|_| None).ok())
            {
                let derived = of_index.filter(|key| !is_attribute(entity, &key.name));
                let derived = derived.filter_map(|key| names.position(&key.name));
                conditions.push((condition, derived.collect()));
            }
        }
        let position = |name: &String| names.position(name);
        EntityCheck {
            type_value: entity.type_value().as_bytes().into(),
            kind: table.type_attribute.as_ref().and_then(position),
            expiry: table.ttl.as_ref().and_then(position),
            own_keys,
            own_parts,
            index_keys,
            conditions,
            unexpected_set: unexpected.iter().copied().collect(),
            unexpected,
            names,
        }
    }

    #[inline(never)]
    fn fits(&self, key: [Option<&KeyBytes<'_>>; 2], item: &ItemView<'_>) -> bool {
        let mut values = SlotValues::with_room(self.names.count());
        if values.read(&self.names, item).is_err() {
            return true;
        }
        self.kind.is_none_or(|slot| self.is_type(values.get(slot)))
            && self.expiry.is_none_or(|slot| expiry_fault(values.get(slot)).is_none())
            && !self.has_unexpected(&values)
            && self.own_keys_agree(key, &values, item)
            && self.index_keys.iter().all(|(slot, key)| match values.text(*slot) {
                Some(text) => key.fits(text, &values, item),
                None => !values.has(*slot) || key.fits_other(values.get(*slot), &values, item),
            })
            && self.conditions.iter().all(|(condition, keys)| {
                !keys.iter().any(|slot| values.has(*slot)) || holds(condition, item.stored())
            })
    }

    #[inline]
    fn has_unexpected(&self, values: &SlotValues<'_>) -> bool {
        !values.has_none(self.unexpected_set)
            && self.unexpected.iter().any(|slot| values.has(*slot))
    }

    /// Returns whether the keys of the table, which have their forms, are what the attributes
    /// build, as far as the item has them.
    #[inline]
    fn own_keys_agree(
        &self,
        key: [Option<&KeyBytes<'_>>; 2],
        values: &SlotValues<'_>,
        item: &ItemView<'_>,
    ) -> bool {
        values.has_none(self.own_parts)
            || self.own_keys.iter().zip(key).all(|(key, sent)| match sent {
                Some(KeyBytes::Text(text)) => key.agrees(text, values, item),
                Some(other) => key.agrees_other(*other, values, item),
                None => true,
            })
    }

    /// Returns whether this is the type of the entity, or the item says none.
    fn is_type(&self, found: Option<ValueView<'_>>) -> bool {
        match found {
            None => true,
            Some(ValueView::String(text)) => *text == *self.type_value,
            Some(_) => false,
        }
    }
}

impl KeyCheck {
    fn new(entity: &Entity, template: &Template, names: &SortedNames) -> KeyCheck {
        let form = KeyForm::of_template(template);
        let segments = template.segments().iter();
        let parts = segments.filter(|segment| !matches!(segment, Segment::Literal(_)));
        let parts: Vec<PartCheck> =
            parts.map(|segment| PartCheck::new(entity, template, segment, names)).collect();
        KeyCheck {
            delimiter: template.delimiter(),
            compared: parts.iter().fold(SlotSet::default(), |all, part| all.and(part.compared)),
            parts,
            whole: (!form.is_direct()).then(|| (template.clone(), names_of(entity, template))),
            form,
        }
    }

    /// Returns whether a key has its form and is what the attributes build.
    #[inline]
    fn fits(&self, text: &[u8], values: &SlotValues<'_>, item: &ItemView<'_>) -> bool {
        if values.has_none(self.compared) {
            return self.form.matches(KeyBytes::Text(text));
        }
        self.agrees(text, values, item)
    }

    /// Returns whether a key is what the attributes build, as far as the item has them.
    #[inline(never)]
    fn agrees(&self, text: &[u8], values: &SlotValues<'_>, item: &ItemView<'_>) -> bool {
        if values.has_none(self.compared) {
            return true;
        }
        if let Some((template, names)) = &self.whole {
            return agrees_text(template, names, text, item);
        }
        let mut parts = self.parts.iter();
        let mut agree = true;
        let has_form = self.form.split(text, |found| {
            let part = parts.next();
            agree &= part.is_none_or(|part| part.agrees(found, values, item, self.delimiter));
        });
        has_form && agree
    }

    /// The same as [`fits`](KeyCheck::fits) for a key that is no text.
    #[inline(never)]
    fn fits_other(
        &self,
        found: Option<ValueView<'_>>,
        values: &SlotValues<'_>,
        item: &ItemView<'_>,
    ) -> bool {
        let key = found.and_then(KeyBytes::of_view);
        key.is_some_and(|key| self.form.matches(key) && self.agrees_other(key, values, item))
    }

    /// The same as [`agrees`](KeyCheck::agrees) for a key that is a number or bytes: it is the
    /// attribute itself.
    #[inline(never)]
    fn agrees_other(
        &self,
        key: KeyBytes<'_>,
        values: &SlotValues<'_>,
        item: &ItemView<'_>,
    ) -> bool {
        let own = self.parts.first().and_then(|part| value(values, part.slot));
        match (own, key) {
            (_, KeyBytes::Number([])) => true,
            (Some(ValueView::Number(own)), KeyBytes::Number(key))
            | (Some(ValueView::Binary(own)), KeyBytes::Binary(key)) => own == key,
            (Some(_), _) => false,
            (None, _) if values.has_none(self.compared) => true,
            (None, _) => self.whole.as_ref().is_none_or(|(template, names)| {
                key.value().is_none_or(|key| agrees_whole(template, names, &key, item))
            }),
        }
    }
}

impl PartCheck {
    fn new(
        entity: &Entity,
        template: &Template,
        segment: &Segment,
        names: &SortedNames,
    ) -> PartCheck {
        match segment {
            Segment::Attribute(part) if part.path.is_attribute() => {
                let slot = slot_of(entity, &part.path.root, names);
                let compared = slot.into_iter().collect();
                PartCheck { slot, compared, written: Written::of(part) }
            }
            Segment::Attribute(_) | Segment::Shard(_) | Segment::Literal(_) => {
                PartCheck::derived(entity, template.delimiter(), segment, names)
            }
        }
    }

    /// A part that more than one look at an attribute is needed for.
    fn derived(
        entity: &Entity,
        delimiter: Delimiter,
        segment: &Segment,
        names: &SortedNames,
    ) -> PartCheck {
        let roots = || segment.paths().into_iter().map(|path| path.root.as_str());
        let slots: Option<Vec<usize>> = roots().map(|root| slot_of(entity, root, names)).collect();
        let slots = slots.filter(|slots| !slots.is_empty());
        // The part alone, as if it were a key.
        let template = Template::new(delimiter, vec![segment.clone()]).ok();
        let Some((slots, template)) = slots.zip(template) else {
            return PartCheck {
                slot: None,
                compared: SlotSet::default(),
                written: Written::Unknown,
            };
        };
        let names = names_of(entity, &template);
        let written = Written::Derived(Box::new((template, names)));
        PartCheck { slot: None, compared: slots.into_iter().collect(), written }
    }

    fn agrees(
        &self,
        found: &[u8],
        values: &SlotValues<'_>,
        item: &ItemView<'_>,
        delimiter: Delimiter,
    ) -> bool {
        if let Written::Derived(derived) = &self.written {
            let (template, names) = &**derived;
            return values.has_none(self.compared) || agrees_text(template, names, found, item);
        }
        let Some(own) = value(values, self.slot) else { return true };
        match (&self.written, own) {
            (Written::Derived(_) | Written::Unknown, _) => true,
            (Written::Same, ValueView::String(text)) if text == found => true,
            (Written::Same, ValueView::String(text)) => {
                escaped(text, delimiter).as_bytes() == found
            }
            (Written::Padded, ValueView::Number(text)) => is_padded(found, text),
            (Written::Encoded(part), _) => encoded(part, own, delimiter, found),
            (Written::Same | Written::Padded, _) => false,
        }
    }
}

impl Written {
    fn of(part: &AttributePart) -> Written {
        let is_ascending = part.encoding.direction() == Direction::Ascending;
        match part.encoding.form() {
            Form::Text(form) if form.steps.is_empty() && form.escaping == Escaping::Delimiter => {
                Written::Same
            }
            Form::Number(form)
                if form.sign() == Sign::Unsigned
                    && form.fraction_digits() == 0
                    && form.total().is_none()
                    && is_ascending =>
            {
                Written::Padded
            }
            _ => Written::Encoded(Box::new(part.clone())),
        }
    }
}

/// The slot of an attribute; none if items do not hold it.
fn slot_of(entity: &Entity, root: &str, names: &SortedNames) -> Option<usize> {
    let is_stored = entity.attribute(root).is_none_or(|own| own.stored);
    names.position(stored_name(entity, root)).filter(|_| is_stored)
}

/// The attributes of a template that items hold, by their names in the model and in items.
fn names_of(entity: &Entity, template: &Template) -> AttributeNames {
    let roots = template.paths().map(|path| path.root.as_str());
    roots.map(|root| (root.to_owned(), stored_name(entity, root).to_owned())).collect()
}

/// The attributes that are asked about: keys of indexes, the type, the time of expiry, and what the
/// keys of the entity are made of. The key of the table is at hand without the item.
fn names<'m>(table: &'m Table, entity: &'m Entity) -> Vec<&'m str> {
    let of_indexes = table.indexes.iter().flat_map(|index| index.key_attributes());
    let of_indexes = of_indexes.filter(|key| !is_table_key(table, key));
    let mut names: Vec<&str> = of_indexes.map(|key| key.name.as_str()).collect();
    names.extend(table.type_attribute.as_deref());
    names.extend(table.ttl.as_deref());
    let keys = entity.key.iter().chain(entity.indexes.iter().map(|index| &index.keys));
    let templates = keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    let roots = templates.flat_map(|template| template.paths().map(|path| &path.root));
    names.extend(roots.map(|root| stored_name(entity, root)));
    names
}

pub(crate) fn stored_name<'m>(entity: &'m Entity, name: &'m str) -> &'m str {
    entity.attribute(name).map_or(name, |attribute| attribute.item_name())
}

pub(crate) fn is_table_key(table: &Table, key: &KeyAttribute) -> bool {
    table.key_attributes().any(|own| own.name == key.name)
}

pub(crate) fn is_attribute(entity: &Entity, stored: &str) -> bool {
    entity.attributes.iter().any(|attribute| attribute.item_name() == stored)
}

/// Returns whether an item of the entity may have an attribute that is the key of an index.
pub(crate) fn is_known(table: &Table, entity: &Entity, stored: &str) -> bool {
    let held = table.indexes.iter().filter(|index| entity.index_key(&index.name).is_some());
    let mut keys = held.flat_map(|index| index.key_attributes());
    is_attribute(entity, stored)
        || keys.any(|key| key.name == stored)
        || table.type_attribute.as_deref() == Some(stored)
        || table.ttl.as_deref() == Some(stored)
}

fn value<'a>(values: &SlotValues<'a>, slot: Option<usize>) -> Option<ValueView<'a>> {
    slot.and_then(|slot| values.get(slot))
}

fn expiry_fault(value: Option<ValueView<'_>>) -> Option<Fault> {
    match value? {
        ValueView::Number(text) => seconds_meant(text).map(|_| Fault::ExpiryInMilliseconds),
        _ => Some(Fault::ExpiryNotNumber),
    }
}

/// The seconds that a time of expiry in milliseconds means, or in parts of these; none for one in
/// seconds. A clock that counts seconds with a fraction, times 1000, has a fraction as well: only
/// the digits before it say what is counted.
pub(crate) fn seconds_meant(expiry: &[u8]) -> Option<&[u8]> {
    let mut digits = expiry.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits < MILLISECOND_DIGITS {
        return None;
    }
    while digits >= MILLISECOND_DIGITS {
        digits -= 3;
    }
    expiry.get(..digits)
}

fn escaped(text: &[u8], delimiter: Delimiter) -> String {
    let encoding = Encoding::ascending(Form::Text(TextForm::escaped()));
    let part = AttributePart::required(Path::attribute("text"), encoding);
    let value = Value::String(String::from_utf8_lossy(text).into_owned());
    part.encode(&value, delimiter).unwrap_or_default()
}

/// Returns whether digits are a number with leading zeros.
fn is_padded(digits: &[u8], number: &[u8]) -> bool {
    let padding = digits.len().checked_sub(number.len()).and_then(|at| digits.split_at_checked(at));
    padding.is_some_and(|(zeros, rest)| rest == number && zeros.iter().all(|byte| *byte == b'0'))
}

fn encoded(part: &AttributePart, own: ValueView<'_>, to: Delimiter, found: &[u8]) -> bool {
    let Some(value) = decoded(own) else { return false };
    std::str::from_utf8(found).is_ok_and(|found| writes(part, &value, to, found))
}

/// A value that keys are made of.
fn decoded(view: ValueView<'_>) -> Option<Value> {
    match view {
        ValueView::Bool(truth) => Some(Value::Bool(truth)),
        other => KeyBytes::of_view(other)?.value(),
    }
}

fn holds(condition: &Condition, item: &[u8]) -> bool {
    let roots = condition.roots();
    let seen = decode_some(item, |name| roots.contains(name));
    condition.matches(&seen)
}

/// The attributes of an item that are wanted.
pub(crate) fn decode_some(item: &[u8], wanted: impl Fn(&str) -> bool) -> Item {
    let is_wanted = |name: &[u8]| std::str::from_utf8(name).is_ok_and(&wanted);
    stored::decode_attributes(item, is_wanted).unwrap_or_default()
}

/// Compares a text with what a template builds of an item.
fn agrees_text(
    template: &Template,
    names: &[(String, String)],
    text: &[u8],
    item: &ItemView<'_>,
) -> bool {
    let text = std::str::from_utf8(text);
    text.is_ok_and(|text| agrees_whole(template, names, &Value::from(text), item))
}

/// Compares a key with what a template builds of an item. Attributes that the item lacks say
/// nothing.
fn agrees_whole(
    template: &Template,
    names: &[(String, String)],
    key: &Value,
    item: &ItemView<'_>,
) -> bool {
    let is_wanted = |name: &str| names.iter().any(|(_, stored)| stored == name);
    let stored = decode_some(item.stored(), is_wanted);
    let value = |(own, stored_name): &(String, String)| {
        Some((own.clone(), stored.get(stored_name)?.clone()))
    };
    let seen: Item = names.iter().filter_map(value).collect();
    match template.build(&seen) {
        Ok(built) => built == *key,
        Err(error) => says_nothing(&error) && template.matches(key),
    }
}

/// Returns whether a key that cannot be built says nothing about the one that an item has: an
/// attribute is missing, or the shard is chosen by whoever writes.
pub(crate) fn says_nothing(error: &BuildError) -> bool {
    matches!(
        error,
        BuildError::Missing { .. } | BuildError::NoShard { .. } | BuildError::UnknownShard { .. }
    )
}
