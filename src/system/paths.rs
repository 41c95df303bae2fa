//! Names of files, and what lies there.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

/// The last part of a path; the whole path if it has none.
pub(crate) fn file_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()
}

/// Is there a pipe or a device?
pub(crate) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}
