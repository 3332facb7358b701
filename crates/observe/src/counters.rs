//! What is counted of patterns and entities.
//!
//! Threads count apart from each other, as the metrics of the server do, and what they counted is
//! added up when it is read. All memory is there from the moment at which a model is loaded.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::attribution::{Outcome, Refused};

/// More threads than this share counters.
const SHARDS_MAX: usize = 16;
/// How many parts the histogram of durations has.
const DURATION_PARTS: usize = 20;
/// The power of two of the first part.
const FIRST_PART_POWER: u32 = 4;

/// The upper ends of the parts of a histogram of durations, in microseconds: from 16 µs to 4 s. The
/// last part, all that took longer, has none.
pub static DURATION_BOUNDS_MICROS: [u64; DURATION_PARTS - 1] = [
    16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144,
    524_288, 1_048_576, 2_097_152, 4_194_304,
];

/// One number for each of these things, by thread.
#[derive(Debug)]
pub(crate) struct Counters<T> {
    shards: Box<[Box<[T]>]>,
}

impl<T: Default> Counters<T> {
    /// Counters of so many things, for so many threads.
    pub(crate) fn new(count: usize, threads: usize) -> Counters<T> {
        let shards = threads.clamp(1, SHARDS_MAX);
        let shard = |_| (0..count).map(|_| T::default()).collect();
        Counters { shards: (0..shards).map(shard).collect() }
    }

    /// The counter of a thing for a thread.
    #[inline]
    pub(crate) fn of_thread(&self, thread: ThreadNumber, number: usize) -> Option<&T> {
        self.shards.get(thread.0 % self.shards.len())?.get(number)
    }

    /// The counters of a thing, of all threads.
    pub(crate) fn all(&self, number: usize) -> impl Iterator<Item = &T> {
        self.shards.iter().filter_map(move |shard| shard.get(number))
    }
}

/// What is counted of a pattern. How many requests there were is the sum of the histogram.
#[derive(Debug, Default)]
pub(crate) struct PatternCounter {
    read_halves: AtomicU64,
    write_halves: AtomicU64,
    returned: AtomicU64,
    discarded: AtomicU64,
    errors: AtomicU64,
    throttles: AtomicU64,
    micros: AtomicU64,
    durations: [AtomicU64; DURATION_PARTS],
}

/// What is counted of an entity.
#[derive(Debug, Default)]
pub(crate) struct EntityCounter {
    pub(crate) reads: AtomicU64,
    pub(crate) writes: AtomicU64,
    /// Items that were written whole.
    pub(crate) puts: AtomicU64,
    /// The bytes of these.
    pub(crate) put_bytes: AtomicU64,
}

/// What was counted of a pattern, by all threads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PatternTotals {
    pub(crate) requests: u64,
    pub(crate) read_halves: u64,
    pub(crate) write_halves: u64,
    pub(crate) returned: u64,
    pub(crate) discarded: u64,
    pub(crate) errors: u64,
    pub(crate) throttles: u64,
    pub(crate) micros: u64,
    pub(crate) durations: [u64; DURATION_PARTS],
}

