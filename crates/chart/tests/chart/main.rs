//! Charts of models: those of the examples, snapshots of some, the pages under `docs/models`, and
//! models of hostile text.

mod documents;
mod example;
mod examples;
mod markup;
mod properties;
mod snapshots;
