//! Resolves projections.

use monotable_item::Path;

use super::Resolver;
use super::overlap::check_overlaps;
use crate::ResolveError;
use crate::ast::ParsedProjection;
use crate::eval::Projection;

impl Resolver<'_> {
    /// Resolves a projection.
    pub fn projection(&mut self, parsed: &ParsedProjection) -> Result<Projection, ResolveError> {
        let paths: Vec<Path> =
            parsed.paths.iter().map(|path| self.path(path)).collect::<Result<_, _>>()?;
        check_overlaps(&paths.iter().collect::<Vec<_>>())?;
        Ok(Projection::new(paths))
    }
}
