//! The keys that are asked for most, in bounded memory.
//!
//! A sketch has [`SETS`] sets of [`WAYS`] counters. A key belongs to one set, by its hash. If one
//! of the counters there is its own, that is raised; if not, the least of them becomes its own and
//! goes on from where it was (space saving, set by set). So a count is never too low, it is too
//! high by at most what the counter stood at when it was taken over, and a key that is asked for
//! more often than one request in `SETS * WAYS` keeps its counter.
//!
//! Counting takes no lock. Two requests that meet in a set may lose one of their counts. The text
//! of a key is kept with the first request while counters are free, and otherwise once the key has
//! been counted a few times, which leaves the many that come once alone. A key that has only taken
//! over a counter and has no text yet is not among the first, however high the counter stands.
//!
//! Memory: 4096 counters of 24 bytes and the places of their texts, 192 KB, and the texts of at
//! most as many keys.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many sets there are.
const SETS: usize = 512;
/// How many counters a set has.
const WAYS: usize = 8;
/// From which count of its own on the text of a key is kept that took over a counter.
const TEXT_COUNT_MIN: u64 = 4;
/// How much of a text is kept.
const TEXT_CHARS_MAX: usize = 200;

/// See the module.
#[derive(Debug)]
pub struct KeySketch {
    sets: Box<[Set]>,
}

#[derive(Debug, Default)]
struct Set {
    hashes: [AtomicU64; WAYS],
    counts: [AtomicU64; WAYS],
    /// By how much a count is too high at most.
    errors: [AtomicU64; WAYS],
    texts: Mutex<[Option<KeyText>; WAYS]>,
}

/// The hash of a key, and the key for people.
type KeyText = (u64, Box<str>);

/// A key that is asked for often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HotKey {
    /// The hash of the key.
    pub hash: u64,
    /// The key, if it was kept.
    pub key: Option<String>,
    /// How often it was asked for, at most.
    pub count: u64,
    /// How often it was asked for, at least.
    pub count_min: u64,
}

impl Default for KeySketch {
    fn default() -> KeySketch {
        KeySketch { sets: (0..SETS).map(|_| Set::default()).collect() }
    }
}

impl KeySketch {
    /// Counts a request for the key of this hash. Its text is asked for if it is to be kept.
    #[inline]
    pub fn add(&self, hash: u64, text: impl FnOnce() -> String) {
        // 0 marks a counter that nobody has.
        let hash = hash.max(1);
        let Some(set) = self.sets.get(hash as usize % SETS) else { return };
        let own = set.hashes.iter().position(|own| own.load(Ordering::Relaxed) == hash);
        match own.and_then(|way| Some((way, set.counts.get(way)?, set.errors.get(way)?))) {
            Some((way, count, error)) => {
                let count = count.fetch_add(1, Ordering::Relaxed) + 1;
                let own_count = count.wrapping_sub(error.load(Ordering::Relaxed));
                // Again and again, because whoever reads the texts keeps others from adding one.
                if own_count >= TEXT_COUNT_MIN && own_count.is_power_of_two() {
                    set.keep_text(way, hash, text);
                }
            }
            None => set.take_over(hash, text),
        }
    }

    /// The keys that were asked for most, the first first.
    pub fn top(&self, count_max: usize) -> Vec<HotKey> {
        let mut keys: Vec<HotKey> = self.sets.iter().flat_map(Set::keys).collect();
        keys.retain(|key| key.key.is_some() || key.count_min >= TEXT_COUNT_MIN);
        keys.sort_by(|a, b| b.count.cmp(&a.count).then(a.hash.cmp(&b.hash)));
        keys.truncate(count_max);
        keys
    }

    /// The text of a key, if it was kept.
    pub fn text(&self, hash: u64) -> Option<String> {
        let hash = hash.max(1);
        let set = self.sets.get(hash as usize % SETS)?;
        let texts = set.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let found = texts.iter().flatten().find(|(own, _)| *own == hash);
        found.map(|(_, text)| text.to_string())
    }
}

impl Set {
    /// Gives the least of all counters to another key.
    fn take_over(&self, hash: u64, text: impl FnOnce() -> String) {
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        let Some((way, least)) = counts.enumerate().min_by_key(|(_, count)| *count) else { return };
        let parts = (self.hashes.get(way), self.counts.get(way), self.errors.get(way));
        if let (Some(own), Some(count), Some(error)) = parts {
            own.store(hash, Ordering::Relaxed);
            error.store(least, Ordering::Relaxed);
            count.store(least + 1, Ordering::Relaxed);
        }
        if least == 0 {
            self.keep_text(way, hash, text);
        }
    }

    #[cold]
    fn keep_text(&self, way: usize, hash: u64, text: impl FnOnce() -> String) {
        let Ok(mut texts) = self.texts.try_lock() else { return };
        if let Some(place) = texts.get_mut(way)
            && place.as_ref().is_none_or(|(own, _)| *own != hash)
        {
            let text: String = text().chars().take(TEXT_CHARS_MAX).collect();
            *place = Some((hash, text.into()));
        }
    }

