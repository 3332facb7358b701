//! The console as a part of a server that is started.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use monotable_console::{Console, File, Permission};
use monotable_server::{Freshness, PageFile, Pages};

/// What a browser shows.
#[derive(Debug, Args)]
pub(crate) struct ConsoleArguments {
    /// What a browser may do at the address of the server
    #[arg(long, value_enum, value_name = "MODE", default_value_t = ConsoleMode::On)]
    console: ConsoleMode,
}

/// What a browser may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ConsoleMode {
    /// Nothing: there is no console
    Off,
    /// Look at everything, change nothing
    ReadOnly,
    /// What its user may do
    On,
}

impl ConsoleArguments {
    /// The pages of the server, if there are any.
    pub(crate) fn pages(&self) -> Option<Arc<dyn Pages>> {
        let permission = match self.console {
            ConsoleMode::Off => return None,
            ConsoleMode::ReadOnly => Permission::ReadOnly,
            ConsoleMode::On => Permission::Everything,
        };
        Some(Arc::new(ConsolePages(Console::new(permission))))
    }
}

/// The console as the server sees it.
#[derive(Debug)]
struct ConsolePages(Console);

impl Pages for ConsolePages {
    fn first_page(&self) -> PageFile {
        page_file(self.0.page(), Freshness::Asked)
    }

    fn file(&self, path: &str) -> Option<PageFile> {
        Some(page_file(self.0.file(path)?, Freshness::Eternal))
    }

    fn ask(&self, question: &str, body: &str) -> Option<Result<String, String>> {
        let answer = self.0.ask(question, body)?;
        Some(answer.map_err(|complaint| complaint.to_string()))
    }

    fn is_read_only(&self) -> bool {
        self.0.permission() == Permission::ReadOnly
    }
}

fn page_file(file: &File, freshness: Freshness) -> PageFile {
    let File { media_type, bytes, gzip } = file.clone();
    PageFile { media_type, bytes, gzip, freshness }
}
