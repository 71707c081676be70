//! The log and the traces of the program.

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

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// An object on each line, for programs.
    Json,
}

/// Starts writing the log to standard error, and sending traces if there is a collector.
pub(crate) fn start(log: EnvFilter, format: LogFormat, traces: Option<&Traces>) {
    // Log lines name their request, but not their step in a trace.
    let no_steps = format!("{}=off", returns::traces::TARGET).parse().ok();
    let log = no_steps.into_iter().fold(log, EnvFilter::add_directive);
    match traces {
        // The filter comes before all layers, so that filtered events cost nothing.
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
        // Service managers would store the codes of colours.
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed(),
    }
}