impl PatternCounter {
    /// Counts a request that has ended, which writes or reads.
    pub(crate) fn count(&self, outcome: &Outcome, is_write: bool) {
        let whole = outcome.duration.as_secs().saturating_mul(1_000_000);
        let micros = whole.saturating_add(u64::from(outcome.duration.subsec_micros()));
        add(if is_write { &self.write_halves } else { &self.read_halves }, outcome.halves);
        add(&self.returned, outcome.items);
        add(&self.discarded, outcome.evaluated.saturating_sub(outcome.items));
        match outcome.refused {
            Refused::No => {}
            Refused::Throttled => add(&self.throttles, 1),
            Refused::Otherwise => add(&self.errors, 1),
        }
        add(&self.micros, micros);
        let power = (u64::BITS - micros.leading_zeros()).saturating_sub(FIRST_PART_POWER);
        let part = usize::try_from(power).unwrap_or_default().min(DURATION_PARTS - 1);
        if let Some(count) = self.durations.get(part) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Adds to a number. Nothing is there to be added as a rule, which costs less than adding it.
#[inline]
fn add(number: &AtomicU64, amount: u64) {
    if amount > 0 {
        number.fetch_add(amount, Ordering::Relaxed);
    }
}

impl PatternTotals {
    /// What all threads have counted.
    pub(crate) fn of<'a>(counters: impl Iterator<Item = &'a PatternCounter>) -> PatternTotals {
        let mut totals = PatternTotals::default();
        let get = |number: &AtomicU64| number.load(Ordering::Relaxed);
        for counter in counters {
            totals.read_halves += get(&counter.read_halves);
            totals.write_halves += get(&counter.write_halves);
            totals.returned += get(&counter.returned);
            totals.discarded += get(&counter.discarded);
            totals.errors += get(&counter.errors);
            totals.throttles += get(&counter.throttles);
            totals.micros += get(&counter.micros);
            for (sum, count) in totals.durations.iter_mut().zip(&counter.durations) {
                *sum += get(count);
            }
        }
        totals.requests = totals.durations.iter().sum();
        totals
    }

    /// These and those of other patterns.
    pub(crate) fn absorb(&mut self, others: &PatternTotals) {
        self.requests += others.requests;
        self.read_halves += others.read_halves;
        self.write_halves += others.write_halves;
        self.returned += others.returned;
        self.discarded += others.discarded;
        self.errors += others.errors;
        self.throttles += others.throttles;
        self.micros += others.micros;
        for (sum, count) in self.durations.iter_mut().zip(&others.durations) {
            *sum += count;
        }
    }

    /// The time within which this part of all requests was answered, in microseconds: the upper end
    /// of a part of the histogram.
    pub(crate) fn quantile_micros(&self, share: f64) -> Option<u64> {
        let wanted = (self.requests as f64 * share).ceil() as u64;
        let mut sum = 0;
        let reached = |(_, count): &(usize, &u64)| {
            sum += **count;
            sum >= wanted
        };
        let part = self.durations.iter().enumerate().find(reached);
        part.filter(|_| self.requests > 0).map(|(part, _)| 1 << (part as u32 + FIRST_PART_POWER))
    }
}

/// The number of a thread, counted from 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreadNumber(usize);

impl ThreadNumber {
    /// That of the thread that asks.
    #[inline]
    pub(crate) fn own() -> ThreadNumber {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static NUMBER: Cell<Option<ThreadNumber>> = const { Cell::new(None) };
        }
        NUMBER.get().unwrap_or_else(|| {
            let number = ThreadNumber(NEXT.fetch_add(1, Ordering::Relaxed));
            NUMBER.set(Some(number));
            number
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn count(counters: &Counters<PatternCounter>, micros: u64) {
        let refused = if micros > 1000 { Refused::Otherwise } else { Refused::No };
        let duration = Duration::from_micros(micros);
        let outcome =
            Outcome { halves: 1, items: 2, evaluated: 3, duration, refused, is_replay: false };
        own(counters).count(&outcome, false);
    }

    /// The counter of thing 1 for the thread that asks.
    fn own(counters: &Counters<PatternCounter>) -> &PatternCounter {
        counters.of_thread(ThreadNumber::own(), 1).unwrap()
    }

    #[test]
    fn a_part_of_the_histogram_ends_where_its_bound_says() {
        for (place, bound) in DURATION_BOUNDS_MICROS.iter().enumerate() {
            let counters: Counters<PatternCounter> = Counters::new(2, 1);
            count(&counters, bound - 1);
            count(&counters, *bound);
            let totals = PatternTotals::of(counters.all(1));
            assert_eq!(totals.durations[place..place + 2], [1, 1], "{bound}");
            assert_eq!((totals.quantile_micros(0.5), totals.requests), (Some(*bound), 2));
        }
    }

    #[test]
    fn totals_are_those_of_all_threads() {
        let counters: Counters<PatternCounter> = Counters::new(2, 3);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| count(&counters, 100));
            }
        });
        count(&counters, 100_000);
        let totals = PatternTotals::of(counters.all(1));
        assert_eq!((totals.requests, totals.read_halves, totals.errors), (5, 5, 1));
        assert_eq!((totals.returned, totals.discarded, totals.micros), (10, 5, 100_400));
        assert_eq!(totals.quantile_micros(0.5), Some(128));
        assert_eq!(totals.quantile_micros(0.99), Some(131_072));
        assert_eq!(PatternTotals::of(counters.all(0)).quantile_micros(0.5), None);
    }
}
