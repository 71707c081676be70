//! What the program tells of itself as it runs: lines of a log, and traces.

use clap::ValueEnum;
use returns::traces::Traces;
use std::io::{self, IsTerminal as _};
use tracing::Subscriber;
use tracing_subscriber::{
    EnvFilter, Layer, fmt,
    layer::SubscriberExt as _,
    registry::{LookupSpan, Registry},
    util::SubscriberInitExt as _,
};

/// How lines of the log look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// An object on each line, for programs.
    Json,
}

/// Writes the log to standard error from here on, and sends traces, where they go anywhere.
pub(crate) fn start(log: EnvFilter, format: LogFormat, traces: Option<&Traces>) {
    // Lines say of which request they are, and not at which step of a trace.
    let no_steps = format!("{}=off", returns::traces::TARGET).parse().ok();
    let log = no_steps.into_iter().fold(log, EnvFilter::add_directive);
    match traces {
        // One filter before all: what nobody wants to know costs nothing.
        None => Registry::default().with(log).with(lines(format)).init(),
        Some(traces) => Registry::default().with(traces.layer()).with(lines(format).with_filter(log)).init(),
    }
}

fn lines<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let lines = fmt::layer().with_target(false).with_writer(io::stderr);
    match format {
        // Service managers keep colours as they come.
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed(),
    }
}
