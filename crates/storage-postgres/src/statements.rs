//! All statements that are used while the store is in operation.
//!
//! Lists are passed as arrays, so that a statement is prepared once, whatever their length. Their
//! order is kept: `unnest` returns rows in it, and rows are written, numbered and locked in it.

use tokio_postgres::{Client, Error, Statement};

/// Keys of up to this many bytes are stored in `kv`, whose index holds them whole. Longer ones are
/// stored in `kv_long`, by their hash. An index of PostgreSQL takes about 2,690 bytes.
pub(crate) const INDEXED_KEY_BYTES_MAX: usize = 2_600;

/// The longest name of a log or counter.
pub(crate) const NAME_BYTES_MAX: usize = 2_000;

macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $sql:expr;)*) => {
        /// The statements, prepared on one connection.
        pub(crate) struct Statements {
            $($(#[$doc])* pub(crate) $name: Statement,)*
        }

        impl Statements {
            /// Prepares all of them in one round trip.
            pub(crate) async fn prepare(client: &Client) -> Result<Statements, Error> {
                let ($($name,)*) = tokio::try_join!($(client.prepare($sql),)*)?;
                Ok(Statements { $($name,)* })
            }
        }
    };
}

statements! {
    /// Each read must see what was committed when the locks were acquired, whatever the default is.
    begin = "begin isolation level read committed read write";
    /// The snapshot is taken by the first query after it.
    begin_snapshot = "begin isolation level repeatable read read only";
    commit = "commit";
    rollback = "rollback";
    nothing = "select 1";
    now_millis = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";

    /// Parameters: numbers in ascending order, and whether each is shared.
    lock_keys = "select case when lock.shared then pg_advisory_xact_lock_shared(lock.id) \
         else pg_advisory_xact_lock(lock.id) end \
         from unnest($1::bigint[], $2::boolean[]) as lock(id, shared)";
    lock_logs = "select pg_advisory_xact_lock(id) from unnest($1::bigint[]) as id";

    get_many = "select k, v from kv where k = any($1::bytea[])";
    /// Parameters: keys, and long keys.
    get_many_long = "select k, v from kv where k = any($1::bytea[]) \
         union all select k, v from kv_long \
         where digest in (select sha256(k) from unnest($2::bytea[]) as k)";
    range_forward = "select k, v from kv where k >= $1 and k < $2 order by k limit $3";
    range_backward = "select k, v from kv where k >= $1 and k < $2 order by k desc limit $3";
    /// For keys longer than the prefix, prefixes sort like the keys. The index is on the prefixes.
    long_forward = "select k, v from kv_long \
         where substring(k, 1, 2600) >= substring($1::bytea, 1, 2600) \
         and substring(k, 1, 2600) <= substring($2::bytea, 1, 2600) and k >= $1 and k < $2 \
         order by substring(k, 1, 2600), k limit $3";
    long_backward = "select k, v from kv_long \
         where substring(k, 1, 2600) >= substring($1::bytea, 1, 2600) \
         and substring(k, 1, 2600) <= substring($2::bytea, 1, 2600) and k >= $1 and k < $2 \
         order by substring(k, 1, 2600) desc, k desc limit $3";
    log_forward = "select pos, v from log \
         where log = $1 and pos >= $2 and pos <= $3 order by pos limit $4";
    log_backward = "select pos, v from log \
         where log = $1 and pos >= $2 and pos <= $3 order by pos desc limit $4";
    log_end = "select pos from log where log = $1 order by pos desc limit 1";
    /// The sum of all slots, which wraps around at 64 bits.
    counters = "select k, (mod(mod(sum(v), 18446744073709551616) + 27670116110564327424, \
         18446744073709551616) - 9223372036854775808)::bigint from counter \
         where k >= $1 and k < $2 group by k order by k limit $3";

    /// Parameters: the new token, and one whose outcome is known to all who asked.
    write_token = "with forgotten as (delete from token where id = $2) \
         insert into token (id) values ($1)";
    settle_token = "insert into token (id) values ($1) on conflict do nothing";
    confirm_token = "update token set made = made where id = $1";
    put = "insert into kv (k, v) select * from unnest($1::bytea[], $2::bytea[]) \
         on conflict (k) do update set v = excluded.v";
    /// The last two statements in one, which is what most groups write. Parameters: those of both.
    write_token_and_put = "with forgotten as (delete from token where id = $2), \
         written as (insert into token (id) values ($1)) \
         insert into kv (k, v) select * from unnest($3::bytea[], $4::bytea[]) \
         on conflict (k) do update set v = excluded.v";
    put_long = "insert into kv_long (digest, k, v) \
         select sha256(entry.k), entry.k, entry.v \
         from unnest($1::bytea[], $2::bytea[]) as entry(k, v) \
         on conflict (digest) do update set v = excluded.v";
    delete = "delete from kv where k = any($1::bytea[])";
    delete_long = "delete from kv_long \
         where digest in (select sha256(k) from unnest($1::bytea[]) as k)";
    delete_range = "delete from kv where k >= $1 and k < $2";
    delete_long_range = "delete from kv_long \
         where substring(k, 1, 2600) >= substring($1::bytea, 1, 2600) \
         and substring(k, 1, 2600) <= substring($2::bytea, 1, 2600) and k >= $1 and k < $2";
    append = "insert into log (log, pos, v) \
         select entry.log, nextval('position'), entry.v \
         from unnest($1::bytea[], $2::bytea[]) as entry(log, v)";
    place = "insert into log (log, pos, v) \
         select * from unnest($1::bytea[], $2::bigint[], $3::bytea[])";
    /// Positions assigned from now on come after this one.
    advance = "select setval('position', greatest($1, nextval('position')))";
    logs = "with recursive found as ( \
         (select log from log order by log limit 1) \
         union all select (select log.log from log where log.log > found.log \
         order by log.log limit 1) from found where found.log is not null) \
         select log from found where log is not null";
    trim = "delete from log where log = $1 and pos <= $2";
    /// Parameters: the slot, counters, and by how much each changes.
    add = "insert into counter (k, slot, v) select change.k, $1::smallint, change.v \
         from unnest($2::bytea[], $3::bigint[]) as change(k, v) \
         on conflict (k, slot) do update set v = (mod(counter.v::numeric + excluded.v \
         + 27670116110564327424, 18446744073709551616) - 9223372036854775808)::bigint";
    reset = "delete from counter where k = any($1::bytea[])";
}
