//! What a scan reads: a table, or an index of it.

use std::fmt;
use std::marker::PhantomData;

use crate::cursor::CursorScope;
use crate::entity::{ConsistentPattern, IndexPattern, Pattern, Row, Scannable, Table};
use crate::schema::{ScanSchema, fingerprint};

/// What a scan reads: [`Everything`] in a table, or the [`Entries`] of an index.
pub trait ScanScope: CursorScope + Send + Sync + 'static {
    /// The table.
    type Table: Table;

    /// What is found.
    type Row: Row;

    /// What filters refer to: the entity, or the collection.
    type Subject;

    /// Where to read, and what to look for.
    fn schema() -> ScanSchema;
}

/// A scan that can be consistent: of a table, or of a local index.
pub trait ConsistentScope: ScanScope {}

/// All items of a table that are an `R`: what the cursor of a scan is a position in.
pub struct Everything<R>(PhantomData<fn() -> R>);

/// All entries of the index that an access pattern reads: what the cursor of a scan of that index
/// is a position in.
pub struct Entries<P>(PhantomData<fn() -> P>);

impl<R: Scannable> CursorScope for Everything<R> {
    fn fingerprint() -> u64 {
        let table = <R::Table as Table>::DEFINITION.name;
        let keys = <R::Table as Table>::schema().key_names();
        // No entity has the first of these for a name.
        fingerprint(["scan of", R::NAME, table].into_iter().chain(keys))
    }
}

impl<P: IndexPattern> CursorScope for Entries<P> {
    fn fingerprint() -> u64 {
        let pattern = P::schema().fingerprint.to_string();
        fingerprint(["scan of an index", pattern.as_str()])
    }
}

impl<R: Scannable> ScanScope for Everything<R> {
    type Table = <R as Scannable>::Table;
    type Row = R;
    type Subject = R;

    fn schema() -> ScanSchema {
        ScanSchema::of_table::<R>()
    }
}

impl<P: IndexPattern> ScanScope for Entries<P> {
    type Table = <P as Pattern>::Table;
    type Row = <P as Pattern>::Row;
    type Subject = <P as Pattern>::Subject;

    fn schema() -> ScanSchema {
        ScanSchema::of_index::<P>()
    }
}

impl<R: Scannable> ConsistentScope for Everything<R> {}

impl<P: IndexPattern + ConsistentPattern> ConsistentScope for Entries<P> {}

impl<R> fmt::Debug for Everything<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Everything")
    }
}

impl<P> fmt::Debug for Entries<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Entries")
    }
}
