//! Items whose keys have the same shape are one entity.
//!
//! A group begins as all items of a facet or of a type. The attributes of its keys are explained
//! one after the other, those of the table first. Where one template builds the keys of all
//! members, the group stays whole; where none does, it is parted by the shapes of the keys, and
//! each part goes on by itself. Parts that an index alone made are variants of the first of them.

use std::collections::BTreeMap;

use monotable_item::key_encoding::KeyType;
use monotable_item::limits::PARTITION_KEY_BYTES_MAX;
use monotable_item::{Item, Value};
use monotable_model::document::{Index, KeyAttribute, Table};
use monotable_model::template::Template;

use super::assembly::{of_itself, template};
use super::candidate::{Candidate, Sources, candidates};
use super::invention::{Inventions, invent};
use super::key_text::{SharedPrefixes, delimiter_of, is_named_after_role, is_word};
use super::synthesis::{Gaps, Piece, solve};

/// Items of one entity, and the templates of their keys.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// What the items are called, if that is known.
    pub(super) name: Option<String>,
    /// The value of the type attribute.
    pub(super) type_value: Option<String>,
    /// The items, by their numbers.
    pub(super) members: Vec<usize>,
    /// The templates found so far, by the attribute of the key. An index that no member is in has
    /// none.
    pub(super) templates: BTreeMap<KeyPart, Template>,
    /// Attributes that stand in keys alone.
    pub(super) inventions: Inventions,
    /// Attributes of keys that are built from others, and so are no attributes of the entity.
    pub(super) built: Vec<String>,
    /// The group that this was parted from by an index.
    pub(super) variant_of: Option<usize>,
}

/// An attribute of a key: of the table, or of an index by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeyPart {
    /// The index; nothing for the table.
    pub(super) index: Option<usize>,
    /// Which attribute of the key.
    pub(super) part: usize,
}

impl Group {
    /// A group of one item.
    pub(super) fn new(name: Option<String>, type_value: Option<String>, member: usize) -> Group {
        Group {
            name,
            type_value,
            members: vec![member],
            templates: BTreeMap::new(),
            inventions: Inventions::default(),
            built: Vec::new(),
            variant_of: None,
        }
    }

    fn with_members(&self, members: Vec<usize>) -> Group {
        Group { members, ..self.clone() }
    }
}

/// The most parts that a group falls into at once. More show that the shapes are not what tells
/// them apart.
const PARTS_MAX: usize = 6;

/// What explaining a key came to.
enum Outcome {
    Explained(Template, Vec<(String, Vec<Value>)>),
    Parted(Vec<Vec<usize>>),
    Nothing,
}

/// Parts groups until each has one template for every key.
pub(super) fn groups(
    table: &Table,
    items: &[Item],
    initial: Vec<Group>,
    type_attribute: Option<&str>,
) -> Vec<Group> {
    let keys = table.key_attributes().chain(table.indexes.iter().flat_map(Index::key_attributes));
    let names: Vec<&str> = keys.map(|key| key.name.as_str()).collect();
    let texts = items.iter().flat_map(|item| names.iter().filter_map(|name| item.get(*name)));
    let texts = texts.filter_map(|value| match value {
        Value::String(text) => Some(text.as_str()),
        _ => None,
    });
    let prefixes = SharedPrefixes::of(texts);
    let survey = Survey { table, items, type_attribute, prefixes };
    let mut found = Vec::new();
    for group in initial {
        for part in survey.by_shape(&group) {
            survey.refine(part, 0, &mut found);
        }
    }
    found
}

struct Survey<'a> {
    table: &'a Table,
    items: &'a [Item],
    type_attribute: Option<&'a str>,
    prefixes: SharedPrefixes,
}

