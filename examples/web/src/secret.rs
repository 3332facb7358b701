//! What the cursors of pages are sealed with.

use anyhow::Context;

/// The secret that was given, or one that ends with the process.
pub fn given_or_random(given: Option<String>) -> anyhow::Result<Vec<u8>> {
    if let Some(secret) = given {
        return Ok(secret.into_bytes());
    }
    let mut secret = vec![0; 32];
    getrandom::fill(&mut secret).context("the system gives no random bytes")?;
    Ok(secret)
}
