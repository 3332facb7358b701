//! Keys that are pressed, one by one and unseen.

use std::future::Future;
use std::io::{self, Read};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// `q`, and what ends a program otherwise: Ctrl-C and Ctrl-D. They are read as keys, so that the
/// terminal is put back however the view is left.
const LEAVING: [u8; 4] = [b'q', b'Q', 0x03, 0x04];

/// Hands over what is typed, without waiting for the end of a line. The terminal is as it was when
/// this is dropped.
pub(super) struct KeyPresses {
    typed: UnboundedReceiver<u8>,
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

impl KeyPresses {
    pub(super) fn listen() -> io::Result<KeyPresses> {
        let (sender, typed) = unbounded_channel();
        // It waits for a key until the process ends, which nothing can call off.
        std::thread::Builder::new().name("keys".to_owned()).spawn(move || {
            for byte in io::stdin().lock().bytes().map_while(Result::ok) {
                if sender.send(byte).is_err() {
                    break;
                }
            }
        })?;
        Ok(KeyPresses {
            typed,
            #[cfg(unix)]
            before: unbuffer(),
        })
    }

    /// Does something unless a key leaves before it is done. Returns what was done.
    pub(super) async fn or_leave<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        let pressed = async {
            loop {
                match self.typed.recv().await {
                    Some(byte) if LEAVING.contains(&byte) => return,
                    Some(_) => {}
                    None => std::future::pending().await,
                }
            }
        };
        tokio::select! {
            () = pressed => None,
            done = work => Some(done),
        }
    }
}

/// Has the terminal hand over each key at once, unseen; gives how it was before.
#[cfg(unix)]
fn unbuffer() -> Option<rustix::termios::Termios> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let before = tcgetattr(io::stdin()).ok()?;
    let mut changed = before.clone();
    changed.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
    tcsetattr(io::stdin(), OptionalActions::Now, &changed).ok()?;
    Some(before)
}

#[cfg(unix)]
impl Drop for KeyPresses {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.before {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}
