//! Parts of a diagram that nothing connects, beside and under one another.

/// Between parts.
const GAP: f64 = 36.0;
/// Rows are filled to this width.
const WIDTH: f64 = 1100.0;

/// The place of each of some parts with these sizes, and the size of the whole. Parts stay in order, from left to
/// right in rows.
pub(super) fn pack(sizes: &[(f64, f64)]) -> (Vec<(f64, f64)>, (f64, f64)) {
    let widest = sizes.iter().map(|(width, _)| *width).fold(0.0, f64::max);
    let limit = widest.max(WIDTH);
    let (mut left, mut top, mut row_height) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut places = Vec::new();
    let mut used = (0.0_f64, 0.0_f64);
    for (width, height) in sizes {
        if left > 0.0 && left + width > limit {
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
    fn parts_fill_a_row_and_then_the_next() {
        let (places, size) = pack(&[(500.0, 100.0), (500.0, 50.0), (500.0, 80.0)]);
        assert_eq!(places, [(0.0, 0.0), (536.0, 0.0), (0.0, 136.0)]);
        assert_eq!(size, (1036.0, 216.0));
    }
}