impl<'a> Survey<'a> {
    /// The attributes of all keys, those of the table first.
    fn places(&self) -> Vec<(KeyPart, &'a KeyAttribute)> {
        let own = self.table.key_attributes().enumerate();
        let mut places: Vec<(KeyPart, &KeyAttribute)> =
            own.map(|(part, key)| (KeyPart { index: None, part }, key)).collect();
        for (number, index) in self.table.indexes.iter().enumerate() {
            let keys = index.key_attributes().enumerate();
            places.extend(keys.map(|(part, key)| (KeyPart { index: Some(number), part }, key)));
        }
        places
    }

    /// Parts a group by the shape that the keys of the table have in each item alone.
    fn by_shape(&self, group: &Group) -> Vec<Group> {
        let shape = |member: usize| -> Vec<String> {
            let keys = self.table.key_attributes();
            keys.map(|key| self.shape(group, member, key)).collect()
        };
        parted(&group.members, shape).into_iter().map(|part| group.with_members(part)).collect()
    }

    /// The literals of a key, with a mark for everything else.
    fn shape(&self, group: &Group, member: usize, key: &KeyAttribute) -> String {
        let (pieces, _) = self.alone(group, member, key);
        if self.explains_nothing(key, &pieces) {
            return "\u{0}".to_owned();
        }
        let text = |piece: &Piece| match piece {
            // Digits in a literal of one key alone may well be an identifier.
            Piece::Literal(text) => text.replace(|c: char| c.is_ascii_digit(), "\u{1}"),
            Piece::Attribute(_) | Piece::Unknown(_) => "\u{0}".to_owned(),
        };
        pieces.iter().map(text).collect()
    }

    /// The attributes of a key, with a mark for what none explains.
    fn names(&self, group: &Group, member: usize, key: &KeyAttribute) -> String {
        let (pieces, candidates) = self.alone(group, member, key);
        let text = |piece: &Piece| match piece {
            Piece::Literal(text) => text.clone(),
            Piece::Attribute(number) => {
                let path = candidates.get(*number).map(|candidate| candidate.part.path.to_string());
                format!("{{{}}}", path.unwrap_or_default())
            }
            Piece::Unknown(_) => "\u{0}".to_owned(),
        };
        pieces.iter().map(text).collect()
    }

    /// The pieces of one item's key.
    fn alone(
        &self,
        group: &Group,
        member: usize,
        key: &KeyAttribute,
    ) -> (Vec<Piece>, Vec<Candidate>) {
        let members = [member];
        if self.is_beyond_limits(&members, key) {
            return (Vec::new(), Vec::new());
        }
        let Some((keys, candidates)) = self.problem(group, &members, key) else {
            return (Vec::new(), Vec::new());
        };
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let gaps = Gaps::UpTo(delimiter_of(&keys));
        (solve(&keys, &candidates, gaps).unwrap_or_default(), candidates)
    }

    /// Explains the keys of a group from one on.
    fn refine(&self, mut group: Group, from: usize, found: &mut Vec<Group>) {
        let places = self.places();
        for (number, (place, key)) in places.iter().enumerate().skip(from) {
            let members = self.members_with(&group, place.index);
            if members.is_empty() {
                continue;
            }
            let outcome = match self.index_shapes(&group, *place, &members) {
                Some(parts) => Outcome::Parted(parts),
                None => self.explain(&group, &members, key),
            };
            match outcome {
                Outcome::Explained(template, invented) => {
                    self.note(&mut group, *place, key, template, invented, &members);
                }
                Outcome::Parted(parts) => {
                    self.part(&group, *place, parts, number, found);
                    return;
                }
                Outcome::Nothing => {}
            }
        }
        found.push(group);
    }

    /// Parts of members whose keys in an index have different shapes, asked once for each index.
    fn index_shapes(
        &self,
        group: &Group,
        place: KeyPart,
        members: &[usize],
    ) -> Option<Vec<Vec<usize>>> {
        let index = place.index.filter(|_| place.part == 0)?;
        let index = self.table.indexes.get(index)?;
        let shape = |member: usize| -> Vec<String> {
            index.key_attributes().map(|key| self.shape(group, member, key)).collect()
        };
        Some(parted(members, shape)).filter(|parts| (2..=PARTS_MAX).contains(&parts.len()))
    }

