//! A terminal, which `script` of util-linux makes.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What runs at a terminal. It is killed when this is dropped.
pub(crate) struct Terminal {
    process: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    /// What came and was not expected yet.
    seen: Vec<u8>,
}

impl Terminal {
    /// Runs a line of a shell at a terminal, with what it remembers in a directory.
    pub(crate) fn run(typed: &str, home: &Path) -> Terminal {
        // What does not come is an end of the output then, and not a wait for ever.
        let mut process = Command::new("timeout")
            .args(["120", "script", "--quiet", "--flush", "--return"])
            .args(["--command", typed, "/dev/null"])
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .env("SHELL", "/bin/sh")
            .env("XDG_STATE_HOME", home)
            .env_remove("MONOTABLE_SQL_HISTORY")
            .env_remove("COLUMNS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (keys, screen) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Terminal { process, keys, screen, seen: Vec::new() }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Reads until a text comes; gives what came before it.
    #[track_caller]
    pub(crate) fn expect(&mut self, text: &str) -> String {
        let mut buffer = [0; 4096];
        loop {
            let found = self.seen.windows(text.len()).position(|part| part == text.as_bytes());
            if let Some(at) = found {
                let before = String::from_utf8_lossy(&self.seen[..at]).into_owned();
                self.seen.drain(..at + text.len());
                return before;
            }
            let length = self.screen.read(&mut buffer).unwrap();
            assert!(length > 0, "{text:?} did not come: {}", String::from_utf8_lossy(&self.seen));
            self.seen.extend(&buffer[..length]);
        }
    }

    /// The exit code, once it has ended.
    pub(crate) fn end(&mut self) -> Option<i32> {
        self.process.wait().unwrap().code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
