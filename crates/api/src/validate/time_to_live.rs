//! TimeToLiveSpecification: whether the items of a table expire, and by which attribute.

use monotable_database::TimeToLiveChange;
use monotable_item::limits::KEY_NAME_BYTES_MAX;
use monotable_protocol::shapes::TimeToLiveSpecification;

use super::constraint::{Violations, length_violation};
use crate::error::ApiError;

/// What a specification asks for.
pub(crate) fn change(
    specification: &Option<TimeToLiveSpecification>,
) -> Result<TimeToLiveChange, ApiError> {
    let mut violations = Violations::default();
    violations.require(specification, "timeToLiveSpecification");
    if let Some(specification) = specification {
        let (name, path) = (&specification.attribute_name, "timeToLiveSpecification.attributeName");
        violations.require(name, path);
        let long = |name: &String| length_violation(name, path, 1, KEY_NAME_BYTES_MAX);
        violations.extend(name.as_ref().and_then(long));
        violations.require(&specification.enabled, "timeToLiveSpecification.enabled");
    }
    violations.finish()?;
    let specification = specification.clone().unwrap_or_default();
    let attribute = specification.attribute_name.unwrap_or_default();
    Ok(match specification.enabled {
        Some(true) => TimeToLiveChange::Enable(attribute),
        Some(false) | None => TimeToLiveChange::Disable(attribute),
    })
}
