//! A place for every box and a path for every link.

use super::cluster::Cluster;
use super::diagram::Diagram;
use super::metrics::MARGIN;
use super::packing::{Block, pack};
use super::rank::{columns, without_cycles};

/// Where everything is, in pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The width of the whole.
    pub width: f64,
    /// The height of the whole.
    pub height: f64,
    /// The boxes, in the order of the diagram.
    pub boxes: Vec<Rect>,
    /// The points that each link passes, from its `from` to its `to`: the first and last lie on the
    /// boxes, and the path is level at each of them.
    pub paths: Vec<Vec<(f64, f64)>>,
}

/// Where a box is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Rect {
    /// Returns whether two share an area.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.left + other.width
            && other.left < self.left + self.width
            && self.top < other.top + other.height
            && other.top < self.top + self.height
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn middle(&self) -> f64 {
        self.top + self.height / 2.0
    }
}

/// Lays a diagram out.
pub fn lay_out(diagram: &Diagram) -> Layout {
    let count = diagram.boxes.len();
    let ends: Vec<(usize, usize)> = diagram.links.iter().map(|link| (link.from, link.to)).collect();
    let arcs = without_cycles(count, &ends);
    let column_of = columns(count, &arcs);
    let mut layout = Layout {
        width: 0.0,
        height: 0.0,
        boxes: vec![Rect::default(); count],
        paths: vec![Vec::new(); arcs.len()],
    };
    let mut members = connected(count, &ends);
    // Boxes without links stand together, below those that belong together.
    members.sort_by_key(|members| members.len() == 1);
    let clusters: Vec<Cluster<'_>> =
        members.iter().map(|members| Cluster::new(diagram, &arcs, &column_of, members)).collect();
    let first_single = members.iter().position(|members| members.len() == 1);
    let block = |(number, cluster): (usize, &Cluster<'_>)| {
        let (width, height) = cluster.size;
        Block { width, height, begins_row: first_single == Some(number) }
    };
    let blocks: Vec<Block> = clusters.iter().enumerate().map(block).collect();
    let (places, (width, height)) = pack(&blocks);
    for (cluster, (left, top)) in clusters.iter().zip(places) {
        cluster.write(&mut layout, left + MARGIN, top + MARGIN);
    }
    layout.width = width + 2.0 * MARGIN;
    layout.height = height + 2.0 * MARGIN;
    layout
}

/// The boxes that links connect, part by part, in the order of their first.
fn connected(count: usize, links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = (0..count).map(|number| vec![number]).collect();
    for (from, to) in links {
        let part_of = |number| parts.iter().position(|part| part.contains(number));
        let (Some(one), Some(other)) = (part_of(from), part_of(to)) else { continue };
        if one != other {
            let moved = parts.remove(one.max(other));
            if let Some(kept) = parts.get_mut(one.min(other)) {
                kept.extend(moved);
            }
        }
    }
    parts.iter_mut().for_each(|part| part.sort_unstable());
    parts
}