    fn note(
        &self,
        group: &mut Group,
        place: KeyPart,
        key: &KeyAttribute,
        template: Template,
        invented: Vec<(String, Vec<Value>)>,
        members: &[usize],
    ) {
        let is_itself = template.paths().any(|path| path.root == key.name);
        if !is_itself && !group.built.contains(&key.name) {
            group.built.push(key.name.clone());
        }
        for (name, values) in invented {
            group.inventions.add(&name, members, values);
        }
        group.templates.insert(place, template);
    }

    /// Goes on with each part of a group. Members that are not in the index stay with the first.
    fn part(
        &self,
        group: &Group,
        place: KeyPart,
        mut parts: Vec<Vec<usize>>,
        from: usize,
        found: &mut Vec<Group>,
    ) {
        let listed: Vec<usize> = parts.iter().flatten().copied().collect();
        let absent = group.members.iter().filter(|member| !listed.contains(member));
        if let Some(first) = parts.first_mut() {
            first.extend(absent);
            first.sort_unstable();
        }
        let first = found.len();
        for (number, part) in parts.into_iter().enumerate() {
            let mut part = group.with_members(part);
            if number > 0 && place.index.is_some() {
                part.variant_of = Some(group.variant_of.unwrap_or(first));
            }
            self.refine(part, from, found);
        }
    }

    /// The members that have all attributes of an index's key; all, for the table.
    fn members_with(&self, group: &Group, index: Option<usize>) -> Vec<usize> {
        let index: Option<&Index> = index.and_then(|number| self.table.indexes.get(number));
        let has_all = |member: &&usize| {
            let item = self.items.get(**member);
            index.is_none_or(|index| {
                index
                    .key_attributes()
                    .all(|key| item.is_some_and(|item| item.contains_key(&key.name)))
            })
        };
        group.members.iter().filter(has_all).copied().collect()
    }

    fn explain(&self, group: &Group, members: &[usize], key: &KeyAttribute) -> Outcome {
        if key.kind != KeyType::String || self.is_beyond_limits(members, key) {
            return of_itself(key)
                .map_or(Outcome::Nothing, |one| Outcome::Explained(one, Vec::new()));
        }
        let Some((keys, all)) = self.problem(group, members, key) else { return Outcome::Nothing };
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let is_other = |candidate: &&Candidate| candidate.part.path.root != key.name;
        let others: Vec<Candidate> = all.iter().filter(is_other).cloned().collect();
        let are_distinct = keys.iter().any(|one| Some(one) != keys.first());
        let gaps = Gaps::UpTo(delimiter_of(&keys));
        let by_cost = solve(&keys, &all, gaps);
        // Keys that are all the same show nothing that one of them does not show.
        let from_others = if are_distinct {
            solve(&keys, &others, Gaps::Forbidden).map(|pieces| (pieces, &others))
        } else {
            by_cost.clone().filter(|pieces| is_complete(pieces, &all, key)).map(|one| (one, &all))
        };
        let found = from_others
            .filter(|(pieces, _)| !self.explains_nothing(key, pieces))
            .filter(|(pieces, _)| is_named_after_role(&key.name) || !cuts_words(pieces))
            .and_then(|(pieces, known)| self.explained(group, members, &keys, &pieces, known));
        if let Some(found) = found {
            return found;
        }
        if let Some(constant) = self.constant(key, &keys) {
            return Outcome::Explained(constant, Vec::new());
        }
        if let Some(parts) = self.parts(group, members, key) {
            return Outcome::Parted(parts);
        }
        let by_cost = by_cost.filter(|pieces| !self.explains_nothing(key, pieces));
        let found = by_cost.and_then(|pieces| self.explained(group, members, &keys, &pieces, &all));
        let itself = || of_itself(key).map(|one| Outcome::Explained(one, Vec::new()));
        found.or_else(itself).unwrap_or(Outcome::Nothing)
    }

