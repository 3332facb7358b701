//! How far down a column things stand.

/// Something in a column: its height, the gap above it, and where its top would be best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wish {
    pub(super) height: f64,
    pub(super) gap: f64,
    pub(super) top: f64,
}

/// A run of things that touch, and that move together.
struct Block {
    /// The sum of the wishes of its members, each less its distance from the first.
    sum: f64,
    members: usize,
}

/// The tops that are nearest to what is wished, in the order given and with the gaps kept.
///
/// With the heights and gaps taken off, tops must only never fall: the nearest such numbers are
/// found by joining neighbours that are in the wrong order to their mean, until none are.
pub(super) fn place(wishes: &[Wish]) -> Vec<f64> {
    let offsets = offsets(wishes);
    let mut blocks: Vec<Block> = Vec::new();
    for (wish, offset) in wishes.iter().zip(&offsets) {
        let mut block = Block { sum: wish.top - offset, members: 1 };
        while let Some(above) = blocks.pop_if(|above| above.mean() > block.mean()) {
            block.sum += above.sum;
            block.members += above.members;
        }
        blocks.push(block);
    }
    let levels = blocks.iter().flat_map(|block| std::iter::repeat_n(block.mean(), block.members));
    levels.zip(offsets).map(|(level, offset)| level + offset).collect()
}

/// The distance of each top from the first, if all stood as close as they may.
fn offsets(wishes: &[Wish]) -> Vec<f64> {
    let mut end = 0.0;
    let mut offsets = Vec::with_capacity(wishes.len());
    for (number, wish) in wishes.iter().enumerate() {
        let top = if number == 0 { 0.0 } else { end + wish.gap };
        offsets.push(top);
        end = top + wish.height;
    }
    offsets
}

impl Block {
    fn mean(&self) -> f64 {
        self.sum / self.members as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(height: f64, top: f64) -> Wish {
        Wish { height, gap: 10.0, top }
    }

    #[test]
    fn wishes_that_can_be_met_are() {
        assert_eq!(place(&[wish(20.0, 5.0), wish(20.0, 100.0)]), [5.0, 100.0]);
    }

    #[test]
    fn things_that_would_overlap_part_evenly() {
        assert_eq!(place(&[wish(20.0, 50.0), wish(20.0, 50.0)]), [35.0, 65.0]);
    }

    #[test]
    fn nothing_ever_overlaps() {
        let wishes: Vec<Wish> = [30.0, -5.0, 200.0, 190.0, 0.0].map(|top| wish(25.0, top)).to_vec();
        let tops = place(&wishes);
        assert!(tops.windows(2).all(|pair| pair[1] - pair[0] >= 34.999), "{tops:?}");
    }
}
