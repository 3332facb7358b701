//! StreamSpecification: whether a table has a stream, and what it holds.

use monotable_database::schema::StreamView;
use monotable_protocol::shapes::StreamSpecification;

use super::constraint::Violations;
use super::enums::Member;
use crate::error::ApiError;

pub(crate) const STREAM_VIEW_TYPE: Member<Option<StreamView>> = Member {
    path: "streamSpecification.streamViewType",
    default: None,
    values: &[
        ("OLD_IMAGE", Some(StreamView::OldImage)),
        ("KEYS_ONLY", Some(StreamView::KeysOnly)),
        ("NEW_AND_OLD_IMAGES", Some(StreamView::NewAndOldImages)),
        ("NEW_IMAGE", Some(StreamView::NewImage)),
    ],
};

/// A specification whose members are well-formed, each by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StreamMembers {
    is_enabled: bool,
    view: Option<StreamView>,
}

/// Reads a specification, which may be absent.
pub(crate) fn read(
    violations: &mut Violations,
    specification: &Option<StreamSpecification>,
) -> Option<StreamMembers> {
    let specification = specification.as_ref()?;
    violations.require(&specification.stream_enabled, "streamSpecification.streamEnabled");
    let view = STREAM_VIEW_TYPE.read(&specification.stream_view_type);
    violations.extend(view.as_ref().err().cloned());
    Some(StreamMembers {
        is_enabled: specification.stream_enabled.unwrap_or_default(),
        view: view.unwrap_or_default(),
    })
}

/// The stream of a table to be created.
pub(crate) fn of_new_table(members: Option<StreamMembers>) -> Result<Option<StreamView>, ApiError> {
    let Some(StreamMembers { is_enabled, view }) = members else { return Ok(None) };
    match (is_enabled, view) {
        (true, Some(view)) => Ok(Some(view)),
        (false, None) => Ok(None),
        (true, None) => Err(ApiError::parameter(
            "Table is being created with a stream enabled, UpdateViewType is required",
        )),
        (false, Some(_)) => Err(ApiError::parameter(
            "Table is being created with a stream disabled, UpdateViewType should not be specified",
        )),
    }
}

/// The stream of a table after a change, none if the change is not about it.
pub(crate) fn of_table(
    members: Option<StreamMembers>,
    current: Option<StreamView>,
    table: &str,
) -> Result<Option<Option<StreamView>>, ApiError> {
    let Some(StreamMembers { is_enabled, view }) = members else { return Ok(None) };
    match (is_enabled, view, current) {
        (true, Some(view), None) => Ok(Some(Some(view))),
        (false, None, Some(_)) => Ok(Some(None)),
        (true, None, _) => {
            Err(ApiError::parameter("If stream is being enabled then UpdateViewType is required"))
        }
        (false, Some(_), _) => Err(ApiError::parameter(
            "If stream is being disabled, then UpdateViewType must not be specified",
        )),
        (true, Some(_), Some(_)) => Err(ApiError::validation(format!(
            "Table already has an enabled stream: TableName: {table}"
        ))),
        (false, None, None) => {
            Err(ApiError::validation(format!("Table has no stream to disable: TableName: {table}")))
        }
    }
}
