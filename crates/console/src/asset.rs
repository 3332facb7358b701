//! The files under `assets/`, compiled in.

/// The page that loads all others, with places for what is known only when it is sent.
pub(crate) const PAGE: &str = include_str!("../assets/index.html");

/// A file as it stands in the repository.
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) bytes: &'static [u8],
}

impl Asset {
    /// What browsers are told that it is.
    pub(crate) fn media_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some(_) | None => "application/octet-stream",
        }
    }
}

macro_rules! assets {
    ($($name:literal,)*) => {
        /// All files but the page, by name.
        pub(crate) const ASSETS: &[Asset] =
            &[$(Asset { name: $name, bytes: include_bytes!(concat!("../assets/", $name)) },)*];
    };
}

assets![
    "address.js",
    "app.css",
    "app.js",
    "client.js",
    "code-rust.js",
    "code.js",
    "credentials.js",
    "design-charts.js",
    "design-compare.js",
    "design-cost.js",
    "design-deploy.js",
    "design-exchange.js",
    "design.js",
    "dialog.js",
    "dom.js",
    "export.js",
    "filter-text.js",
    "grid.js",
    "icon.svg",
    "index-form.js",
    "item-actions.js",
    "item-change.js",
    "item-columns.js",
    "item-detail.js",
    "item-editor.js",
    "item-form.js",
    "item-keys.js",
    "items.js",
    "key-text.js",
    "keyboard.js",
    "live-changes.js",
    "live-errors.js",
    "live-keys.js",
    "live-requests.js",
    "live.js",
    "metrics.js",
    "model.js",
    "observations.js",
    "operations.js",
    "page.js",
    "pattern-run.js",
    "patterns.js",
    "picture.js",
    "placeholders.js",
    "queries.js",
    "query-form.js",
    "query.js",
    "rewinds.js",
    "search.js",
    "signature.js",
    "spark.js",
    "starter.js",
    "statement.js",
    "storage-state.js",
    "stream-follower.js",
    "tab-history.js",
    "table-billing.js",
    "table-form.js",
    "table-names.js",
    "table-parts.js",
    "table.js",
    "tables.js",
    "values.js",
    "word-difference.js",
    "write-all.js",
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_compiled_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let entries = std::fs::read_dir(folder).unwrap();
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.unwrap().file_name().into_string().unwrap()
        };
        let mut found: Vec<String> =
            entries.map(name).filter(|name| name != "index.html").collect();
        found.sort();
        let mut known: Vec<&str> = ASSETS.iter().map(|asset| asset.name).collect();
        known.sort_unstable();
        assert_eq!(found, known);
    }
}
