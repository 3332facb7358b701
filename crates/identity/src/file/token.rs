//! A file that holds a token and nothing else.

use std::path::Path;

use monotable_sigv4::Secret;

use super::read_secret;
use crate::error::FileError;

/// A token that is shorter can be guessed.
const CHARACTERS_MIN: usize = 16;
/// A token that is longer would not fit a header.
const CHARACTERS_MAX: usize = 1024;

/// Reads a token, which only the owner of its file may see. Spaces and line ends around it are not
/// part of it.
pub fn read_token(path: &Path) -> Result<Secret, FileError> {
    let text = read_secret(path)?;
    let token = text.trim();
    let is_valid = (CHARACTERS_MIN..=CHARACTERS_MAX).contains(&token.len())
        && token.bytes().all(|byte| byte.is_ascii_graphic());
    if is_valid {
        Ok(Secret::new(token.to_owned()))
    } else {
        Err(FileError::NotAToken { path: path.to_owned() })
    }
}
