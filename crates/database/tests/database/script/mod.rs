//! Golden scripts: commands on a database and what they print.
//!
//! ```text
//! create TABLE key=KEY [gsi=INDEX]… [lsi=INDEX]…     the forms of KEY and INDEX: `support::table`
//! update-table TABLE [add-index=INDEX] [remove-index=NAME] [protected=true|false]
//! delete-table TABLE
//! describe TABLE                what the table and its indexes hold
//! tables [start=NAME] [limit=N]
//! put TABLE ITEM [if=CONDITION]
//! update TABLE KEY [set=] [remove=] [add=] [delete=] [if=CONDITION]
//! delete TABLE KEY [if=CONDITION]
//! check TABLE KEY if=CONDITION  only in a transaction
//! fill TABLE ITEM count=N       puts N items, with every `$` in ITEM replaced by 0, 1, …
//! inflate bytes=N               adds N bytes to the size of the only item collection, without items
//! begin, commit [token=TEXT]    the writes between them are one transaction; the token's digest is theirs
//! get TABLE KEY…                reads of one moment
//! query TABLE KEYCONDITION [index=] [backward=true] …
//! scan TABLE [index=] [segment=I/N] …
//!      … [limit=N] [start=KEY] [filter=CONDITION] [project=PATHS] [fetch=true] [count=true]
//!        [consistent=true] [pages=all] [print=items|pages]
//! segments TABLE total=N…       scans by segments, and checks that every item is in one of them
//! dump [FAMILY]…                the store's raw entries: table item index counter collection token garbage sequence
//! clock SECONDS                 moves the clock on
//! background pause|resume|N     holds up background work, or lets N of its transactions through
//! background overtake           holds up what waits already, and nothing else
//! restart, crash                closes or kills the database, and opens it again
//! ```
//!
//! The tag `[units]` also prints the capacity that a command consumed, `[values]` the items before
//! and after a write, `[stored]` how many transactions of the store wrote something. Values in
//! expressions stand between backquotes, as JSON. After each command the background work is waited
//! for, unless it is paused.

mod catalogue;
mod dump;
mod read;
mod runner;
mod write;

use std::path::Path;

use monotable_storage::testing::scripts::scripts_under;

use crate::support::store::{ContendedStore, LocalStore, MemoryStore, Store};
use runner::ScriptRunner;

type ScriptResult = Result<String, Box<dyn std::error::Error>>;

fn run_all<S: Store>() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testscripts");
    let scripts = scripts_under(&root);
    assert!(!scripts.is_empty(), "no scripts under {}", root.display());
    for script in scripts {
        goldenscript::run(&mut ScriptRunner::<S>::new(), &script)
            .unwrap_or_else(|error| panic!("{}: {error}", script.display()));
    }
}

#[test]
fn scripts_in_memory() {
    run_all::<MemoryStore>();
}

#[test]
fn scripts_in_memory_with_every_decision_made_twice() {
    run_all::<ContendedStore>();
}

#[test]
fn scripts_on_disk() {
    run_all::<LocalStore>();
}
