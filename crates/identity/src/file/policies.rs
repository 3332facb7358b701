//! The policies of a file, by their names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use monotable_policy::{MANAGED_POLICIES, Policy};
use toml::Spanned;

use super::member::Members;
use super::{place::Text, read_trusted};
use crate::error::FileError;

pub(super) const MEMBERS: &[&str] = &["name", "document", "file"];

/// Policies by their names, and the files that they were read from.
pub(super) struct Policies {
    by_name: HashMap<String, Arc<Policy>>,
    pub(super) paths: Vec<PathBuf>,
}

impl Policies {
    /// AWS's own policies, and those of a file.
    pub(super) fn read(tables: &[Members<'_>]) -> Result<Policies, FileError> {
        let managed = |name: &&str| Some(((*name).to_owned(), Arc::new(Policy::managed(name)?)));
        let by_name = MANAGED_POLICIES.iter().filter_map(managed).collect();
        let mut policies = Policies { by_name, paths: Vec::new() };
        for table in tables {
            policies.add(table)?;
        }
        Ok(policies)
    }

    fn add(&mut self, table: &Members<'_>) -> Result<(), FileError> {
        let name = table.required("name")?;
        if self.by_name.contains_key(*name.get_ref()) {
            let reason = format!("there is another policy named {}", name.get_ref());
            return Err(table.text.error(name.span(), reason));
        }
        let policy = match (table.text("document")?, table.text("file")?) {
            (Some(document), None) => read_document(table, name.get_ref(), &document)?,
            (None, Some(file)) => self.read_file(table, name.get_ref(), &file)?,
            (_, _) => {
                let reason = "a policy has either a document or a file";
                return Err(table.text.error(table.span(), reason));
            }
        };
        self.by_name.insert((*name.get_ref()).to_owned(), Arc::new(policy));
        Ok(())
    }

    fn read_file(
        &mut self,
        table: &Members<'_>,
        name: &str,
        file: &Spanned<&str>,
    ) -> Result<Policy, FileError> {
        let folder = table.text.path.parent().unwrap_or(Path::new(""));
        let path = folder.join(file.get_ref());
        let json = read_trusted(&path)?;
        let policy = Policy::parse_identity(name, &json).map_err(|error| {
            table.text.error(file.span(), format!("{}: {error}", path.display()))
        })?;
        self.paths.push(path);
        Ok(policy)
    }

    /// The policies of a key.
    pub(super) fn find_all(
        &self,
        text: Text<'_>,
        names: &[Spanned<&str>],
    ) -> Result<Vec<Arc<Policy>>, FileError> {
        names.iter().map(|name| self.find(text, name)).collect()
    }

    fn find(&self, text: Text<'_>, name: &Spanned<&str>) -> Result<Arc<Policy>, FileError> {
        self.by_name.get(*name.get_ref()).cloned().ok_or_else(|| {
            let mut known: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
            known.sort_unstable();
            let known = known.join(", ");
            let reason = format!("there is no policy named {}; there is {known}", name.get_ref());
            text.error(name.span(), reason)
        })
    }
}

fn read_document(
    table: &Members<'_>,
    name: &str,
    document: &Spanned<&str>,
) -> Result<Policy, FileError> {
    let parsed = Policy::parse_identity(name, document.get_ref());
    parsed.map_err(|error| table.text.error(document.span(), format!("in this document: {error}")))
}
