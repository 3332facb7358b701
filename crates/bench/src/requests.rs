//! The endless sequence of requests that one connection sends.

use anyhow::Result;

use crate::data::{Dataset, FIRST_REVISION, REVISIONS};
use crate::http::frame;
use crate::random::Random;
use crate::resp;
use crate::table::Table;
use crate::template::Template;
use crate::workload::Workload;

/// Requests of one workload, with keys and revisions drawn at random.
#[derive(Debug, Clone)]
pub struct Requests {
    dataset: Dataset,
    parts: Vec<Part>,
    random: Random,
}

/// One of the kinds of requests of a mix.
#[derive(Debug, Clone)]
struct Part {
    workload: Workload,
    template: Template,
    percent: u64,
}

impl Requests {
    /// The requests of a workload on a table, as they are sent to a host.
    pub fn new(host: &str, workload: Workload, table: &Table, dataset: Dataset) -> Requests {
        let part = |(workload, percent): (Workload, u64)| {
            let request = frame(host, workload.operation(), &workload.body(table));
            Part { workload, percent, template: Template::new(request, workload.stride(&dataset)) }
        };
        let parts = workload.parts().into_iter().map(part).collect();
        Requests { dataset, parts, random: Random::new(0) }
    }

    /// The commands of Redis beside a workload.
    pub fn of_redis(workload: Workload, table: &Table, dataset: Dataset) -> Result<Requests> {
        let template = Template::new(resp::request(workload, table)?, workload.stride(&dataset));
        let parts = vec![Part { workload, template, percent: 100 }];
        Ok(Requests { dataset, parts, random: Random::new(0) })
    }

    /// The same kinds of requests in the sequence of a seed.
    pub fn seeded(&self, seed: u64) -> Requests {
        Requests { random: Random::new(seed), ..self.clone() }
    }

    /// The next request and what it is.
    pub fn draw(&mut self) -> (Workload, &[u8]) {
        let item = self.dataset.lasting(self.random.below(self.dataset.lasting_items()));
        let revision = FIRST_REVISION + self.random.below(REVISIONS);
        let drawn = if self.parts.len() > 1 { self.random.below(100) } else { 0 };
        let part = drawn_part(&mut self.parts, drawn).expect("the parts have a hundred percent");
        (part.workload, part.template.fill(&self.dataset, item, revision))
    }
}

/// The part that holds a number below a hundred, if all parts stand one after the other.
fn drawn_part(parts: &mut [Part], drawn: u64) -> Option<&mut Part> {
    let mut end = 0;
    parts.iter_mut().find(|part| {
        end += part.percent;
        drawn < end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(workload: Workload) -> Requests {
        Requests::new("host", workload, &Table::plain(), Dataset::new(1000))
    }

    #[test]
    fn a_mix_is_drawn_in_its_shares() {
        let mut requests = requests(Workload::Mixed).seeded(1);
        let mut gets = 0;
        for _ in 0..10_000 {
            gets += u32::from(requests.draw().0 == Workload::GetItem);
        }
        assert!((4_800..5_200).contains(&gets), "{gets}");
    }

    #[test]
    fn a_seed_always_gives_the_same_requests() {
        let draw = |seed| {
            let mut requests = requests(Workload::PutItem).seeded(seed);
            (requests.draw().1.to_vec(), requests.draw().1.to_vec())
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }
}
