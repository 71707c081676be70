//! The text format of Prometheus 0.0.4.

use std::fmt::Write;

/// The `Content-Type` of the format.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4";

/// Writes the two lines that precede the values of a metric.
pub(crate) fn write_head(text: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

/// Writes a metric that has one value and no labels.
pub(crate) fn write_value(
    text: &mut String,
    name: &str,
    kind: &str,
    help: &str,
    value: impl std::fmt::Display,
) -> std::fmt::Result {
    write_head(text, name, kind, help)?;
    writeln!(text, "{name} {value}")
}
