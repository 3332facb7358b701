//! The messages that arrived and wait to be answered.
//!
//! Somebody types faster than a large model is read and judged. A thread reads the messages, so
//! that it is known whether a newer text of a file waits already.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use serde_json::Value;

use super::framing::read_message;

/// How many messages wait at most; the others stay in the pipe.
const WAITING_MAX: usize = 256;

/// Messages in the order in which they arrived.
pub(super) struct Inbox {
    arriving: Receiver<io::Result<Value>>,
    waiting: VecDeque<io::Result<Value>>,
}

impl Inbox {
    /// The messages of an input.
    pub(super) fn new(mut input: impl BufRead + Send + 'static) -> Inbox {
        let (sender, arriving) = mpsc::sync_channel(WAITING_MAX);
        // It ends with the input, or with the process while it waits for a message.
        thread::spawn(move || {
            while let Some(message) = read_message(&mut input).transpose() {
                let is_last = message.is_err();
                if sender.send(message).is_err() || is_last {
                    break;
                }
            }
        });
        Inbox { arriving, waiting: VecDeque::new() }
    }

    /// The next message; nothing at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<Value>> {
        let waiting = self.waiting.pop_front();
        waiting.or_else(|| self.arriving.recv().ok()).transpose()
    }

    /// Whether a message is a change of a file of which a newer text waits.
    pub(super) fn is_superseded(&mut self, message: &Value) -> bool {
        let room = WAITING_MAX.saturating_sub(self.waiting.len());
        self.waiting.extend(self.arriving.try_iter().take(room));
        let mut waiting = self.waiting.iter().filter_map(|message| message.as_ref().ok());
        changed_file(message).is_some_and(|file| waiting.any(|one| changed_file(one) == Some(file)))
    }
}

/// The address of the file that a message changes.
fn changed_file(message: &Value) -> Option<&str> {
    let is_change = message.get("method")?.as_str()? == "textDocument/didChange";
    message.pointer("/params/textDocument/uri")?.as_str().filter(|_| is_change)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(uri: &str) -> Value {
        json!({ "method": "textDocument/didChange", "params": { "textDocument": { "uri": uri } } })
    }

    fn waiting(messages: Vec<Value>) -> Inbox {
        let (_, arriving) = mpsc::sync_channel(1);
        Inbox { arriving, waiting: messages.into_iter().map(Ok).collect() }
    }

    #[test]
    fn a_change_is_superseded_by_a_later_one_of_the_same_file() {
        let close = json!({ "method": "textDocument/didClose",
            "params": { "textDocument": { "uri": "file:///a" } } });
        let mut inbox = waiting(vec![close.clone(), change("file:///b"), change("file:///c")]);
        let is_superseded = ["file:///a", "file:///b"].map(|uri| inbox.is_superseded(&change(uri)));
        assert_eq!(is_superseded, [false, true]);
        assert!(!inbox.is_superseded(&close));
        assert_eq!(inbox.next().unwrap(), Some(close));
    }

    #[test]
    fn messages_come_in_their_order_until_the_input_ends() {
        let body = change("file:///a").to_string();
        let input = format!("Content-Length: {}\r\n\r\n{body}", body.len()).repeat(3);
        let mut inbox = Inbox::new(io::Cursor::new(input.into_bytes()));
        for _ in 0..3 {
            assert_eq!(inbox.next().unwrap(), Some(change("file:///a")));
        }
        assert_eq!(inbox.next().unwrap(), None);
        let mut broken = Inbox::new(io::Cursor::new(b"Content-Length: x\r\n\r\n".to_vec()));
        assert!(broken.next().is_err());
        assert_eq!(broken.next().unwrap(), None);
    }
}
