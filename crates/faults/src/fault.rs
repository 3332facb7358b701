//! What a fault is.

use std::time::Duration;

use crate::draw::Draw;
use crate::selection::Selection;

/// Something that goes wrong, and the calls that it hits.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// What happens.
    pub kind: FaultKind,
    /// To which calls.
    pub selection: Selection,
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    /// The call is refused because a limit of throughput is met: this one, or the one that the
    /// table would meet first.
    Throttle(Option<Limit>),
    /// The call meets a transaction on one of its items.
    Conflict,
    /// The transaction is under way already under the same token.
    InProgress,
    /// Some members of a batch are left for the client to send again.
    Unprocessed(Amount),
    /// The call takes longer.
    Delay(Delay),
    /// The call is answered with an error of the server.
    ServerError(FailureTime),
    /// The connection is closed without an answer.
    Drop(FailureTime),
    /// Reads that may be stale are answered with what was there so long ago.
    Stale(Duration),
    /// Reads of global indexes are answered with what was there so long ago.
    IndexLag(Duration),
}

/// A limit of throughput.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// What the table or index has by its settings.
    Provisioned,
    /// What a partition can do.
    KeyRange,
    /// What an on-demand table or index may take by its settings.
    MaxOnDemand,
    /// What the account allows a table.
    Account,
}

/// When a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureTime {
    /// Before anything is done.
    Before,
    /// After it was carried out: only the answer is lost.
    After,
}

/// How many members of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// A share of them, rounded up.
    Share(f64),
    /// So many, or all if there are fewer.
    Count(usize),
}

/// How long a call waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delay {
    /// Always as long.
    Fixed(Duration),
    /// Something between two durations, all of which are as likely.
    Uniform {
        /// The shortest.
        min: Duration,
        /// The longest.
        max: Duration,
    },
    /// Mostly short, at times much longer, and this long in the mean.
    Exponential {
        /// The mean.
        mean: Duration,
    },
}

/// No delay is longer than so many times the mean, so that one request in 20,000 does not hang.
const EXPONENTIAL_MEANS_MAX: f64 = 10.0;

impl Delay {
    /// How long this call waits.
    pub fn duration(&self, draw: Draw) -> Duration {
        match *self {
            Delay::Fixed(duration) => duration,
            Delay::Uniform { min, max } => {
                min + max.saturating_sub(min).mul_f64(draw.further(0).unit())
            }
            Delay::Exponential { mean } => {
                let means = -(1.0 - draw.further(0).unit()).ln();
                mean.mul_f64(means.min(EXPONENTIAL_MEANS_MAX))
            }
        }
    }
}

impl Amount {
    /// Which of these members are left, in their order.
    pub fn choose(&self, members: &[usize], draw: Draw) -> Vec<usize> {
        let count = match *self {
            Amount::Share(share) => (members.len() as f64 * share).ceil() as usize,
            Amount::Count(count) => count,
        };
        let mut ranked: Vec<(u64, usize)> =
            members.iter().map(|member| (draw.further(*member as u64).rank(), *member)).collect();
        ranked.sort_unstable();
        let mut chosen: Vec<usize> =
            ranked.into_iter().take(count).map(|(_, member)| member).collect();
        chosen.sort_unstable();
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws() -> impl Iterator<Item = Draw> {
        (0..2000).map(|call| Draw::new(1, 0, call))
    }

    #[test]
    fn a_uniform_delay_stays_between_its_bounds() {
        let (min, max) = (Duration::from_millis(10), Duration::from_millis(30));
        let delays: Vec<Duration> =
            draws().map(|draw| Delay::Uniform { min, max }.duration(draw)).collect();
        assert!(delays.iter().all(|delay| (min..=max).contains(delay)));
        let mean = delays.iter().sum::<Duration>() / 2000;
        assert!((19..=21).contains(&mean.as_millis()), "{mean:?}");
    }

    #[test]
    fn an_exponential_delay_has_its_mean_and_a_limit() {
        let mean = Duration::from_millis(20);
        let delays: Vec<Duration> =
            draws().map(|draw| Delay::Exponential { mean }.duration(draw)).collect();
        let actual = delays.iter().sum::<Duration>() / 2000;
        assert!((18..=22).contains(&actual.as_millis()), "{actual:?}");
        assert!(delays.iter().all(|delay| *delay <= mean * 10));
        assert!(delays.iter().any(|delay| *delay > mean * 3));
    }

    #[test]
    fn a_share_is_rounded_up_and_a_count_is_no_more_than_there_are() {
        let members = [0, 2, 4, 6];
        let draw = Draw::new(1, 0, 0);
        assert_eq!(Amount::Share(0.3).choose(&members, draw).len(), 2);
        assert_eq!(Amount::Share(1.0).choose(&members, draw), members);
        assert_eq!(Amount::Count(9).choose(&members, draw), members);
        assert!(Amount::Share(0.0).choose(&members, draw).is_empty());
        let chosen = Amount::Count(2).choose(&members, draw);
        assert_eq!(chosen, Amount::Count(2).choose(&members, draw));
        assert!(chosen.len() == 2 && chosen.is_sorted());
    }
}
