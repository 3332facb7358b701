//! The changes of a patch, by field, and the update expression that they become.
//!
//! A field may be changed more than once, as far as the database can do all of it in one update:
//! what is added is added up, members of sets are put together, and places inside of a map or list
//! change each for itself.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use monotable_item::{Number, Value};

use crate::change::Change;
use crate::condition::Term;
use crate::expression::Placeholders;
use crate::nested_change::PathStep;
use crate::schema::AttributeDefinition;

/// The changes of each field, by its name.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    of_fields: BTreeMap<&'static str, Vec<Change>>,
    /// The first field of which two changes cannot happen together.
    pub(super) clash: Option<&'static str>,
}

/// What two changes of one field are together.
enum Together {
    One(Change),
    /// They are about different places inside of the field.
    Apart,
    /// They cannot happen in one update.
    Clash,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.of_fields.is_empty()
    }

    pub(super) fn contains(&self, field: &str) -> bool {
        self.of_fields.contains_key(field)
    }

    /// Changes a field, in addition to what it is changed already.
    pub(super) fn add(&mut self, field: &'static str, change: Change) {
        let changes = self.of_fields.entry(field).or_default();
        for known in changes.iter_mut() {
            match together(known, &change) {
                Together::One(both) => {
                    *known = both;
                    return;
                }
                Together::Apart => {}
                Together::Clash => {
                    self.clash.get_or_insert(field);
                    return;
                }
            }
        }
        changes.push(change);
    }

    /// Changes a field, and in no other way.
    pub(super) fn replace(&mut self, field: &'static str, change: Change) {
        self.of_fields.insert(field, vec![change]);
    }

    /// The fields, with their changes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &[Change])> {
        self.of_fields.iter().map(|(field, changes)| (*field, changes.as_slice()))
    }

    /// The fields that become a value, whatever they were.
    pub(super) fn set_fields(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.iter().filter_map(|(field, changes)| match changes {
            [Change::Set(value)] => Some((field, value)),
            _ => None,
        })
    }

    /// What a field is to be, or to be if it is missing.
    pub(super) fn whole_values(&self, field: &str) -> impl Iterator<Item = &Value> {
        let changes = self.of_fields.get(field).into_iter().flatten();
        changes.filter_map(|change| match change {
            Change::Set(value) | Change::SetIfMissing(value) => Some(value),
            _ => None,
        })
    }

    /// The conditions that what is added to a field leaves it a number of its type. A missing one
    /// counts as zero.
    pub(super) fn bounds_of(&self, field: &AttributeDefinition) -> Vec<Term> {
        let changes = self.of_fields.get(field.name).into_iter().flatten();
        changes.filter_map(|change| within(field, change)).collect()
    }
}

fn within(field: &AttributeDefinition, change: &Change) -> Option<Term> {
    let added = match change {
        Change::Add(Value::Number(added)) => added,
        Change::AddAt(path, Value::Number(added)) if path.is_empty() => added,
        _ => return None,
    };
    let (limit, operator) = match added.cmp(&Number::ZERO) {
        Ordering::Less => (field.bounds.least?, ">="),
        Ordering::Greater => (field.bounds.greatest?, "<="),
        Ordering::Equal => return None,
    };
    let limit = Number::from(limit);
    let compared = Value::Number(limit.checked_sub(added).ok()?);
    let is_within = Term::Compare(field.stored_name, operator, compared);
    let is_zero_within = if operator == ">=" { *added >= limit } else { *added <= limit };
    if !is_zero_within {
        return Some(is_within);
    }
    Some(Term::Any(vec![Term::Missing(field.stored_name), is_within]))
}

fn together(first: &Change, second: &Change) -> Together {
    match (first, second) {
        (Change::Unstorable, _) | (_, Change::Unstorable) => Together::One(Change::Unstorable),
        (Change::Add(first), Change::Add(second)) => sum(first, second, Change::Add),
        (Change::Delete(first), Change::Delete(second)) => union(first, second, Change::Delete),
        (Change::AddAt(path, first), Change::AddAt(other, second)) if path == other => {
            sum(first, second, |value| Change::AddAt(path.clone(), value))
        }
        (first, second) if first == second => Together::One(first.clone()),
        (first, second) => match (path(first), path(second)) {
            (Some(first), Some(second)) if are_apart(first, second) => Together::Apart,
            _ => Together::Clash,
        },
    }
}

