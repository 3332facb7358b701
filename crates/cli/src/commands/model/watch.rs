//! `monotable model watch`: the chart page of a model, drawn again on every save.
//!
//! A small web server on the loopback address: `/` is the page, and `/changes?since=VERSION`
//! answers as soon as the file is another than that version, so that the page can load itself
//! again. A version is a hash of the file: a save that changes nothing is none.

mod http;
mod page;

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use xxhash_rust::xxh3::xxh3_64;

use self::http::{Answer, Asked};
use super::chart::data::DataArguments;
use crate::outcome::Outcome;
use crate::output;

/// How often a file is looked at while a page waits for its change.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);
/// How often it is looked at for one request. A page asks again.
const LOOKS_MAX: usize = 250;
/// How many requests are answered at a time, most of which wait.
const REQUESTS_MAX: usize = 32;

const EXAMPLES: &str = "\
Examples:
  Open the page that is printed, and go on editing. Every save draws it again, with the findings
  of `model lint` and the costs of `model cost`; a mistake is shown in its place:
      monotable model watch shop.toml

  At a port that stays the same:
      monotable model watch shop.toml --port 8100

  With the items of a live table, read again on every save, in place of the samples:
      monotable model watch shop.toml --data dynamodb://Shop

Only this machine can see the page. Ends with Ctrl-C.";

/// Show the chart of a model in a browser, drawn again on every save
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Watch {
    /// The model file
    file: PathBuf,

    /// The port; a free one if it is 0
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,

    #[command(flatten)]
    data: DataArguments,
}

/// What all requests share.
struct Watched {
    path: PathBuf,
    data: DataArguments,
    address: String,
    requests: AtomicUsize,
    /// Nobody ever signals it: requests wait on it for time to pass.
    waiting: (Mutex<()>, Condvar),
}

/// Serves the page until the process is ended.
pub(super) fn run(arguments: Watch) -> Result<Outcome> {
    version(&arguments.file)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port))
        .with_context(|| format!("cannot listen on port {}", arguments.port))?;
    let address = listener.local_addr()?.to_string();
    output::line(&format!("http://{address}/ shows {}", arguments.file.display()))?;
    let watched = Arc::new(Watched {
        path: arguments.file,
        data: arguments.data,
        address,
        requests: AtomicUsize::new(0),
        waiting: (Mutex::new(()), Condvar::new()),
    });
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        let watched = Arc::clone(&watched);
        if watched.requests.fetch_add(1, Ordering::Relaxed) < REQUESTS_MAX {
            std::thread::spawn(move || watched.serve(stream));
        } else {
            watched.requests.fetch_sub(1, Ordering::Relaxed);
        }
    }
    Ok(Outcome::Done)
}

impl Watched {
    /// Answers one request. A browser that is gone is no error.
    fn serve(&self, stream: TcpStream) {
        let answer = |asked: &Asked| self.answer(asked);
        let _gone = http::serve(stream, &self.address, answer);
        self.requests.fetch_sub(1, Ordering::Relaxed);
    }

    fn answer(&self, asked: &Asked) -> Answer {
        match asked.path.as_str() {
            "/" => Answer::Page(page::page(&self.path, &self.data, &self.version())),
            "/changes" => match asked.since.as_deref() {
                Some(since) => self.change(since),
                None => Answer::Missing,
            },
            _ => Answer::Missing,
        }
    }

    /// Waits until the file is another than a version.
    fn change(&self, since: &str) -> Answer {
        for _ in 0..LOOKS_MAX {
            let version = self.version();
            if version != since {
                return Answer::Version(version);
            }
            let (mutex, condition) = &self.waiting;
            let guard = mutex.lock().unwrap_or_else(PoisonError::into_inner);
            let _time_passed = condition.wait_timeout(guard, LOOK_INTERVAL);
        }
        Answer::Version(since.to_owned())
    }

    /// The version of the file, or a word for one that cannot be read.
    fn version(&self) -> String {
        version(&self.path).unwrap_or_else(|_| "unreadable".to_owned())
    }
}

fn version(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| {
        format!("cannot read {0}; `monotable model init {0}` begins a model", path.display())
    })?;
    Ok(format!("{:016x}", xxh3_64(&bytes)))
}