    /// Whether a partition key is a constant and yet an identifier: whatever it looks like in a
    /// table that has no sort key or whose key is a property, and if it has digits in any other.
    fn explains_nothing(&self, key: &KeyAttribute, pieces: &[Piece]) -> bool {
        let is_alone = self.table.sort_key.is_none() || !is_named_after_role(&key.name);
        key.name == self.table.partition_key.name
            && pieces.iter().all(|piece| match piece {
                Piece::Literal(text) => is_alone || text.contains(|c: char| c.is_ascii_digit()),
                Piece::Attribute(_) | Piece::Unknown(_) => false,
            })
    }

    /// The template of a sort key that is the same word in several items. In a partition key it is
    /// rather a value, of which the sample has one.
    fn constant(&self, key: &KeyAttribute, keys: &[&str]) -> Option<Template> {
        let (first, others) = keys.split_first()?;
        let is_shared = !others.is_empty() && others.iter().all(|other| other == first);
        let indexes = &self.table.indexes;
        let mut sorts =
            self.table.sort_key.iter().chain(indexes.iter().flat_map(|it| &it.sort_key));
        let is_sort = sorts.any(|sort| sort.name == key.name);
        let is_constant = is_sort && is_shared && is_word(first);
        Template::parse(first).ok().filter(|_| is_constant)
    }

    /// Parts of members that each have a template from attributes alone, or shapes of their own.
    fn parts(
        &self,
        group: &Group,
        members: &[usize],
        key: &KeyAttribute,
    ) -> Option<Vec<Vec<usize>>> {
        let by_shape = parted(members, |member| self.shape(group, member, key));
        if (2..=PARTS_MAX).contains(&by_shape.len()) {
            return Some(by_shape);
        }
        if let Some(by_word) = self.by_word(members, key) {
            return Some(by_word);
        }
        let by_names = parted(members, |member| self.names(group, member, key));
        let is_explained = |part: &Vec<usize>| {
            let Some((keys, all)) = self.problem(group, part, key) else { return false };
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            let is_other = |candidate: &&Candidate| candidate.part.path.root != key.name;
            let others: Vec<Candidate> = all.iter().filter(is_other).cloned().collect();
            solve(&keys, &others, Gaps::Forbidden).is_some_and(|pieces| {
                pieces.iter().any(|piece| matches!(piece, Piece::Attribute(_)))
            })
        };
        let fits = (2..=PARTS_MAX).contains(&by_names.len()) && by_names.iter().all(is_explained);
        fits.then_some(by_names)
    }

    /// Parts of members by the words that are their sort keys in the table, if each word occurs
    /// again: then they are names of kinds of items.
    fn by_word(&self, members: &[usize], key: &KeyAttribute) -> Option<Vec<Vec<usize>>> {
        self.table.sort_key.as_ref().filter(|sort| sort.name == key.name)?;
        let word = |member: usize| match self.items.get(member)?.get(&key.name) {
            Some(Value::String(text)) if is_word(text) => Some(text.as_str()),
            _ => None,
        };
        let parts = parted(members, word);
        let is_kind = |part: &Vec<usize>| {
            part.len() > 1 && part.first().is_some_and(|member| word(*member).is_some())
        };
        let fits = (2..=PARTS_MAX).contains(&parts.len()) && parts.iter().all(is_kind);
        fits.then_some(parts)
    }

    fn explained(
        &self,
        group: &Group,
        members: &[usize],
        keys: &[&str],
        pieces: &[Piece],
        candidates: &[Candidate],
    ) -> Option<Outcome> {
        let items: Vec<&Item> =
            members.iter().filter_map(|member| self.items.get(*member)).collect();
        let invented = invent(pieces, &items, &group.inventions);
        let template = template(pieces, candidates, &invented)?;
        let known = |(position, member): (usize, &usize)| -> Item {
            let mut known = self.items.get(*member).cloned().unwrap_or_default();
            known.extend(group.inventions.of(*member));
            known.extend(invented.iter().filter_map(|(part, values)| {
                Some((part.path.root.clone(), values.get(position)?.clone()))
            }));
            known
        };
        let builds = members.iter().enumerate().zip(keys).all(|((position, member), key)| {
            template.build(&known((position, member))) == Ok(Value::from(*key))
        });
        let named = invented.into_iter().map(|(part, values)| (part.path.root, values)).collect();
        builds.then_some(Outcome::Explained(template, named))
    }