/// Where in the attribute a change is; nothing for one of the whole attribute.
fn path(change: &Change) -> Option<&[PathStep]> {
    match change {
        Change::SetAt(path, _) | Change::AddAt(path, _) | Change::RemoveAt(path) => Some(path),
        _ => None,
    }
}

/// Whether neither path is in the other: somewhere they lead to different members of one map, or
/// to different elements of one list.
fn are_apart(first: &[PathStep], second: &[PathStep]) -> bool {
    match first.iter().zip(second).find(|(first, second)| first != second) {
        Some((PathStep::Member(_), PathStep::Member(_))) => true,
        Some((PathStep::Element(_), PathStep::Element(_))) => true,
        Some(_) | None => false,
    }
}

fn sum(first: &Value, second: &Value, change: impl FnOnce(Value) -> Change) -> Together {
    match (first, second) {
        (Value::Number(first), Value::Number(second)) => {
            let sum = first.checked_add(second);
            Together::One(sum.map_or(Change::Unstorable, |sum| change(Value::Number(sum))))
        }
        _ => union(first, second, change),
    }
}

fn union(first: &Value, second: &Value, change: impl FnOnce(Value) -> Change) -> Together {
    Together::One(change(match (first, second) {
        (Value::StringSet(first), Value::StringSet(second)) => {
            Value::StringSet(members(first, second))
        }
        (Value::NumberSet(first), Value::NumberSet(second)) => {
            Value::NumberSet(members(first, second))
        }
        (Value::BinarySet(first), Value::BinarySet(second)) => {
            Value::BinarySet(members(first, second))
        }
        _ => return Together::Clash,
    }))
}

fn members<T: Clone + PartialEq>(first: &[T], second: &[T]) -> Vec<T> {
    let others = second.iter().filter(|member| !first.contains(member));
    first.iter().chain(others).cloned().collect()
}

/// Writes the clauses of an update expression.
pub(in crate::db) fn write_update(
    changes: &BTreeMap<String, Vec<Change>>,
    placeholders: &mut Placeholders,
) -> String {
    let mut clauses: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, changes) in changes {
        let name = placeholders.name(name);
        for change in changes {
            let (clause, action) = write_change(&name, change, placeholders);
            clauses.entry(clause).or_default().push(action);
        }
    }
    let texts = clauses.iter().map(|(clause, actions)| format!("{clause} {}", actions.join(", ")));
    texts.collect::<Vec<_>>().join(" ")
}

