//! A database with its API, served over HTTP or called in the process.

use std::pin::Pin;
use std::sync::Arc;

use monotable_api::{Api, ApiError, Imitation};
use monotable_database::{Clock, Database, DatabaseOptions, Home, Ids, OpenError};
use monotable_faults::FaultPlan;
use monotable_identity::Caller;
use monotable_observe::Observer;
use monotable_server::{Listener, Options, Recorder, Server, Tls};

use crate::store::Store;

/// Something that takes time.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// See the module.
pub struct Node {
    database: Arc<Database<Store>>,
    api: Api<Store>,
}

/// How a node is served.
pub struct Serving {
    /// Where connections come in.
    pub listener: Listener,
    /// How the server behaves.
    pub options: Options,
    /// The time of the machine.
    pub clock: Arc<dyn Clock>,
    /// Where the numbers of requests come from.
    pub ids: Arc<dyn Ids>,
    /// Is given every call, if there is one.
    pub recorder: Option<Arc<dyn Recorder>>,
    /// Encrypts connections, if there is one.
    pub tls: Option<Tls>,
    /// Ends when the server is to stop.
    pub stop: Work<'static, ()>,
}

/// A node that takes no more calls.
pub struct Stopped {
    database: Arc<Database<Store>>,
}

impl Node {
    /// Opens the data of a store. Calls that name no account are about the tables of this home.
    pub fn open(
        store: Store,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        options: DatabaseOptions,
        home: Home,
    ) -> Work<'static, Result<Node, OpenError>> {
        Box::pin(async move {
            let database = Database::open(store, clock, ids, options).await?;
            let api = Api::new(database.clone(), home);
            Ok(Node { database, api })
        })
    }

    /// The same node, with calls refused that AWS would refuse.
    #[must_use]
    pub fn imitating(mut self, imitation: Imitation) -> Node {
        self.api = self.api.imitating(imitation);
        self
    }

    /// The same node, with calls seen by an observer.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<Observer>) -> Node {
        self.api = self.api.observed_by(observer);
        self
    }

    /// The same node, with calls that fail by these faults.
    #[must_use]
    pub fn disturbed_by(self, faults: FaultPlan) -> Node {
        self.api.set_faults(faults);
        self
    }

    /// The faults that are in force.
    pub fn faults(&self) -> Arc<FaultPlan> {
        self.api.faults()
    }

    /// Who this is to others that use the same store.
    pub fn owner(&self) -> u128 {
        self.database.owner()
    }

    /// Answers one call from the process itself.
    pub fn call<'a>(
        &'a self,
        caller: &'a Caller,
        target: &'a str,
        body: &'a [u8],
    ) -> Work<'a, Result<Vec<u8>, ApiError>> {
        Box::pin(self.api.call(caller, target, body))
    }

    /// Serves until it is told to stop, and then until the requests in flight are answered.
    pub fn serve(self, serving: Serving) -> Work<'static, Stopped> {
        let Serving { listener, options, clock, ids, recorder, tls, stop } = serving;
        let Node { database, api } = self;
        let mut server = Server::new(api, options, clock, ids.as_ref());
        if let Some(recorder) = recorder {
            server = server.recorded_by(recorder);
        }
        if let Some(tls) = tls {
            server = server.encrypted_by(tls);
        }
        Box::pin(async move {
            server.serve(listener, stop).await;
            Stopped { database }
        })
    }

    /// Takes no more calls.
    pub fn stop(self) -> Stopped {
        Stopped { database: self.database }
    }
}

impl Stopped {
    /// Ends what works in the background, and closes the data.
    pub fn close(self) -> Work<'static, Result<(), monotable_storage::Error>> {
        Box::pin(async move { self.database.close().await })
    }
}
