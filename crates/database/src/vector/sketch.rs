//! Vectors in eight bits a number, and what they tell about distances.
//!
//! The sketch of a vector `x` is a vector `x'` of small whole numbers times a scale, together with
//! the length of the error, `|x - x'|`. The distance of any vector to `x` differs from that to `x'`
//! by at most this length, and a product with `x` by at most this length times the length of the
//! other vector. So a sketch gives bounds for a rank. It takes a quarter of the memory of the
//! vector, and is compared in whole numbers. A search that leaves out only what the bounds rule out
//! is exact.
//!
//! For cosines, vectors are first scaled to length one: then a rank is half of the squared
//! distance. A vector of length zero has the rank 1.

use super::product::product;
use super::schema::Distance;
use crate::keyspace::vector_entry;

/// The largest number of a sketch.
const CODE_MAX: f64 = 127.0;
/// The largest number of a probe: products of 4,096 numbers fit 32 bits.
const PROBE_CODE_MAX: f64 = 2047.0;
/// The allowance for rounding, relative to what is rounded. Sums of 4,096 numbers are far more
/// exact than this.
const SLACK: f64 = 1e-9;

/// What a sketch has besides its whole numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Form {
    /// What the whole numbers are multiples of.
    scale: f32,
    /// The sum of the squares of the whole numbers.
    square: u32,
    /// An upper bound of the length of the error.
    error: f32,
}

/// Sketches a vector given by its bytes: appends the whole numbers, and returns the rest.
pub(super) fn sketch(distance: Distance, stored: &[u8], codes: &mut Vec<i8>) -> Form {
    let unit = unit(distance, vector_entry::numbers(stored));
    let numbers = || vector_entry::numbers(stored).map(|number| f64::from(number) * unit);
    let scale = (largest(numbers()) / CODE_MAX) as f32;
    let inverse = inverse(f64::from(scale));
    let begin = codes.len();
    codes.extend(numbers().map(|number| code(number * inverse) as i8));
    let codes = codes.get(begin..).unwrap_or_default();
    let left_out = numbers().zip(codes).map(|(number, code)| {
        let difference = number - f64::from(scale) * f64::from(*code);
        difference * difference
    });
    let error = left_out.sum::<f64>().sqrt();
    Form {
        scale,
        square: square(codes),
        // Rounded up.
        error: (error * (1.0 + SLACK * 1000.0)) as f32 + f32::MIN_POSITIVE,
    }
}

/// The factor by which the numbers of a vector are scaled first.
fn unit(distance: Distance, numbers: impl Iterator<Item = f32>) -> f64 {
    match distance {
        Distance::Euclidean | Distance::DotProduct => 1.0,
        Distance::Cosine => {
            inverse(numbers.map(f64::from).map(|number| number * number).sum::<f64>().sqrt())
        }
    }
}

fn inverse(number: f64) -> f64 {
    if number > 0.0 { 1.0 / number } else { 0.0 }
}

fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |largest, number| largest.max(number.abs()))
}

/// Rounds to the nearest whole number. The offset makes the value positive, so that truncating
/// rounds it.
fn code(number: f64) -> i32 {
    (number + 4096.5) as i32 - 4096
}

fn square(codes: &[i8]) -> u32 {
    codes.iter().map(|code| u32::from(code.unsigned_abs()).pow(2)).sum()
}

/// Bounds of a rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) lower: f32,
    pub(super) upper: f32,
}

impl Bounds {
    fn new(lower: f64, upper: f64) -> Bounds {
        // Ranks are rounded in the same way.
        let round = |rank: f64| rank.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
        Bounds { lower: round(lower), upper: round(upper) }
    }
}

/// The vector that sketches are compared with.
#[derive(Debug)]
pub(super) struct Probe {
    distance: Distance,
    /// It as whole numbers times a scale, and the length of what that leaves out.
    codes: Vec<i16>,
    scale: f64,
    error: f64,
    /// The sum of its squares.
    square: f64,
}

/// The distance up to which vectors matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach(f64);

impl Probe {
    /// Returns none if the vector is equally far from all others: then sketches tell nothing.
    pub(super) fn new(distance: Distance, vector: &[f32]) -> Option<Probe> {
        let unit = unit(distance, vector.iter().copied());
        let numbers: Vec<f64> = vector.iter().map(|number| f64::from(*number) * unit).collect();
        let scale = largest(numbers.iter().copied()) / PROBE_CODE_MAX;
        if scale == 0.0 {
            return None;
        }
        let codes: Vec<i16> = numbers.iter().map(|number| code(number / scale) as i16).collect();
        let left_out = numbers.iter().zip(&codes).map(|(number, code)| {
            let difference = number - scale * f64::from(*code);
            difference * difference
        });
        let error = left_out.sum::<f64>().sqrt();
        let square = numbers.iter().map(|number| number * number).sum();
        Some(Probe { distance, codes, scale, error, square })
    }

    /// How far vectors of this rank are.
    pub(super) fn reach(&self, rank: f32) -> Reach {
        // Greater ranks are all reported as the greatest.
        if rank >= f32::MAX {
            return Reach(f64::INFINITY);
        }
        let rank = f64::from(rank) * (1.0 + SLACK * 1000.0);
        match self.distance {
            Distance::Euclidean | Distance::DotProduct => Reach(rank),
            Distance::Cosine => Reach((2.0 * rank).sqrt()),
        }
    }