/// The clause that a change belongs to, and what stands there.
fn write_change(
    name: &str,
    change: &Change,
    placeholders: &mut Placeholders,
) -> (&'static str, String) {
    let mut put = |value: &Value| placeholders.value(value.clone());
    match change {
        Change::Set(value) => ("SET", format!("{name} = {}", put(value))),
        Change::Remove | Change::Unstorable => ("REMOVE", name.to_owned()),
        Change::Add(value) => ("ADD", format!("{name} {}", put(value))),
        Change::Delete(value) => ("DELETE", format!("{name} {}", put(value))),
        Change::SetIfMissing(value) => {
            ("SET", format!("{name} = if_not_exists({name}, {})", put(value)))
        }
        Change::SetAt(steps, value) => {
            let path = placeholders.path(name, steps);
            ("SET", format!("{path} = {}", placeholders.value(value.clone())))
        }
        Change::AddAt(steps, value) => {
            let path = placeholders.path(name, steps);
            ("SET", format!("{path} = {path} + {}", placeholders.value(value.clone())))
        }
        Change::RemoveAt(steps) => ("REMOVE", placeholders.path(name, steps)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::change::{ChangeOf, add, insert, remove, sub};
    use crate::nested_change::{element, increase, insert_all, member};

    type Tags = BTreeSet<String>;
    type Members = BTreeMap<String, u32>;

    fn update(changes: impl IntoIterator<Item = Change>) -> Result<String, &'static str> {
        let mut of_field = Changes::default();
        changes.into_iter().for_each(|change| of_field.add("it", change));
        if let Some(field) = of_field.clash {
            return Err(field);
        }
        let mut placeholders = Placeholders::default();
        let stored = of_field.iter().map(|(field, changes)| (field.to_owned(), changes.to_vec()));
        let mut text = write_update(&stored.collect(), &mut placeholders);
        for (placeholder, name) in &placeholders.names {
            text = text.replace(placeholder, name);
        }
        for (placeholder, value) in &placeholders.values {
            let value = match value {
                Value::Number(number) => number.to_string(),
                Value::StringSet(members) => format!("{members:?}"),
                other => format!("{other:?}"),
            };
            text = text.replace(placeholder, &value);
        }
        Ok(text)
    }

    #[test]
    fn what_is_added_twice_is_added_up() {
        let added =
            update([ChangeOf::<u32>::change(add(2_u32)), ChangeOf::<u32>::change(sub(5_u32))]);
        assert_eq!(added.as_deref(), Ok("ADD it -3"));
        let inside = [member("a").add(2_u32), member("a").add(3_u32), member("b").add(1_u32)];
        let inside = update(inside.map(ChangeOf::<Members>::change));
        assert_eq!(inside.as_deref(), Ok("SET it.a = it.a + 5, it.b = it.b + 1"));
        let there = [increase(1_u32), increase(1_u32)].map(ChangeOf::<u32>::change);
        assert_eq!(update(there).as_deref(), Ok("SET it = it + 2"));
    }

    #[test]
    fn members_of_a_set_are_put_together() {
        let inserted = [insert("a"), insert("b"), insert("a")].map(ChangeOf::<Tags>::change);
        assert_eq!(update(inserted).as_deref(), Ok(r#"ADD it ["a", "b"]"#));
        let all = ChangeOf::<Tags>::change(insert_all(BTreeSet::from(["c".to_owned()])));
        let inserted = update([ChangeOf::<Tags>::change(insert("a")), all]);
        assert_eq!(inserted.as_deref(), Ok(r#"ADD it ["a", "c"]"#));
        let removed = [remove("a"), remove("b")].map(ChangeOf::<Tags>::change);
        assert_eq!(update(removed).as_deref(), Ok(r#"DELETE it ["a", "b"]"#));
    }

    #[test]
    fn places_that_lie_apart_change_each_for_itself() {
        let places = [
            member("a").set(1_u32),
            member("b").element(0).set(2_u32),
            member("b").element(1).remove(),
        ];
        let places = update(places.map(ChangeOf::<Members>::change));
        assert_eq!(places.as_deref(), Ok("REMOVE it.b[1] SET it.a = 1, it.b[0] = 2"));
    }

    #[test]
    fn changes_that_cannot_happen_together_clash() {
        let nested = |first, second| update([first, second].map(ChangeOf::<Members>::change));
        assert_eq!(nested(member("a").set(1_u32), member("a").set(2_u32)), Err("it"));
        assert_eq!(nested(member("a").set(1_u32), member("a").member("b").remove()), Err("it"));
        assert_eq!(nested(member("a").remove(), element(0).remove()), Err("it"));
        assert!(nested(member("a").remove(), member("a").remove()).is_ok());

        let tags = [ChangeOf::<Tags>::change(insert("a")), ChangeOf::<Tags>::change(remove("b"))];
        assert_eq!(update(tags), Err("it"));
        let set = |number: u32| ChangeOf::<u32>::change(number);
        assert_eq!(update([set(1), set(2)]), Err("it"));
        assert_eq!(update([set(1), ChangeOf::<u32>::change(add(1_u32))]), Err("it"));
        assert_eq!(update([set(1), set(1)]).as_deref(), Ok("SET it = 1"));
    }
}
