//! What a server has of the console.

use std::collections::HashMap;
use std::sync::LazyLock;

use bytes::Bytes;
use xxhash_rust::xxh3::Xxh3;

use crate::asset::{ASSETS, Asset, PAGE};
use crate::file::File;
use crate::question::{self, Complaint};

/// What stands in the page for what is known only here.
const VERSION: &str = "{{version}}";
const MODE: &str = "{{mode}}";
const MODULES: &str = "{{modules}}";

/// All files, compressed when the first of them is asked for.
static FILES: LazyLock<HashMap<&'static str, File>> = LazyLock::new(|| {
    let file = |asset: &Asset| File::new(asset.media_type(), Bytes::from_static(asset.bytes));
    ASSETS.iter().map(|asset| (asset.name, file(asset))).collect()
});

/// Stands for the content of all files, so that browsers can keep them for ever.
static CONTENT_VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Xxh3::new();
    for asset in ASSETS {
        hash.update(asset.name.as_bytes());
        hash.update(asset.bytes);
    }
    format!("{:016x}", hash.digest())
});

/// What the console may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Look at everything, change nothing.
    ReadOnly,
    /// What its user may do.
    Everything,
}

/// What a server has of the console.
#[derive(Debug)]
pub struct Console {
    permission: Permission,
    page: File,
}

impl Console {
    /// A console that may do so much.
    pub fn new(permission: Permission) -> Console {
        Console { permission, page: page(permission) }
    }

    /// What it may do.
    pub fn permission(&self) -> Permission {
        self.permission
    }

    /// The page that loads all else.
    pub fn page(&self) -> &File {
        &self.page
    }

    /// The file at a path, which names its version: what is there never changes.
    pub fn file(&self, path: &str) -> Option<&'static File> {
        let (version, name) = path.split_once('/')?;
        if version != *CONTENT_VERSION {
            return None;
        }
        FILES.get(name)
    }

    /// Answers a question about a model: JSON for JSON. None if there is no such question.
    pub fn ask(&self, question: &str, body: &str) -> Option<Result<String, Complaint>> {
        question::answer(question, body)
    }
}

/// The page, with the addresses of all modules, so that a browser fetches them side by side instead
/// of finding one in another.
fn page(permission: Permission) -> File {
    let mode = match permission {
        Permission::ReadOnly => "read-only",
        Permission::Everything => "on",
    };
    let modules = ASSETS.iter().filter(|asset| asset.name.ends_with(".js"));
    let links: String = modules
        .map(|asset| {
            let name = asset.name;
            format!("<link rel=\"modulepreload\" href=\"/_monotable/console/{VERSION}/{name}\">\n")
        })
        .collect();
    let text = PAGE
        .replace(MODULES, links.trim_end())
        .replace(VERSION, &CONTENT_VERSION)
        .replace(MODE, mode);
    File::new("text/html; charset=utf-8", Bytes::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound on what a first visit transfers.
    const TRANSFER_BYTES_MAX: usize = 400_000;

    fn text(file: &File) -> &str {
        std::str::from_utf8(&file.bytes).unwrap()
    }

    #[test]
    fn every_file_that_the_page_names_is_there() {
        let console = Console::new(Permission::ReadOnly);
        let page = text(console.page());
        let named: Vec<&str> = page
            .split("\"/_monotable/console/")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert!(named.len() >= ASSETS.len(), "{named:?}");
        for path in named {
            assert!(console.file(path).is_some(), "{path}");
        }
        assert!(page.contains("content=\"read-only\"") && !page.contains("{{"));
    }

    #[test]
    fn a_file_of_another_version_is_not_there() {
        let console = Console::new(Permission::Everything);
        assert!(console.file("app.js").is_none());
        assert!(console.file("0123456789abcdef/app.js").is_none());
    }

    #[test]
    fn all_files_together_are_small() {
        let page = Console::new(Permission::Everything).page().gzip.len();
        let total: usize = FILES.values().map(|file| file.gzip.len()).sum::<usize>() + page;
        assert!(total < TRANSFER_BYTES_MAX, "{total} bytes");
    }

    #[test]
    fn no_file_names_another_server() {
        for asset in ASSETS {
            let text = std::str::from_utf8(asset.bytes).unwrap();
            let addresses = text.split("http").skip(1).filter(|rest| rest.starts_with("://"));
            let foreign = addresses.filter(|rest| !rest.starts_with("://127.0.0.1"));
            let foreign: Vec<_> =
                foreign.filter(|rest| !rest.starts_with("://www.w3.org/")).collect();
            assert!(foreign.is_empty(), "{}", asset.name);
        }
    }
}
