//! Text as HTML, with the part of Markdown that the document uses.

use serde_json::Value;
use std::fmt::Write as _;

/// A text of the document; empty if the value is none.
pub(super) fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The anchor of a heading.
pub(super) fn anchor(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

/// A title with a link to itself.
pub(super) fn heading(level: u8, id: &str, title: &str) -> String {
    let title = code(&escape(title));
    format!(
        "<h{level} id=\"{id}\">{title} <a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to this section: {id}\">#</a></h{level}>"
    )
}

/// Paragraphs, lists, commands and headings. `level`: the level of the headings.
pub(super) fn markdown(text: &str, level: u8) -> String {
    let mut html = String::new();
    // Every second part is between fences.
    for (at, part) in text.split("```").enumerate() {
        if at % 2 == 1 {
            html.push_str(&boxed(part.trim_matches('\n')));
        } else {
            part.split("\n\n").map(str::trim).filter(|block| !block.is_empty()).for_each(|block| {
                write_block(&mut html, block, level);
            });
        }
    }
    html
}

fn write_block(html: &mut String, block: &str, level: u8) {
    if let Some(title) = block.strip_prefix("## ") {
        html.push_str(&heading(level, &anchor(title), title));
        return;
    }
    let (lines, items): (Vec<&str>, Vec<&str>) = block.lines().partition(|line| !line.starts_with("- "));
    if !lines.is_empty() {
        let _ = write!(html, "<p>{}</p>", code(&escape(&lines.join(" "))));
    }
    if !items.is_empty() {
        let items = items.iter().map(|item| format!("<li>{}</li>", code(&escape(item.trim_start_matches("- ")))));
        let _ = write!(html, "<ul>{}</ul>", items.collect::<String>());
    }
}

/// Commands or JSON in a box that the keyboard can scroll.
pub(super) fn boxed(text: &str) -> String {
    format!("<pre tabindex=\"0\"><code>{}</code></pre>", escape(text))
}

/// Text between backticks becomes code, and text between double asterisks becomes bold.
pub(super) fn code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { format!("<code>{part}</code>") } else { bold(part) }).collect()
}

fn bold(text: &str) -> String {
    let parts = text.split("**").enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { format!("<b>{part}</b>") } else { part.to_owned() }).collect()
}

/// A text that is safe within HTML and its attributes.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_escaped_html() {
        let text = "## First call\n\nRead `<id>`:\n- **one** & two\n- `three`\n\n```\ncurl \"$A\"\n\n# done\n```\n";
        let html = markdown(text, 2);
        for part in [
            "<h2 id=\"first-call\">First call <a",
            "<p>Read <code>&lt;id&gt;</code>:</p><ul><li><b>one</b> &amp; two</li><li><code>three</code></li></ul>",
            "<pre tabindex=\"0\"><code>curl &quot;$A&quot;\n\n# done</code></pre>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
