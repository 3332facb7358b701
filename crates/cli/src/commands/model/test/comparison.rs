//! Compares the rows that came with those that were expected.

use monotable_item::Item;
use monotable_model::document::{Entity, ExpectedRow, Model, Pattern};
use monotable_model::recognition::{Recognition, Recognizer, View, model_attributes};
use monotable_plan::value_text;

use crate::commands::model::player::Row;

/// Whether rows have to come in the order in which they are expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowOrder {
    AsExpected,
    Any,
}

/// A line of the difference between what was expected and what came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DifferenceLine {
    /// Was expected and came.
    Both(String),
    /// Was expected and did not come.
    Expected(String),
    /// Came and was not expected.
    Found(String),
}

/// A row that came, as one of each entity that it can be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FoundRow {
    readings: Vec<Reading>,
}

/// A row as one of an entity.
#[derive(Debug, Clone, PartialEq)]
struct Reading {
    entity: String,
    /// The entity that this is a variant of. What is expected of that is expected of the variant.
    base: Option<String>,
    /// The attributes by their names in the model, those that stand in the key alone included.
    attributes: Item,
    /// The attributes that make up the key.
    key: Vec<String>,
}

impl FoundRow {
    /// A row that a pattern brought. A row without a whole key, such as one of a projection, can be
    /// of each entity of the pattern.
    pub(super) fn new(model: &Model, pattern: &Pattern, row: &Row) -> FoundRow {
        let recognizer = row.table_of(model).map(|table| Recognizer::new(model, table));
        let recognised = recognizer.as_ref().map(|recognizer| recognizer.recognise(&row.item));
        let entities: Vec<&Entity> = match recognised {
            Some(Recognition::Known(entity)) => vec![entity],
            Some(Recognition::Undecided(entities)) => entities,
            Some(Recognition::Unknown) | None => Vec::new(),
        };
        let views = recognizer.iter().flat_map(|recognizer| recognizer.candidates(&row.item));
        let is_meant =
            |view: &View<'_>| entities.iter().any(|entity| entity.name == view.form().entity.name);
        let mut readings: Vec<Reading> =
            views.filter(is_meant).map(|view| of_view(&view)).collect();
        if readings.is_empty() {
            let possible = pattern.all_entities().filter_map(|name| model.entity(name));
            let of_entity =
                |entity: &Entity| reading(entity, model_attributes(Some(entity), &row.item));
            readings = possible.map(of_entity).collect();
        }
        FoundRow { readings }
    }

    fn fits(&self, expected: &ExpectedRow) -> bool {
        self.readings.iter().any(|reading| {
            let is_entity = reading.is_of(&expected.entity);
            let has = |(name, value)| reading.attributes.get(name) == Some(value);
            is_entity && expected.attributes.iter().all(has)
        })
    }

    /// The row with the attributes that are expected of rows of its entity or, if none are, with
    /// those of its key.
    fn text(&self, expected: &[ExpectedRow]) -> String {
        let asked = |reading: &&Reading| expected.iter().any(|row| reading.is_of(&row.entity));
        let Some(reading) = self.readings.iter().find(asked).or(self.readings.first()) else {
            return "a row of no entity".to_owned();
        };
        let of_entity = expected.iter().filter(|row| reading.is_of(&row.entity));
        let mut names: Vec<&String> = Vec::new();
        for name in of_entity.flat_map(|row| row.attributes.keys()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            names = reading.key.iter().collect();
        }
        let named = names.into_iter().filter_map(|name| reading.attributes.get_key_value(name));
        row_text(&reading.entity, named)
    }
}

impl Reading {
    fn is_of(&self, entity: &str) -> bool {
        self.entity == entity || self.base.as_deref() == Some(entity)
    }
}

fn of_view(view: &View<'_>) -> Reading {
    let entity = view.form().entity;
    let names = entity.attributes.iter().map(|attribute| &attribute.name);
    let given = names.filter_map(|name| Some((name.clone(), view.get(name)?.clone())));
    reading(entity, given.collect())
}

fn reading(entity: &Entity, attributes: Item) -> Reading {
    let roots = entity.key_roots();
    let names = entity.attributes.iter().map(|attribute| attribute.name.clone());
    Reading {
        entity: entity.name.clone(),
        base: entity.variant_of.clone(),
        attributes,
        key: names.filter(|name| roots.contains(name.as_str())).collect(),
    }
}

