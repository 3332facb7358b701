//! The order in each column.

use super::rank::Arc;

/// What a column contains: a box, or a link that passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnEntry {
    /// The box of this number.
    Box(usize),
    /// The link of this number.
    Passing(usize),
}

/// A piece of a link from one column to the next, by places in the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// The link that it is a piece of.
    pub(super) link: usize,
    /// The column that it begins at.
    pub(super) column: usize,
    pub(super) left: ColumnEntry,
    pub(super) right: ColumnEntry,
}

/// Columns from left to right, each from top to bottom, and the pieces of links between them.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    pub(super) columns: Vec<Vec<ColumnEntry>>,
    pub(super) pieces: Vec<Piece>,
}

/// How many passes are made over the columns. More changes nothing in diagrams of this size.
const SWEEPS: usize = 12;

/// Puts boxes into columns in an order in which few links cross.
pub(super) fn arrange(column_of: &[usize], arcs: &[Arc]) -> Columns {
    let mut columns = in_file_order(column_of, arcs);
    let mut best = columns.clone();
    for sweep in 0..SWEEPS {
        columns.sweep(if sweep % 2 == 0 { Side::Left } else { Side::Right });
        if columns.crossings() < best.crossings() {
            best = columns.clone();
        }
    }
    best
}

/// The side that neighbours are looked at on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

fn in_file_order(column_of: &[usize], arcs: &[Arc]) -> Columns {
    let count = column_of.iter().max().map_or(0, |last| last + 1);
    let mut columns = vec![Vec::new(); count];
    for (number, column) in column_of.iter().enumerate() {
        push(&mut columns, *column, ColumnEntry::Box(number));
    }
    let mut pieces = Vec::new();
    for (link, arc) in arcs.iter().enumerate() {
        let (Some(first), Some(last)) = (column_of.get(arc.left), column_of.get(arc.right)) else {
            continue;
        };
        let mut left = ColumnEntry::Box(arc.left);
        for column in *first..*last {
            let is_last = column + 1 == *last;
            let right =
                if is_last { ColumnEntry::Box(arc.right) } else { ColumnEntry::Passing(link) };
            if !is_last {
                push(&mut columns, column + 1, right);
            }
            pieces.push(Piece { link, column, left, right });
            left = right;
        }
    }
    Columns { columns, pieces }
}

fn push(columns: &mut [Vec<ColumnEntry>], column: usize, place: ColumnEntry) {
    if let Some(column) = columns.get_mut(column) {
        column.push(place);
    }
}

impl Columns {
    /// Sorts each column by the mean place of the neighbours on one side.
    fn sweep(&mut self, side: Side) {
        let count = self.columns.len();
        let order: Vec<usize> = match side {
            Side::Left => (1..count).collect(),
            Side::Right => (0..count.saturating_sub(1)).rev().collect(),
        };
        for column in order {
            let Some(places) = self.columns.get(column) else { continue };
            let mut keyed: Vec<(f64, ColumnEntry)> = places
                .iter()
                .enumerate()
                .map(|(at, place)| {
                    (self.mean_neighbour(column, *place, side).unwrap_or(at as f64), *place)
                })
                .collect();
            keyed.sort_by(|(left, _), (right, _)| left.total_cmp(right));
            if let Some(places) = self.columns.get_mut(column) {
                *places = keyed.into_iter().map(|(_, place)| place).collect();
            }
        }
    }

    fn mean_neighbour(&self, column: usize, place: ColumnEntry, side: Side) -> Option<f64> {
        let places: Vec<f64> = self
            .pieces
            .iter()
            .filter_map(|piece| match side {
                Side::Left if piece.column + 1 == column && piece.right == place => {
                    self.position(piece.column, piece.left)
                }
                Side::Right if piece.column == column && piece.left == place => {
                    self.position(column + 1, piece.right)
                }
                Side::Left | Side::Right => None,
            })
            .map(|position| position as f64)
            .collect();
        (!places.is_empty()).then(|| places.iter().sum::<f64>() / places.len() as f64)
    }

    /// The place from the top.
    pub(super) fn position(&self, column: usize, place: ColumnEntry) -> Option<usize> {
        self.columns.get(column)?.iter().position(|other| *other == place)
    }

    /// How many pairs of pieces cross.
    fn crossings(&self) -> usize {
        let ends = |piece: &Piece| {
            (
                piece.column,
                self.position(piece.column, piece.left),
                self.position(piece.column + 1, piece.right),
            )
        };
        let ends: Vec<_> = self.pieces.iter().map(ends).collect();
        let crosses =
            |(one, left, right): &(usize, Option<usize>, Option<usize>),
             (other, other_left, other_right): &(usize, Option<usize>, Option<usize>)| {
                one == other && (left < other_left && right > other_right)
            };
        ends.iter().map(|one| ends.iter().filter(|other| crosses(one, other)).count()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_need_not_cross_do_not() {
        let arcs = [(0, 3), (1, 2)].map(|(left, right)| Arc { left, right });
        assert_eq!(arrange(&[0, 0, 1, 1], &arcs).crossings(), 0);
    }

    #[test]
    fn a_long_link_has_a_place_in_each_column_that_it_passes() {
        let arcs = [(0, 1), (1, 2), (0, 2)].map(|(left, right)| Arc { left, right });
        let columns = arrange(&[0, 1, 2], &arcs);
        assert_eq!(columns.columns[1].len(), 2);
        assert!(columns.columns[1].contains(&ColumnEntry::Passing(2)));
    }
}
