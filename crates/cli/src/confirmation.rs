//! Asks whoever sits at the terminal.

use std::io::{self, BufRead, IsTerminal, Write};

/// What somebody said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Confirmation {
    /// To do it.
    Yes,
    /// Not to.
    No,
    /// Nobody sits there.
    NobodyToAsk,
}

/// Asks a question, which only a clear yes answers.
pub(crate) fn confirm(question: &str) -> io::Result<Confirmation> {
    if !io::stdin().is_terminal() {
        return Ok(Confirmation::NobodyToAsk);
    }
    let mut stderr = io::stderr().lock();
    write!(stderr, "{question} [y/N] ")?;
    stderr.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(read_answer(&answer))
}

fn read_answer(answer: &str) -> Confirmation {
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Confirmation::Yes,
        _ => Confirmation::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        for (answer, expected) in [
            ("y\n", Confirmation::Yes),
            ("YES\n", Confirmation::Yes),
            ("\n", Confirmation::No),
            ("yesterday\n", Confirmation::No),
            ("", Confirmation::No),
        ] {
            assert_eq!(read_answer(answer), expected, "{answer:?}");
        }
    }
}