/// A row as a model writes it: `Order { Status = "PLACED" }`.
fn row_text<'a>(
    entity: &str,
    attributes: impl Iterator<Item = (&'a String, &'a monotable_item::Value)>,
) -> String {
    let pairs: Vec<String> =
        attributes.map(|(name, value)| format!("{name} = {}", value_text(value))).collect();
    if pairs.is_empty() {
        return entity.to_owned();
    }
    format!("{entity} {{ {} }}", pairs.join(", "))
}

/// The difference between what was expected and what came, if there is one.
pub(super) fn compare(
    expected: &[ExpectedRow],
    found: &[FoundRow],
    order: RowOrder,
) -> Option<Vec<DifferenceLine>> {
    let pairs = match order {
        RowOrder::AsExpected => in_order(expected, found),
        RowOrder::Any => in_any_order(expected, found),
    };
    if pairs.len() == expected.len() && pairs.len() == found.len() {
        return None;
    }
    Some(lines(expected, found, &pairs))
}

/// The rows that are the same, as positions: the most that keep the order of both sides.
fn in_order(expected: &[ExpectedRow], found: &[FoundRow]) -> Vec<(usize, usize)> {
    // longest[i][j]: how many rows from the i-th expected and the j-th found row on are the same.
    let mut longest = vec![vec![0_usize; found.len() + 1]; expected.len() + 1];
    let at = |longest: &[Vec<usize>], i: usize, j: usize| {
        longest.get(i).and_then(|row| row.get(j)).copied().unwrap_or_default()
    };
    for (i, wanted) in expected.iter().enumerate().rev() {
        for (j, row) in found.iter().enumerate().rev() {
            let with = if row.fits(wanted) { at(&longest, i + 1, j + 1) + 1 } else { 0 };
            let without = at(&longest, i + 1, j).max(at(&longest, i, j + 1));
            if let Some(cell) = longest.get_mut(i).and_then(|row| row.get_mut(j)) {
                *cell = with.max(without);
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while let (Some(wanted), Some(row)) = (expected.get(i), found.get(j)) {
        let here = at(&longest, i, j);
        if row.fits(wanted) && here == at(&longest, i + 1, j + 1) + 1 {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if at(&longest, i + 1, j) >= at(&longest, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// The rows that are the same, as positions: as many pairs as there can be. A row that little is
/// expected of gives way to one that needs its partner.
fn in_any_order(expected: &[ExpectedRow], found: &[FoundRow]) -> Vec<(usize, usize)> {
    let mut partners: Vec<Option<usize>> = vec![None; found.len()];
    for position in 0..expected.len() {
        let mut tried = vec![false; found.len()];
        find_partner(position, expected, found, &mut partners, &mut tried);
    }
    let pairs = partners.iter().enumerate();
    let mut pairs: Vec<(usize, usize)> =
        pairs.filter_map(|(row, partner)| Some(((*partner)?, row))).collect();
    pairs.sort_unstable();
    pairs
}

fn find_partner(
    position: usize,
    expected: &[ExpectedRow],
    found: &[FoundRow],
    partners: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    let Some(wanted) = expected.get(position) else { return false };
    for (index, row) in found.iter().enumerate() {
        let is_tried = tried.get(index).copied().unwrap_or(true);
        if is_tried || !row.fits(wanted) {
            continue;
        }
        tried.get_mut(index).into_iter().for_each(|seen| *seen = true);
        let is_free = match partners.get(index).copied().flatten() {
            None => true,
            Some(other) => find_partner(other, expected, found, partners, tried),
        };
        if is_free {
            partners.get_mut(index).into_iter().for_each(|partner| *partner = Some(position));
            return true;
        }
    }
    false
}

/// All rows of both sides, what is missing before what came in its place.
fn lines(
    expected: &[ExpectedRow],
    found: &[FoundRow],
    pairs: &[(usize, usize)],
) -> Vec<DifferenceLine> {
    let is_in_pair = |row: usize| pairs.iter().any(|(_, other)| *other == row);
    let mut lines = Vec::new();
    let mut next_found = 0;
    for (position, wanted) in expected.iter().enumerate() {
        let text = row_text(&wanted.entity, wanted.attributes.iter());
        let Some((_, row)) = pairs.iter().find(|(other, _)| *other == position) else {
            lines.push(DifferenceLine::Expected(text));
            continue;
        };
        surplus(&mut lines, expected, found, next_found..*row, is_in_pair);
        next_found = next_found.max(row + 1);
        lines.push(DifferenceLine::Both(text));
    }
    surplus(&mut lines, expected, found, next_found..found.len(), is_in_pair);
    lines
}

/// Adds the rows of a range that nobody expected.
fn surplus(
    lines: &mut Vec<DifferenceLine>,
    expected: &[ExpectedRow],
    found: &[FoundRow],
    range: std::ops::Range<usize>,
    is_in_pair: impl Fn(usize) -> bool,
) {
    for (index, row) in found.iter().enumerate() {
        if range.contains(&index) && !is_in_pair(index) {
            lines.push(DifferenceLine::Found(row.text(expected)));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use monotable_item::Value;

    use super::*;

    fn item(number: Option<i64>) -> Item {
        number.map(|number| ("n".to_owned(), Value::from(number))).into_iter().collect()
    }

    fn expected(rows: &[(&str, Option<i64>)]) -> Vec<ExpectedRow> {
        let row = |(entity, number): &(&str, Option<i64>)| ExpectedRow {
            entity: (*entity).to_owned(),
            attributes: item(*number),
        };
        rows.iter().map(row).collect()
    }

    fn found(rows: &[(&str, i64)]) -> Vec<FoundRow> {
        let row = |(entity, number): &(&str, i64)| FoundRow {
            readings: vec![Reading {
                entity: (*entity).to_owned(),
                base: Some("Base".to_owned()),
                attributes: item(Some(*number)),
                key: vec!["n".to_owned()],
            }],
        };
        rows.iter().map(row).collect()
    }

    #[track_caller]
    fn check(wanted: &[(&str, Option<i64>)], came: &[(&str, i64)], order: RowOrder, want: &Expect) {
        let lines = compare(&expected(wanted), &found(came), order).unwrap_or_default();
        let line = |line: &DifferenceLine| match line {
            DifferenceLine::Both(text) => format!("  {text}\n"),
            DifferenceLine::Expected(text) => format!("- {text}\n"),
            DifferenceLine::Found(text) => format!("+ {text}\n"),
        };
        want.assert_eq(&lines.iter().map(line).collect::<String>());
    }

    #[test]
    fn rows_that_have_what_is_named_are_the_same() {
        let came = [("A", 1), ("B", 2)];
        check(&[("A", Some(1)), ("B", None)], &came, RowOrder::AsExpected, &expect![""]);
        check(&[("B", None), ("A", Some(1))], &came, RowOrder::Any, &expect![""]);
        check(&[("Base", None), ("Base", Some(2))], &came, RowOrder::AsExpected, &expect![""]);
    }

    #[test]
    fn what_is_missing_stands_before_what_came_instead() {
        check(
            &[("A", Some(1)), ("A", Some(2)), ("A", Some(3))],
            &[("A", 1), ("A", 9), ("A", 3), ("B", 4)],
            RowOrder::AsExpected,
            &expect![[r#"
                  A { n = 1 }
                - A { n = 2 }
                + A { n = 9 }
                  A { n = 3 }
                + B { n = 4 }
            "#]],
        );
    }

    #[test]
    fn another_order_is_a_difference_only_where_there_is_one() {
        let (wanted, came) = ([("A", Some(1)), ("A", Some(2))], [("A", 2), ("A", 1)]);
        check(&wanted, &came, RowOrder::Any, &expect![""]);
        check(
            &wanted,
            &came,
            RowOrder::AsExpected,
            &expect![[r#"
                - A { n = 1 }
                  A { n = 2 }
                + A { n = 1 }
            "#]],
        );
    }

    #[test]
    fn a_row_of_which_little_is_expected_leaves_the_right_one_to_others() {
        check(&[("A", None), ("A", Some(1))], &[("A", 1), ("A", 2)], RowOrder::Any, &expect![""]);
    }
}
