//! Parts of a diagram that nothing connects, beside and under one another.

/// Between parts.
const GAP: f64 = 36.0;
/// Rows are filled to this width at least.
const WIDTH: f64 = 1000.0;

/// A part of a diagram, as large as it is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Whether it begins a row even if there is room in the one before.
    pub(super) begins_row: bool,
}

/// The place of each of some blocks, and the size of the whole. They stay in order, from left to
/// right in rows.
pub(super) fn pack(blocks: &[Block]) -> (Vec<(f64, f64)>, (f64, f64)) {
    let widest = blocks.iter().map(|block| block.width).fold(0.0, f64::max);
    let limit = widest.max(WIDTH);
    let (mut left, mut top, mut row_height) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut places = Vec::new();
    let mut used = (0.0_f64, 0.0_f64);
    for Block { width, height, begins_row } in blocks {
        if left > 0.0 && (*begins_row || left + width > limit) {
            (left, top, row_height) = (0.0, top + row_height + GAP, 0.0);
        }
        places.push((left, top));
        used = (used.0.max(left + width), used.1.max(top + height));
        left += width + GAP;
        row_height = row_height.max(*height);
    }
    (places, used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_fill_a_row_and_then_the_next() {
        let block = |width, height| Block { width, height, begins_row: false };
        let (places, size) = pack(&[block(500.0, 100.0), block(400.0, 50.0), block(500.0, 80.0)]);
        assert_eq!(places, [(0.0, 0.0), (536.0, 0.0), (0.0, 136.0)]);
        assert_eq!(size, (936.0, 216.0));
    }

    #[test]
    fn a_block_may_begin_a_row() {
        let block = |begins_row| Block { width: 10.0, height: 10.0, begins_row };
        assert_eq!(pack(&[block(false), block(true)]).0, [(0.0, 0.0), (0.0, 46.0)]);
    }
}
