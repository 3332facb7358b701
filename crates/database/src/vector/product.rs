//! The product of two vectors of whole numbers.
//!
//! A search spends most of its time here. The loop is plain enough for compilers to vectorize. For
//! x86-64 they may only assume the oldest instruction set, so there it is compiled twice, and runs
//! four times as fast where there is AVX2.

/// The product over the length of the shorter vector.
pub(super) fn product(left: &[i16], right: &[i8]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "it needs a processor with AVX2, and this one has it")]
        // SAFETY: AVX2 is the only requirement, and it was checked.
        return unsafe { product_avx2(left, right) };
    }
    sum(left, right)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn product_avx2(left: &[i16], right: &[i8]) -> i32 {
    sum(left, right)
}

/// Inlined, so that it is compiled for the instruction set of its caller.
#[inline(always)]
fn sum(left: &[i16], right: &[i8]) -> i32 {
    left.iter().zip(right).map(|(left, right)| i32::from(*left) * i32::from(*right)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_count_whatever_is_done_at_once() {
        for length in [0, 1, 15, 16, 17, 31, 33, 768, 4096] {
            let left: Vec<i16> = (0..length).map(|n| (n * 37 % 4095) as i16 - 2047).collect();
            let right: Vec<i8> = (0..length).map(|n| (n * 11 % 255) as u8 as i8).collect();
            let expected: i64 =
                left.iter().zip(&right).map(|(l, r)| i64::from(*l) * i64::from(*r)).sum();
            assert_eq!(i64::from(product(&left, &right)), expected);
            assert_eq!(i64::from(sum(&left, &right)), expected);
        }
        assert_eq!(product(&[2047; 4096], &[127; 4096]), 2047 * 127 * 4096);
    }
}