    /// Returns the bounds of the rank of a vector, unless it is certainly out of reach.
    pub(super) fn bounds(&self, form: &Form, codes: &[i8], reach: Reach) -> Option<Bounds> {
        match self.distance {
            Distance::DotProduct => Some(self.product_bounds(form, codes)),
            Distance::Euclidean => {
                let (lower, upper) = self.distance_bounds(form, codes, reach)?;
                Some(Bounds::new(lower, upper))
            }
            Distance::Cosine if form.square == 0 => Some(Bounds { lower: 1.0, upper: 1.0 }),
            Distance::Cosine => {
                let (lower, upper) = self.distance_bounds(form, codes, reach)?;
                Some(Bounds::new(lower * lower / 2.0, upper * upper / 2.0))
            }
        }
    }

    fn product_bounds(&self, form: &Form, codes: &[i8]) -> Bounds {
        let (scale, error) = (f64::from(form.scale), f64::from(form.error));
        let product = self.scale * scale * f64::from(product(&self.codes, codes));
        let length = scale * f64::from(form.square).sqrt();
        let slack = SLACK * (length + error) * self.square.sqrt();
        let doubt = self.error * length + self.square.sqrt() * error + slack;
        Bounds::new(-product - doubt, -product + doubt)
    }

    fn distance_bounds(&self, form: &Form, codes: &[i8], reach: Reach) -> Option<(f64, f64)> {
        let (scale, error) = (f64::from(form.scale), f64::from(form.error));
        let other = scale * scale * f64::from(form.square);
        let product = self.scale * scale * f64::from(product(&self.codes, codes));
        let square = self.square + other - 2.0 * product;
        let doubt = 2.0 * self.error * other.sqrt() + SLACK * (self.square + other);
        let farthest = reach.0 + error;
        if square - doubt > farthest * farthest {
            return None;
        }
        let lower = (square - doubt).max(0.0).sqrt() - error;
        Some((lower.max(0.0), (square + doubt).max(0.0).sqrt() + error))
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::vector::distance::QueryVector;

    fn bytes(vector: &[f32]) -> Vec<u8> {
        vector.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn distance() -> impl Strategy<Value = Distance> {
        prop_oneof![Just(Distance::Cosine), Just(Distance::Euclidean), Just(Distance::DotProduct)]
    }

    fn number() -> impl Strategy<Value = f32> {
        let any =
            any::<f32>().prop_filter("vectors have finite numbers", |number| number.is_finite());
        prop_oneof![4 => -1.0..1.0_f32, 2 => Just(0.0), 1 => -1e-30..1e-30_f32, 1 => any]
    }

    fn pair() -> impl Strategy<Value = (Vec<f32>, Vec<f32>)> {
        (1..40_usize).prop_flat_map(|length| (vec(number(), length), vec(number(), length)))
    }

    fn check(distance: Distance, query: &[f32], stored: &[f32]) -> Result<(), TestCaseError> {
        let stored = bytes(stored);
        let rank = QueryVector::new(distance, query).rank(&stored);
        let Some(probe) = Probe::new(distance, query) else { return Ok(()) };
        let mut codes = Vec::new();
        let form = sketch(distance, &stored, &mut codes);
        let everything = probe.reach(f32::MAX);
        let bounds = probe.bounds(&form, &codes, everything).expect("nothing is out of reach");
        prop_assert!(bounds.lower <= rank && rank <= bounds.upper, "{bounds:?} of {rank}");
        // A vector of a rank that matters is never out of reach.
        prop_assert!(probe.bounds(&form, &codes, probe.reach(rank)).is_some());
        Ok(())
    }

    proptest! {
        #[test]
        fn a_rank_lies_between_its_bounds(distance in distance(), (query, stored) in pair()) {
            check(distance, &query, &stored)?;
        }

        #[test]
        fn a_vector_is_within_reach_of_itself_and_of_its_multiples(
            distance in distance(),
            query in vec(-1.0..1.0_f32, 1..40),
            factor in prop_oneof![Just(1.0_f32), Just(-1.0), Just(0.001), Just(1e20), Just(0.0)],
        ) {
            let stored: Vec<f32> = query.iter().map(|number| number * factor).collect();
            check(distance, &query, &stored)?;
        }
    }

    #[test]
    fn bounds_are_narrow() {
        let numbers = |seed: f32| (0..768).map(move |n| (n as f32 * seed).sin());
        let (query, stored): (Vec<f32>, Vec<f32>) =
            (numbers(0.37).collect(), numbers(0.71).collect());
        let mut codes = Vec::new();
        let form = sketch(Distance::Euclidean, &bytes(&stored), &mut codes);
        let probe = Probe::new(Distance::Euclidean, &query).unwrap();
        let bounds = probe.bounds(&form, &codes, probe.reach(f32::MAX)).unwrap();
        assert!(bounds.upper - bounds.lower < 0.01 * bounds.upper, "{bounds:?}");
        // The distance is 27.7.
        assert!(probe.bounds(&form, &codes, probe.reach(20.0)).is_none());
        assert!(probe.bounds(&form, &codes, probe.reach(29.0)).is_some());
    }

    #[test]
    fn the_longest_products_fit() {
        let (query, stored) = (vec![1.0; 4096], vec![1.0; 4096]);
        check(Distance::DotProduct, &query, &stored).unwrap();
        check(Distance::Euclidean, &query, &stored).unwrap();
    }
}
