//! Load: connections kept busy with one workload, and what was measured of it.
//!
//! There is one way to pace requests so far, the [`closed_loop`]. Whatever the pace, the result is a
//! [`Sample`], so everything that comes after does not know how it was taken.

mod closed_loop;
mod histogram;
mod meter;
mod sample;

pub(crate) use closed_loop::{Load, run, run_during};
#[cfg(test)]
pub(crate) use histogram::Histogram;
pub(crate) use sample::Sample;
