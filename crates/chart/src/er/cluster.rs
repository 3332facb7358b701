//! Boxes that links connect, laid out on their own.

use super::column::{ColumnEntry, Columns, arrange};
use super::diagram::{Diagram, Link};
use super::layout::{Layout, Rect};
use super::metrics::{GAP, PORT, SLOT, box_size, channel_width};
use super::placement::{Wish, place};
use super::rank::Arc;

/// A part of the diagram that is connected, laid out on its own.
pub(super) struct Cluster<'d> {
    diagram: &'d Diagram,
    arcs: &'d [Arc],
    columns: Columns,
    /// Where things are: a rectangle for each place of each column.
    rects: Vec<Vec<Rect>>,
    pub(super) size: (f64, f64),
}

impl<'d> Cluster<'d> {
    pub(super) fn new(
        diagram: &'d Diagram,
        arcs: &'d [Arc],
        column_of: &[usize],
        numbers: &[usize],
    ) -> Cluster<'d> {
        let mut columns = arrange(column_of, arcs);
        let is_here = |place: &ColumnEntry| match place {
            ColumnEntry::Box(number) => numbers.contains(number),
            ColumnEntry::Passing(link) => {
                arcs.get(*link).is_some_and(|arc| numbers.contains(&arc.left))
            }
        };
        columns.columns.iter_mut().for_each(|column| column.retain(is_here));
        columns.pieces.retain(|piece| is_here(&piece.left));
        let mut cluster = Cluster { diagram, arcs, columns, rects: Vec::new(), size: (0.0, 0.0) };
        cluster.stack();
        cluster.settle();
        cluster.close();
        cluster
    }

    /// Sets the size of everything, and a first place below what comes before it.
    fn stack(&mut self) {
        let mut left = 0.0;
        for (number, column) in self.columns.columns.iter().enumerate() {
            let sizes: Vec<(f64, f64)> = column.iter().map(|place| self.size_of(*place)).collect();
            let width = sizes.iter().map(|(width, _)| *width).fold(0.0, f64::max);
            let mut top = 0.0;
            let mut rects = Vec::new();
            for (own, height) in sizes {
                // A link passes the whole width of the column, a box is as wide as it needs to be.
                let width = if own == 0.0 { width } else { own };
                rects.push(Rect { left, top, width, height });
                top += height + GAP;
            }
            self.rects.push(rects);
            if !column.is_empty() {
                left +=
                    width + channel_width(self.links_into(number + 1)) + self.loop_width(column);
            }
        }
    }

    fn size_of(&self, place: ColumnEntry) -> (f64, f64) {
        let ColumnEntry::Box(number) = place else { return (0.0, SLOT) };
        let Some(entity) = self.diagram.boxes.get(number) else { return (0.0, SLOT) };
        let outgoing = self.arcs.iter().filter(|arc| arc.left == number).count();
        let incoming = self.arcs.iter().filter(|arc| arc.right == number).count();
        box_size(entity, outgoing.max(incoming))
    }

    fn links_into(&self, column: usize) -> impl Iterator<Item = &'d Link> {
        let pieces = self.columns.pieces.iter();
        let into = pieces.filter(move |piece| piece.column + 1 == column);
        into.filter_map(|piece| self.diagram.links.get(piece.link))
    }

    /// The width that links of boxes to themselves take beside a column.
    fn loop_width(&self, column: &[ColumnEntry]) -> f64 {
        let is_loop =
            |arc: &Arc| arc.left == arc.right && column.contains(&ColumnEntry::Box(arc.left));
        if self.arcs.iter().any(is_loop) { 3.0 * PORT } else { 0.0 }
    }

    /// Moves everything towards its neighbours, to and fro.
    fn settle(&mut self) {
        const SWEEPS: usize = 10;
        for sweep in 0..SWEEPS {
            let count = self.rects.len();
            for step in 0..count {
                let column = if sweep % 2 == 0 { step } else { count - 1 - step };
                self.settle_column(column);
            }
        }
    }

    fn settle_column(&mut self, column: usize) {
        let Some(places) = self.columns.columns.get(column) else { return };
        let wishes: Vec<Wish> = places
            .iter()
            .filter_map(|place| {
                let rect = self.rect(column, *place)?;
                let middle = self.mean_neighbour(column, *place).unwrap_or(rect.middle());
                let gap = if matches!(place, ColumnEntry::Box(_)) { GAP } else { SLOT };
                Some(Wish { height: rect.height, gap, top: middle - rect.height / 2.0 })
            })
            .collect();
        let tops = place(&wishes);
        for (rect, top) in self.rects.get_mut(column).into_iter().flatten().zip(tops) {
            rect.top = top;
        }
    }

    fn rect(&self, column: usize, place: ColumnEntry) -> Option<Rect> {
        let position = self.columns.position(column, place)?;
        self.rects.get(column)?.get(position).copied()
    }

    fn mean_neighbour(&self, column: usize, place: ColumnEntry) -> Option<f64> {
        let middles: Vec<f64> = self
            .columns
            .pieces
            .iter()
            .filter_map(|piece| {
                if piece.column == column && piece.left == place {
                    self.rect(column + 1, piece.right)
                } else if piece.column + 1 == column && piece.right == place {
                    self.rect(piece.column, piece.left)
                } else {
                    None
                }
            })
            .map(|rect| rect.middle())
            .collect();
        (!middles.is_empty()).then(|| middles.iter().sum::<f64>() / middles.len() as f64)
    }

    /// Moves the part to the upper left corner, and measures it.
    fn close(&mut self) {
        let all = || self.rects.iter().flatten();
        let top = all().map(|rect| rect.top).fold(f64::INFINITY, f64::min);
        let left = all().map(|rect| rect.left).fold(f64::INFINITY, f64::min);
        for rect in self.rects.iter_mut().flatten() {
            rect.top -= top;
            rect.left -= left;
        }
        let last = self.columns.columns.iter().rev().find(|column| !column.is_empty());
        let beside = last.map_or(0.0, |column| self.loop_width(column));
        let all = || self.rects.iter().flatten();
        let width = all().map(Rect::right).fold(0.0, f64::max);
        let height = all().map(|rect| rect.top + rect.height).fold(0.0, f64::max);
        self.size = (width + beside, height);
    }

    /// Writes the part into the layout, at a place.
    pub(super) fn write(&self, layout: &mut Layout, left: f64, top: f64) {
        let moved = |rect: Rect| Rect { left: rect.left + left, top: rect.top + top, ..rect };
        for (column, places) in self.columns.columns.iter().enumerate() {
            for place in places {
                if let (ColumnEntry::Box(number), Some(rect)) = (place, self.rect(column, *place))
                    && let Some(target) = layout.boxes.get_mut(*number)
                {
                    *target = moved(rect);
                }
            }
        }
        for link in 0..self.arcs.len() {
            let points = self.path(link);
            if let (false, Some(path)) = (points.is_empty(), layout.paths.get_mut(link)) {
                *path = points.into_iter().map(|(x, y)| (x + left, y + top)).collect();
            }
        }
    }

    /// The points of a link: where it leaves a box, the edges of columns that it passes, where it
    /// reaches a box.
    fn path(&self, link: usize) -> Vec<(f64, f64)> {
        let Some(arc) = self.arcs.get(link) else { return Vec::new() };
        if arc.left == arc.right {
            return self.loop_path(link, arc.left);
        }
        let mut points = Vec::new();
        for piece in self.columns.pieces.iter().filter(|piece| piece.link == link) {
            let left = self.rect(piece.column, piece.left);
            let right = self.rect(piece.column + 1, piece.right);
            let (Some(left), Some(right)) = (left, right) else { continue };
            let leaves = match piece.left {
                ColumnEntry::Box(number) => self.port(number, left, link, PortSide::Right),
                ColumnEntry::Passing(_) => left.middle(),
            };
            let reaches = match piece.right {
                ColumnEntry::Box(number) => self.port(number, right, link, PortSide::Left),
                ColumnEntry::Passing(_) => right.middle(),
            };
            points.push((left.right(), leaves));
            points.push((right.left, reaches));
        }
        let is_turned = self.diagram.links.get(link).is_some_and(|drawn| drawn.from != arc.left);
        if is_turned {
            points.reverse();
        }
        points
    }

    /// A link of a box to itself leaves and reaches it on the right.
    fn loop_path(&self, link: usize, number: usize) -> Vec<(f64, f64)> {
        let column = self
            .columns
            .columns
            .iter()
            .position(|places| places.contains(&ColumnEntry::Box(number)));
        let rect = column.and_then(|column| self.rect(column, ColumnEntry::Box(number)));
        let Some(rect) = rect else { return Vec::new() };
        let middle = self.port(number, rect, link, PortSide::Right);
        vec![(rect.right(), middle - PORT / 2.0), (rect.right(), middle + PORT / 2.0)]
    }

    /// How far down a link meets a box: links of one side share it evenly, in the order of their
    /// other ends.
    fn port(&self, number: usize, rect: Rect, link: usize, side: PortSide) -> f64 {
        let mut others: Vec<(f64, usize)> = Vec::new();
        for (other, arc) in self.arcs.iter().enumerate() {
            let is_loop = arc.left == arc.right;
            let meets = match side {
                PortSide::Right => arc.left == number,
                PortSide::Left => arc.right == number && !is_loop,
            };
            if meets {
                let height =
                    if is_loop { f64::INFINITY } else { self.next_height(other, number, side) };
                others.push((height, other));
            }
        }
        others.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let place = others.iter().position(|(_, other)| *other == link).unwrap_or_default();
        rect.top + rect.height * (place + 1) as f64 / (others.len() + 1) as f64
    }

    /// How far down the next place is that a link leads to from a box.
    fn next_height(&self, link: usize, number: usize, side: PortSide) -> f64 {
        let own = ColumnEntry::Box(number);
        let mut pieces = self.columns.pieces.iter().filter(|piece| piece.link == link);
        let next = pieces.find_map(|piece| match side {
            PortSide::Right if piece.left == own => self.rect(piece.column + 1, piece.right),
            PortSide::Left if piece.right == own => self.rect(piece.column, piece.left),
            PortSide::Right | PortSide::Left => None,
        });
        next.map_or(0.0, |rect| rect.middle())
    }
}

/// The side of a box that a link meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PortSide {
    Left,
    Right,
}