    /// Whether a key of some members is longer than any table takes. Nobody looks for structure in
    /// those: the search takes time that grows faster than their length.
    fn is_beyond_limits(&self, members: &[usize], key: &KeyAttribute) -> bool {
        let mut items = members.iter().filter_map(|member| self.items.get(*member));
        items.any(|item| match item.get(&key.name) {
            Some(Value::String(text)) => text.len() > PARTITION_KEY_BYTES_MAX,
            _ => false,
        })
    }

    /// The keys of some members, and what may explain them. Nothing if one has no text there.
    fn problem(
        &self,
        group: &Group,
        members: &[usize],
        key: &KeyAttribute,
    ) -> Option<(Vec<String>, Vec<Candidate>)> {
        let items: Vec<&Item> =
            members.iter().filter_map(|member| self.items.get(*member)).collect();
        let text = |item: &&Item| match item.get(&key.name) {
            Some(Value::String(text)) => Some(text.clone()),
            _ => None,
        };
        let keys: Option<Vec<String>> = items.iter().map(text).collect();
        let keys = keys?;
        let texts: Vec<&str> = keys.iter().map(String::as_str).collect();
        let excluded = self.type_attribute.iter().map(|name| (*name).to_owned());
        let excluded: Vec<String> = excluded
            .chain(self.table.ttl.clone())
            .chain(group.built.clone())
            .chain(self.unsettled(group))
            .collect();
        let key_names: Vec<String> =
            self.places().iter().map(|(_, attribute)| attribute.name.clone()).collect();
        let invented: Vec<Item> = members
            .iter()
            .map(|member| group.inventions.of(*member).into_iter().collect())
            .collect();
        let sources = Sources {
            items: &items,
            excluded: &excluded,
            keys: &key_names,
            invented: &invented,
            prefixes: &self.prefixes,
        };
        let found = candidates(&sources, &key.name, &texts);
        Some((keys, found))
    }

    /// Keys that nothing is known of yet but that they are called after their role: these are built
    /// from keys that come before, not the other way round.
    fn unsettled(&self, group: &Group) -> impl Iterator<Item = String> {
        let places = self.places().into_iter();
        let unsettled = places.filter(|(place, key)| {
            is_named_after_role(&key.name) && !group.templates.contains_key(place)
        });
        let names: Vec<String> = unsettled.map(|(_, key)| key.name.clone()).collect();
        names.into_iter()
    }
}

/// Whether an attribute begins or ends inside a word. In the text of a property, such as an email
/// address, that is chance.
fn cuts_words(pieces: &[Piece]) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    pieces.windows(2).any(|pair| match pair {
        [Piece::Literal(text), Piece::Attribute(_)] => is_letter(text.chars().next_back()),
        [Piece::Attribute(_), Piece::Literal(text)] => is_letter(text.chars().next()),
        _ => false,
    })
}

/// Whether attributes explain all of a key: no gaps, and not the key itself.
fn is_complete(pieces: &[Piece], candidates: &[Candidate], key: &KeyAttribute) -> bool {
    pieces.iter().all(|piece| match piece {
        Piece::Literal(_) => true,
        Piece::Unknown(_) => false,
        Piece::Attribute(number) => {
            candidates.get(*number).is_some_and(|candidate| candidate.part.path.root != key.name)
        }
    })
}

/// Members by what a function says of them, in the order in which that first occurs.
fn parted<K: PartialEq>(members: &[usize], of: impl Fn(usize) -> K) -> Vec<Vec<usize>> {
    let mut parts: Vec<(K, Vec<usize>)> = Vec::new();
    for member in members {
        let kind = of(*member);
        match parts.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, part)) => part.push(*member),
            None => parts.push((kind, vec![*member])),
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}
