//! Pages of queries and scans: where they end, and what they cost.
//!
//! A page ends with the row that fills the megabyte, and its bytes are rounded up to 4 KB once. So
//! small rows are cheap when they are read together, and large ones cost as much as they do one by
//! one.

use monotable_item::capacity::{Consistency, HalfUnits, read_units};
use monotable_item::limits::PAGE_BYTES_MAX;

use super::request::in_memory;

const PAGE_BYTES: u64 = PAGE_BYTES_MAX as u64;

/// Rows of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rows {
    /// How many, on average.
    pub count: f64,
    /// The size of each.
    pub bytes_each: u64,
}

/// What reading rows to the end takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PagedRead {
    /// How many requests.
    pub pages: u64,
    /// What they consume together.
    pub units: HalfUnits,
}

impl Rows {
    /// Reads them all, page by page.
    pub fn read(self, consistency: Consistency) -> PagedRead {
        let count = self.count.max(0.0);
        let per_page = PAGE_BYTES.div_ceil(self.bytes_each.max(1));
        // Tables have fewer rows than a float counts exactly.
        let full_pages = (count / per_page as f64).floor() as u64;
        let rest = count - (full_pages * per_page) as f64;
        let page = read_units(in_memory(per_page * self.bytes_each), consistency);
        let mut read = PagedRead { pages: full_pages, units: page.times(full_pages) };
        if rest > 0.0 || full_pages == 0 {
            let bytes = (rest * self.bytes_each as f64).ceil() as u64;
            read.pages += 1;
            read.units += read_units(in_memory(bytes), consistency);
        }
        read
    }

    /// How many rows there are at most, in whole numbers.
    pub fn whole(self) -> u64 {
        self.count.max(0.0).ceil() as u64
    }
}

/// Reads rows of these sizes, page by page.
pub fn read_rows(sizes: impl IntoIterator<Item = u64>, consistency: Consistency) -> PagedRead {
    let mut read = PagedRead { pages: 0, units: HalfUnits::default() };
    let mut page_bytes = None;
    let mut end_page = |bytes: u64| {
        read.pages += 1;
        read.units += read_units(in_memory(bytes), consistency);
    };
    for size in sizes {
        let bytes = page_bytes.unwrap_or(0) + size;
        page_bytes = (bytes < PAGE_BYTES).then_some(bytes);
        if bytes >= PAGE_BYTES {
            end_page(bytes);
        }
    }
    if let Some(bytes) = page_bytes {
        end_page(bytes);
    }
    if read.pages == 0 {
        return PagedRead { pages: 1, units: read_units(0, consistency) };
    }
    read
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn consistency() -> impl Strategy<Value = Consistency> {
        prop_oneof![Just(Consistency::Eventual), Just(Consistency::Strong)]
    }

    proptest! {
        #[test]
        fn equal_rows_cost_what_they_cost_one_after_the_other(
            count in 0u64..200, bytes_each in 1u64..409_600, consistency in consistency(),
        ) {
            let rows = Rows { count: count as f64, bytes_each };
            let sizes = std::iter::repeat_n(bytes_each, count as usize);
            prop_assert_eq!(rows.read(consistency), read_rows(sizes, consistency));
        }

        #[test]
        fn more_or_larger_rows_never_cost_less(
            sizes in prop::collection::vec(1u64..400_000, 1..20), more in 1u64..400_000,
        ) {
            let before = read_rows(sizes.iter().copied(), Consistency::Eventual);
            let longer = sizes.iter().copied().chain([more]);
            prop_assert!(read_rows(longer, Consistency::Eventual).units >= before.units);
            // Larger rows fill pages elsewhere, which can save what the end of each page wastes.
            let larger = read_rows(sizes.iter().map(|size| size + more), Consistency::Strong);
            let before = read_rows(sizes, Consistency::Strong);
            prop_assert!(larger.units.units() + before.pages as f64 >= before.units.units());
        }

        #[test]
        fn reading_rows_one_by_one_never_costs_less_than_reading_them_together(
            sizes in prop::collection::vec(1u64..409_600, 1..40), consistency in consistency(),
        ) {
            let one_by_one: HalfUnits =
                sizes.iter().map(|size| read_units(in_memory(*size), consistency)).sum();
            prop_assert!(one_by_one >= read_rows(sizes, consistency).units);
        }
    }
}