    fn keys(&self) -> Vec<HotKey> {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = self.counts.iter().zip(&self.errors);
        let ways = self.hashes.iter().zip(counts).zip(texts.iter());
        let mut keys = Vec::new();
        for ((hash, (count, error)), text) in ways {
            let hash = hash.load(Ordering::Relaxed);
            if hash == 0 {
                continue;
            }
            let count = count.load(Ordering::Relaxed);
            let text = text.as_ref().filter(|(own, _)| *own == hash);
            keys.push(HotKey {
                hash,
                key: text.map(|(_, text)| text.to_string()),
                count,
                count_min: count.saturating_sub(error.load(Ordering::Relaxed)),
            });
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    const REQUESTS: usize = 1_000_000;
    const KEYS: usize = 100_000;

    /// A sequence of numbers that is the same for a seed.
    struct Draws(u64);

    impl Draws {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(self.0)
        }

        /// A number from 0 up to 1.
        fn unit(&mut self) -> f64 {
            (self.next() >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    fn mix(number: u64) -> u64 {
        let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    /// Ranks by Zipf's law: the key of rank n is asked for in proportion to 1/n.
    fn zipf(seed: u64) -> impl Iterator<Item = usize> {
        let mut sums = Vec::with_capacity(KEYS);
        let mut sum = 0.0;
        for rank in 1..=KEYS {
            sum += 1.0 / rank as f64;
            sums.push(sum);
        }
        let mut draws = Draws(seed);
        (0..REQUESTS).map(move |_| {
            let drawn = draws.unit() * sum;
            sums.partition_point(|upto| *upto < drawn)
        })
    }

    #[test]
    fn the_top_twenty_of_a_zipf_load_are_the_exact_ones_in_order() {
        for seed in 1..=3 {
            let sketch = KeySketch::default();
            let mut exact: HashMap<usize, u64> = HashMap::new();
            for rank in zipf(seed) {
                *exact.entry(rank).or_default() += 1;
                sketch.add(mix(rank as u64 + 1), || format!("KEY#{rank}"));
            }
            let mut expected: Vec<(usize, u64)> = exact.into_iter().collect();
            expected.sort_by_key(|(rank, count)| (std::cmp::Reverse(*count), *rank));
            let expected: Vec<String> =
                expected.iter().take(20).map(|(rank, _)| format!("KEY#{rank}")).collect();
            let found: Vec<String> =
                sketch.top(20).into_iter().map(|key| key.key.unwrap()).collect();
            assert_eq!(found, expected, "seed {seed}");
        }
    }

    #[test]
    fn a_count_is_never_too_low_and_too_high_by_no_more_than_it_says() {
        let sketch = KeySketch::default();
        let mut exact: HashMap<u64, u64> = HashMap::new();
        for rank in zipf(9).take(100_000) {
            let hash = mix(rank as u64 + 1);
            *exact.entry(hash).or_default() += 1;
            sketch.add(hash, String::new);
        }
        for key in sketch.top(SETS * WAYS) {
            let count = exact.get(&key.hash).copied().unwrap_or_default();
            assert!(key.count_min <= count && count <= key.count, "{key:?}, exact {count}");
        }
    }

    #[test]
    fn every_key_has_its_text_while_counters_are_free() {
        let sketch = KeySketch::default();
        for number in 0..20_u64 {
            sketch.add(mix(number), || format!("KEY#{number}"));
        }
        let found: HashSet<String> =
            sketch.top(100).into_iter().filter_map(|key| key.key).collect();
        assert_eq!(found, (0..20).map(|number| format!("KEY#{number}")).collect());
    }

    #[test]
    fn a_key_that_takes_over_a_high_counter_gets_its_text_within_a_few_requests() {
        let sketch = KeySketch::default();
        // All of one set, each asked for a thousand times.
        let crowd = (0..WAYS as u64).map(|number| (number + 1) * SETS as u64);
        for hash in crowd {
            (0..1000).for_each(|_| sketch.add(hash, || "crowd".to_owned()));
        }
        let late = (WAYS as u64 + 1) * SETS as u64;
        sketch.add(late, || "late".to_owned());
        assert!(sketch.top(100).iter().all(|key| key.key.as_deref() == Some("crowd")));
        (1..TEXT_COUNT_MIN).for_each(|_| sketch.add(late, || "late".to_owned()));
        assert_eq!(sketch.text(late).as_deref(), Some("late"));
    }

    #[test]
    fn the_texts_of_keys_that_come_once_are_as_many_as_the_counters_at_most() {
        let sketch = KeySketch::default();
        let mut texts = 0;
        for number in 1..100_000_u64 {
            sketch.add(mix(number), || {
                texts += 1;
                String::new()
            });
        }
        assert!(texts <= SETS * WAYS, "{texts} texts");
    }
}
