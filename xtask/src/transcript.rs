//! What a check says: to the terminal at once, or kept until the check is done, while others run
//! beside it.

use std::fmt::Display;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the lines of a check go. Copies of one write to the same place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transcript {
    /// None for the terminal.
    kept: Option<Arc<Mutex<String>>>,
}

impl Transcript {
    /// Keeps all lines, for [`show`](Self::show).
    pub(crate) fn kept() -> Transcript {
        Transcript { kept: Some(Arc::default()) }
    }

    /// Writes a line.
    pub(crate) fn say(&self, line: impl Display) {
        match &self.kept {
            Some(kept) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.push_str(&format!("{line}\n"));
            }
            None => print(&format!("{line}\n")),
        }
    }

    /// Writes what was kept to the terminal.
    pub(crate) fn show(&self) {
        if let Some(kept) = &self.kept {
            print(&std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner)));
        }
    }
}

/// A closed terminal must not stop the checks: their outcome is the exit status.
fn print(text: &str) {
    let mut terminal = std::io::stdout().lock();
    let _ = terminal.write_all(text.as_bytes());
    let _ = terminal.flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_write_to_the_same_place() {
        let transcript = Transcript::kept();
        transcript.clone().say("one");
        transcript.say(2);
        assert_eq!(*transcript.kept.unwrap().lock().unwrap(), "one\n2\n");
    }
}
