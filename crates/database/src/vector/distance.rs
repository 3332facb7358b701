//! How far vectors are from each other.
//!
//! Sums are accumulated in 64 bits, in a few lanes that a processor adds in parallel. So they are
//! as exact as the 32-bit numbers they are made from, large ones cannot overflow, and the same
//! vectors give the same result in whatever order they are compared.

use super::schema::Distance;
use crate::keyspace::vector_entry::NUMBER_BYTES;

/// How many sums are accumulated in parallel.
const LANES: usize = 8;

/// The vector that others are compared with.
#[derive(Debug)]
pub(super) struct QueryVector<'q> {
    distance: Distance,
    vector: &'q [f32],
    /// The sum of its squares.
    square: f64,
}

impl<'q> QueryVector<'q> {
    pub(super) fn new(distance: Distance, vector: &'q [f32]) -> QueryVector<'q> {
        let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
        QueryVector { distance, vector, square: sum(vector, &bytes, |left, right| left * right) }
    }

    /// Returns how far away a vector is, given by its bytes. Less is nearer for every kind of
    /// distance.
    pub(super) fn rank(&self, stored: &[u8]) -> f32 {
        let product = || sum(self.vector, stored, |left, right| left * right);
        let rank = match self.distance {
            Distance::DotProduct => -product(),
            Distance::Euclidean => {
                sum(self.vector, stored, |left, right| (left - right) * (left - right)).sqrt()
            }
            Distance::Cosine => {
                self.angle(product(), sum(self.vector, stored, |_, right| right * right))
            }
        };
        rank.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
    }

    /// Returns the score for a rank, as DynamoDB reports it.
    pub(super) fn score(&self, rank: f32) -> f32 {
        match self.distance {
            // Without the sign of a zero.
            Distance::DotProduct => 0.0 - rank,
            Distance::Cosine | Distance::Euclidean => rank,
        }
    }

    /// A vector of length zero is at a right angle to every other one.
    fn angle(&self, product: f64, other_square: f64) -> f64 {
        if self.square == 0.0 || other_square == 0.0 {
            return 1.0;
        }
        (1.0 - product / (self.square * other_square).sqrt()).clamp(0.0, 2.0)
    }
}

/// Sums `term` over the pairs of numbers of two vectors, the second given by its bytes.
fn sum(vector: &[f32], stored: &[u8], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    let (chunks, rest) = vector.as_chunks::<LANES>();
    let (stored_chunks, stored_rest) = stored.as_chunks::<{ LANES * NUMBER_BYTES }>();
    for (chunk, stored) in chunks.iter().zip(stored_chunks) {
        let (stored, _) = stored.as_chunks::<NUMBER_BYTES>();
        for ((sum, left), right) in sums.iter_mut().zip(chunk).zip(stored) {
            *sum += term(f64::from(*left), f64::from(f32::from_le_bytes(*right)));
        }
    }
    let (stored_rest, _) = stored_rest.as_chunks::<NUMBER_BYTES>();
    for ((sum, left), right) in sums.iter_mut().zip(rest).zip(stored_rest) {
        *sum += term(f64::from(*left), f64::from(f32::from_le_bytes(*right)));
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(distance: Distance, query: &[f32], stored: &[f32]) -> f32 {
        let bytes: Vec<u8> = stored.iter().flat_map(|number| number.to_le_bytes()).collect();
        let query = QueryVector::new(distance, query);
        query.score(query.rank(&bytes))
    }

    /// The values that were measured on AWS in eu-west-2.
    #[test]
    fn scores_are_those_of_dynamodb() {
        let query = [1.0, 0.0, 0.0];
        for (stored, cosine, euclidean, product) in [
            ([1.0, 0.0, 0.0], 0.0, 0.0, 1.0),
            ([0.6, 0.8, 0.0], 0.4, 0.8_f32.sqrt(), 0.6),
            ([0.0, 1.0, 0.0], 1.0, 2.0_f32.sqrt(), 0.0),
            ([-1.0, 0.0, 0.0], 2.0, 2.0, -1.0),
        ] {
            assert!((score(Distance::Cosine, &query, &stored) - cosine).abs() < 1e-6);
            assert!((score(Distance::Euclidean, &query, &stored) - euclidean).abs() < 1e-6);
            assert!((score(Distance::DotProduct, &query, &stored) - product).abs() < 1e-6);
        }
    }

    #[test]
    fn a_vector_is_at_no_distance_from_itself() {
        for length in [1, 7, 8, 9, 768] {
            let vector: Vec<f32> = (0..length).map(|n| (n as f32 * 0.37).sin() + 0.001).collect();
            assert_eq!(score(Distance::Cosine, &vector, &vector), 0.0);
            assert_eq!(score(Distance::Euclidean, &vector, &vector), 0.0);
        }
    }

    /// Measured on AWS: sums are wider than 32 bits, and what is then too large is the largest
    /// number.
    #[test]
    fn large_numbers_do_not_overflow() {
        let (query, stored) = ([f32::MAX, f32::MAX], [f32::MAX, -f32::MAX]);
        assert_eq!(score(Distance::DotProduct, &query, &stored), 0.0);
        assert_eq!(score(Distance::Euclidean, &query, &stored), f32::MAX);
        assert_eq!(score(Distance::Cosine, &query, &[0.0, 0.0]), 1.0);
    }
}
