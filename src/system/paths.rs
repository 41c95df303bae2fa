//! Names of files.

use std::borrow::Cow;
use std::path::Path;

/// The last part of a path; the whole path if it has none.
pub(crate) fn file_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()
}
