//! Splits a whole into parts that sum to it: the largest-remainder method (Hamilton).

use std::{cmp::Reverse, collections::BinaryHeap};

/// Splits `whole` over `weights` in proportion. The parts sum to exactly `whole`, for either sign.
///
/// Units left over by rounding go to the largest remainders; among equal remainders the first wins. If all weights are
/// 0, they count as equal. Without weights there are no parts, so `whole` should then be 0.
pub fn by_weight(whole: i64, weights: &[u64]) -> Vec<i64> {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    if sum == 0 {
        return if weights.is_empty() { Vec::new() } else { by_weight(whole, &vec![1; weights.len()]) };
    }
    let magnitude = u128::from(whole.unsigned_abs());
    let mut parts: Vec<u128> = Vec::with_capacity(weights.len());
    let mut remainders: Vec<(u128, Reverse<usize>)> = Vec::with_capacity(weights.len());
    for (index, &weight) in weights.iter().enumerate() {
        // Both factors are below 2^64, so the product fits.
        let product = magnitude * u128::from(weight);
        parts.push(product / sum);
        remainders.push((product % sum, Reverse(index)));
    }
    let left = magnitude - parts.iter().sum::<u128>();
    // A heap finds the few largest faster than sorting does, and takes less space in the browser's program.
    let mut largest = BinaryHeap::from(remainders);
    for _ in 0..left {
        let Some((_, Reverse(index))) = largest.pop() else { break };
        if let Some(part) = parts.get_mut(index) {
            *part += 1;
        }
    }
    let sign = if whole < 0 { -1 } else { 1 };
    parts.into_iter().map(|part| sign * i64::try_from(part).unwrap_or(i64::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn left_over_units_go_to_the_largest_remainders() {
        assert_eq!(by_weight(100, &[1, 1, 1]), [34, 33, 33]);
        assert_eq!(by_weight(-100, &[1, 1, 1]), [-34, -33, -33]);
        assert_eq!(by_weight(10, &[5, 3, 1]), [6, 3, 1]);
        assert_eq!(by_weight(5, &[0, 0]), [3, 2]);
        assert_eq!(by_weight(7, &[0, 3]), [0, 7]);
        assert!(by_weight(0, &[]).is_empty());
    }

    proptest! {
        #[test]
        fn parts_sum_to_the_whole_and_stay_within_one_of_their_share(
            whole in any::<i32>(),
            weights in prop::collection::vec(0_u64..1_000_000_000, 1..40),
        ) {
            let whole = i64::from(whole);
            let parts = by_weight(whole, &weights);
            prop_assert_eq!(parts.iter().sum::<i64>(), whole);
            let sum: u64 = weights.iter().sum();
            if sum > 0 {
                for (part, weight) in parts.iter().zip(&weights) {
                    let floor = i128::from(whole.unsigned_abs()) * i128::from(*weight) / i128::from(sum);
                    let part = i128::from(part.unsigned_abs());
                    prop_assert!(part == floor || part == floor + 1);
                }
            }
        }
    }
}
