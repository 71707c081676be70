//! A QR code in a page.

use leptos::prelude::*;
use returns::QrCode;
use std::fmt::Write as _;
use ui::html::{Html, IntoHtml};

/// The white border that scanners need, in modules (ISO/IEC 18004).
const QUIET_ZONE: usize = 4;

/// A text as a QR code. Nothing if the text is too long. `label`: what it is, for screen readers.
pub fn qr_code(text: &str, label: &'static str) -> Option<Html> {
    let code = QrCode::new(text)?;
    let side = code.width() + 2 * QUIET_ZONE;
    let mut path = String::new();
    for (column, row) in code.dark() {
        let _ = write!(path, "M{} {}h1v1h-1z", column + QUIET_ZONE, row + QUIET_ZONE);
    }
    Some(
        view! {
            <svg class="qr" viewBox=format!("0 0 {side} {side}") role="img" aria-label=label shape-rendering="crispEdges">
                <path d=path/>
            </svg>
        }
        .into_html(),
    )
}
