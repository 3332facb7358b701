//! What engines for tests leave to the engine inside of them.

/// Implements the reads of an [`Engine`](crate::Engine) by those of a field, whose type comes after
/// it. What such an engine does in its own way is written beside the macro.
///
/// ```
/// use monotable_storage::{Decision, Engine, MemoryEngine, Reads, Result, Wants};
///
/// struct Wrapped {
///     inner: MemoryEngine,
/// }
///
/// impl Engine for Wrapped {
///     monotable_storage::delegate_reads!(inner: MemoryEngine);
///     monotable_storage::delegate_properties!(inner);
///
///     async fn transact<T: Send>(
///         &self,
///         wants: Wants<'_>,
///         decide: impl FnMut(&Reads) -> Decision<T> + Send,
///     ) -> Result<T> {
///         self.inner.transact(wants, decide).await
///     }
///
///     async fn close(&self) -> Result<()> {
///         self.inner.close().await
///     }
/// }
/// ```
#[macro_export]
macro_rules! delegate_reads {
    ($inner:ident: $engine:ty) => {
        type Snapshot = <$engine as $crate::Engine>::Snapshot;

        async fn snapshot(&self) -> $crate::Result<Self::Snapshot> {
            self.$inner.snapshot().await
        }

        async fn get(&self, key: &[u8]) -> $crate::Result<Option<::bytes::Bytes>> {
            self.$inner.get(key).await
        }

        async fn get_many(
            &self,
            keys: &[$crate::Key],
        ) -> $crate::Result<Vec<Option<::bytes::Bytes>>> {
            self.$inner.get_many(keys).await
        }
    };
}

/// Implements what an [`Engine`](crate::Engine) says about itself by what a field says.
#[macro_export]
macro_rules! delegate_properties {
    ($inner:ident) => {
        async fn now_millis(&self) -> $crate::Result<Option<u64>> {
            self.$inner.now_millis().await
        }

        fn is_shared(&self) -> bool {
            self.$inner.is_shared()
        }

        fn removes_ranges_whole(&self) -> bool {
            self.$inner.removes_ranges_whole()
        }
    };
}
