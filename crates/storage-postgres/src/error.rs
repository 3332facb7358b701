//! What can go wrong, in the words of the contract.

use monotable_storage::{Error, ErrorKind, Result};
use tokio_postgres::error::{DbError, Severity, SqlState};

/// Why a store cannot be opened or made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The address has another scheme.
    #[error("the address of a PostgreSQL database begins with postgres://")]
    Scheme,
    /// The address is malformed.
    #[error("not an address of a PostgreSQL database: {}", cause(.0))]
    Address(#[source] tokio_postgres::Error),
    /// An unknown mode of encryption.
    #[error(
        "there is no sslmode \"{0}\": it is disable, prefer, require, verify-ca or verify-full"
    )]
    SslMode(String),
    /// A certificate is to be verified, but no trusted authorities are known.
    #[error("to verify the certificate of the database, sslrootcert must name a file")]
    NoAuthority,
    /// A certificate without its key, or the other way round.
    #[error("sslcert and sslkey belong together")]
    HalfCertificate,
    /// A file named in an address cannot be used.
    #[error("{} cannot be used for TLS: {reason}", path.display())]
    TlsFile {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Not a plain name.
    #[error(
        "\"{0}\" cannot be the name of a schema: 1 to 63 lower-case letters, digits and underscores"
    )]
    SchemaName(String),
    /// No connection.
    #[error("cannot connect to the database: {}", cause(.0))]
    Connect(#[source] tokio_postgres::Error),
    /// The certificate of the database is not trusted.
    #[error("the database cannot prove who it is: {0}")]
    Untrusted(String),
    /// The user or the password is wrong.
    #[error("the database does not let us in: {}", cause(.0))]
    Login(#[source] tokio_postgres::Error),
    /// There is no such database on the server.
    #[error("{}", cause(.0))]
    NoDatabase(#[source] tokio_postgres::Error),
    /// The database has no free connection.
    #[error("the database has no connection left: {}", cause(.0))]
    TooManyConnections(#[source] tokio_postgres::Error),
    /// It is starting or stopping.
    #[error("the database is not ready: {}", cause(.0))]
    NotReady(#[source] tokio_postgres::Error),
    /// No answer in time.
    #[error("cannot connect to the database: it does not answer")]
    Silent,
    /// The database has run out of space.
    #[error("the disk of the database is full: {}", cause(.0))]
    Full(#[source] tokio_postgres::Error),
    /// The user lacks a privilege.
    #[error("the database refuses: {}", cause(.0))]
    Forbidden(#[source] tokio_postgres::Error),
    /// The database refused a step.
    #[error("the database refuses: {}", cause(.0))]
    Refused(#[source] tokio_postgres::Error),
    /// Older than the versions that are tested.
    #[error("the database is {name} of version {found}; version {needed} or later is needed")]
    Version {
        /// What it is.
        name: &'static str,
        /// The major version of PostgreSQL that it says it is.
        found: i32,
        /// The oldest one that will do.
        needed: i32,
    },
    /// A server that lacks something that is needed.
    #[error("the database is {name}, which cannot hold a store: {reason}")]
    Unable {
        /// What it is.
        name: &'static str,
        /// What it lacks.
        reason: &'static str,
    },
    /// A standby.
    #[error(
        "the database takes no writes: it is a standby or read-only; name the primary, or all hosts"
    )]
    ReadOnly,
    /// There is no store at the address.
    #[error("the database holds no store in the schema \"{0}\"")]
    Missing(String),
    /// Only a part of a copy.
    #[error("the store in the schema \"{0}\" is a copy that was not finished")]
    Unfinished(String),
    /// Made or upgraded by a later version.
    #[error("the store has format {found}, and this version knows formats up to {known}")]
    NewerFormat {
        /// The format of the store.
        found: i32,
        /// The format of this version.
        known: i32,
    },
    /// Made by an earlier version.
    #[error("the store has the older format {found}, and this version needs {known}")]
    OlderFormat {
        /// The format of the store.
        found: i32,
        /// The format of this version.
        known: i32,
    },
}

/// Turns errors of the driver into ours.
type Refusal = fn(tokio_postgres::Error) -> OpenError;

impl OpenError {
    /// Why a connection could not be opened.
    pub(crate) fn connecting(error: tokio_postgres::Error) -> OpenError {
        match error.code() {
            Some(_) => return OpenError::refused(error),
            None if is_read_only(&error) => return OpenError::ReadOnly,
            None => {}
        }
        match untrusted(&error) {
            Some(reason) => OpenError::Untrusted(reason),
            None => OpenError::Connect(error),
        }
    }

    /// Why the database refuses a request.
    pub(crate) fn refused(error: tokio_postgres::Error) -> OpenError {
        let Some(code) = error.code() else { return OpenError::Refused(error) };
        let kinds: [(&[SqlState], Refusal); 6] = [
            (
                &[SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION],
                OpenError::Login,
            ),
            (&[SqlState::INVALID_CATALOG_NAME], OpenError::NoDatabase),
            (&[SqlState::TOO_MANY_CONNECTIONS], OpenError::TooManyConnections),
            (&[SqlState::CANNOT_CONNECT_NOW], OpenError::NotReady),
            (&[SqlState::DISK_FULL], OpenError::Full),
            (&[SqlState::INSUFFICIENT_PRIVILEGE], OpenError::Forbidden),
        ];
        if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
            return OpenError::ReadOnly;
        }
        let kind = kinds.iter().find(|(codes, _)| codes.contains(code));
        kind.map_or(OpenError::Refused as Refusal, |(_, kind)| *kind)(error)
    }
}

/// Returns whether a host was skipped because it takes no writes.
fn is_read_only(error: &tokio_postgres::Error) -> bool {
    let source = std::error::Error::source(error);
    let source = source.and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|source| {
        source.kind() == std::io::ErrorKind::PermissionDenied && source.raw_os_error().is_none()
    })
}

/// Why the certificate of the database is not trusted, if that is what went wrong.
fn untrusted(error: &tokio_postgres::Error) -> Option<String> {
    let source = std::error::Error::source(error)?.downcast_ref::<std::io::Error>()?;
    let reason = source.get_ref()?.downcast_ref::<rustls::Error>()?;
    Some(reason.to_string())
}

/// The error with the text of the database or of the system, which `Display` leaves out.
fn cause(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(answer), _) => answer.message().to_owned(),
        (None, Some(source)) => source.to_string(),
        (None, None) => error.to_string(),
    }
}

/// What a failed call means, if it is known that nothing was written.
pub(crate) fn failed(error: tokio_postgres::Error) -> Error {
    Error::with_source(kind_of(&error), error)
}

/// What a failed read of a snapshot means: once its connection is gone, so is the snapshot.
pub(crate) fn failed_in_snapshot(error: tokio_postgres::Error) -> Error {
    let kind = if is_lost(&error) { ErrorKind::Expired } else { kind_of(&error) };
    Error::with_source(kind, error)
}

/// What a failure before the first write means: another connection may succeed.
pub(crate) fn failed_before_writing(error: tokio_postgres::Error) -> Error {
    let kind = if is_lost(&error) { ErrorKind::Conflict } else { kind_of(&error) };
    Error::with_source(kind, error)
}

/// Returns whether the server takes no writes: it has become a standby, or read-only. The session
/// goes on, but nothing of it is of use.
pub(crate) fn takes_no_writes(error: &tokio_postgres::Error) -> bool {
    // The second is what a standby answers that is asked to begin a transaction that writes.
    let codes = [SqlState::READ_ONLY_SQL_TRANSACTION, SqlState::FEATURE_NOT_SUPPORTED];
    error.code().is_some_and(|code| codes.contains(code))
}

/// The attempts of a read, which may safely be repeated.
pub(crate) struct Tries {
    left: usize,
}

impl Tries {
    pub(crate) fn new() -> Tries {
        Tries { left: 3 }
    }

    /// Returns the answer, unless the connection was lost and another attempt is left.
    pub(crate) fn judge<T>(
        &mut self,
        answer: Result<T, tokio_postgres::Error>,
    ) -> Option<Result<T>> {
        match answer {
            Err(error) if is_lost(&error) && self.left > 0 => {
                self.left -= 1;
                None
            }
            answer => Some(answer.map_err(failed)),
        }
    }

    /// Continues after a timeout, unless that was the last attempt.
    pub(crate) fn again(&mut self) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or(ErrorKind::Unavailable)?;
        Ok(())
    }
}

/// Returns whether the connection is gone.
fn is_lost(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_none_or(is_fatal)
}

fn kind_of(error: &tokio_postgres::Error) -> ErrorKind {
    let Some(code) = error.code() else { return ErrorKind::Unavailable };
    // The group ran out of locks; alone, a transaction needs fewer.
    let conflicts = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::OUT_OF_MEMORY,
    ];
    let damages = [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED];
    if conflicts.contains(code) {
        ErrorKind::Conflict
    } else if damages.contains(code) {
        ErrorKind::Corrupt
    } else {
        ErrorKind::Unavailable
    }
}

/// Whether the session ended with this error.
pub(crate) fn is_fatal(error: &DbError) -> bool {
    !matches!(error.parsed_severity(), Some(Severity::Error))
}
