//! A letter as a list of parts. Each part is written as plain text and as HTML, with the same content.
//!
//! The HTML works in mail programs of the last twenty years: one column, inline styles, and a few overrides for dark mode.

use crate::{
    amounts::receipt::{Receipt, ReceiptLine},
    words::Words,
};
use domain::account::Account;
use html_escape::{encode_double_quoted_attribute as attribute, encode_text as text};
use returns::InlineImage;
use std::fmt::Write as _;
use ui::{
    text::{format, isolated},
    tokens,
};

/// The parts of a letter in order, and its footer.
#[derive(Debug, Default)]
pub struct Letter {
    parts: Vec<Part>,
    foot: Vec<Foot>,
}

#[derive(Debug)]
enum Part {
    Title(String),
    Text(String),
    Button { text: String, href: String },
    Link { text: String, href: String },
    Code(Box<ShownCode>),
    Facts { title: String, rows: Vec<(String, String)> },
    Items { title: String, rows: Vec<(String, String)> },
    Receipt { title: &'static str, receipt: Box<Receipt> },
}

/// A code with the text that people read out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownCode {
    /// The content id that the HTML refers to.
    pub cid: String,
    pub png: Vec<u8>,
    /// The alternative text of the picture.
    pub alt: String,
    pub caption: &'static str,
    /// The text below the picture.
    pub says: String,
}

#[derive(Debug)]
struct Foot {
    text: String,
    href: Option<String>,
}

impl Letter {
    /// The title.
    #[must_use]
    pub fn title(self, text: &str) -> Self {
        self.with(Part::Title(text.to_owned()))
    }

    /// A paragraph. An empty one is left out.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        if text.is_empty() { self } else { self.with(Part::Text(text.to_owned())) }
    }

    /// The main link, as a button.
    #[must_use]
    pub fn button(self, text: &str, href: &str) -> Self {
        self.with(Part::Button { text: text.to_owned(), href: href.to_owned() })
    }

    /// A secondary link.
    #[must_use]
    pub fn link(self, text: &str, href: &str) -> Self {
        self.with(Part::Link { text: text.to_owned(), href: href.to_owned() })
    }

    /// A code to show.
    #[must_use]
    pub fn code(self, code: ShownCode) -> Self {
        self.with(Part::Code(Box::new(code)))
    }

    /// Labelled facts, with a title unless it is empty. Without facts, nothing is added. `\n` separates the lines of a fact, such
    /// as an address.
    #[must_use]
    pub fn facts(self, title: &str, rows: Vec<(String, String)>) -> Self {
        if rows.is_empty() { self } else { self.with(Part::Facts { title: title.to_owned(), rows }) }
    }

    /// Items and what is asked for each, with a title.
    #[must_use]
    pub fn items(self, title: &str, rows: Vec<(String, String)>) -> Self {
        if rows.is_empty() { self } else { self.with(Part::Items { title: title.to_owned(), rows }) }
    }

    /// The receipt.
    #[must_use]
    pub fn receipt(self, title: &'static str, receipt: Option<Receipt>) -> Self {
        match receipt {
            Some(receipt) => self.with(Part::Receipt { title, receipt: Box::new(receipt) }),
            None => self,
        }
    }

    /// A line of the footer, with a link.
    #[must_use]
    pub fn foot(mut self, text: &str, href: Option<&str>) -> Self {
        self.foot.push(Foot { text: text.to_owned(), href: href.map(str::to_owned) });
        self
    }

    fn with(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// The pictures that the HTML refers to.
    pub fn pictures(&self) -> Vec<InlineImage> {
        let picture = |part: &Part| match part {
            Part::Code(code) => {
                Some(InlineImage { cid: code.cid.clone(), media_type: "image/png", bytes: code.png.clone() })
            }
            _ => None,
        };
        self.parts.iter().filter_map(picture).collect()
    }

    /// The letter as plain text.
    pub fn plain(&self, words: &Words) -> String {
        let mut written = String::new();
        for part in &self.parts {
            part.write_plain(&mut written, words);
            written.push('\n');
        }
        if !self.foot.is_empty() {
            written.push_str("-- \n");
        }
        for foot in &self.foot {
            let _ = match &foot.href {
                Some(href) => writeln!(written, "{}: {href}", foot.text),
                None => writeln!(written, "{}", foot.text),
            };
        }
        written
    }

    /// The letter as an HTML document.
    pub fn html(&self, account: &Account, words: &Words) -> String {
        let language = words.language();
        let color = tokens::mail_color(&account.branding);
        let mut body = String::new();
        for part in &self.parts {
            part.write_html(&mut body, &color, words);
        }
        let mut foot = String::new();
        for line in &self.foot {
            let said = match &line.href {
                Some(href) => format!(r#"<a href="{}" style="{FOOT}">{}</a>"#, attribute(href), text(&line.text)),
                None => text(&line.text).into_owned(),
            };
            let _ = write!(foot, r#"<p class="quiet" style="{FOOT}margin:0 0 8px">{said}</p>"#);
        }
        format!(
            r#"<!DOCTYPE html>
<html lang="{lang}" dir="{dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>{name}</title><style>{DARK}</style></head>
<body class="ground" style="margin:0;padding:24px 12px;background:#f4f4f2;{TYPE}">
<div style="max-width:560px;margin:0 auto">
<p class="ink" style="margin:0 0 16px;font-size:18px;font-weight:600;color:#1d1d1b">{brand}</p>
<div class="card" style="background:#ffffff;border-radius:8px;padding:24px;color:#1d1d1b">
{body}</div>
<div style="padding:16px 4px 0">{foot}</div>
</div></body></html>
"#,
            lang = language.tag(),
            dir = language.direction(),
            name = text(&account.name),
            brand = brand_of(account),
        )
    }
}

/// The logo with the shop's name as its alternative text, or the name.
fn brand_of(account: &Account) -> String {
    match &account.branding.logo_url {
        Some(logo) => format!(
            r#"<img class="logo" src="{}" alt="{}" height="32" style="display:inline-block;height:32px;width:auto;max-width:100%;border:0;border-radius:6px">"#,
            attribute(logo),
            attribute(&account.name)
        ),
        None => text(&account.name).into_owned(),
    }
}

const TYPE: &str =
    "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:16px;line-height:1.5;";
const FOOT: &str = "font-size:13px;line-height:1.5;color:#5b5b58;";
const DARK: &str = "@media (prefers-color-scheme:dark){.ground{background:#171716!important}\
    .card{background:#232322!important;color:#f1f1ee!important}.ink{color:#f1f1ee!important}\
    .quiet,.quiet a{color:#b5b5b0!important}.line{border-color:#3c3c3a!important}\
    .go{border-color:#8f8f8a!important}.way{color:#f1f1ee!important}\
    .logo{background:#ffffff!important;padding:6px!important}}";

impl Part {
    fn write_plain(&self, to: &mut String, words: &Words) {
        let _ = match self {
            Self::Title(title) => writeln!(to, "{title}\n{}", "=".repeat(title.chars().count().min(60))),
            Self::Text(text) => writeln!(to, "{text}"),
            Self::Button { text, href } | Self::Link { text, href } => writeln!(to, "{text}:\n{href}"),
            Self::Code(code) => {
                writeln!(to, "{}", format(words.live().about_row, &[code.caption, &isolated(&code.says, words)]))
            }
            Self::Facts { title, rows } => plain_rows(to, title, rows, |what, about| {
                let lines: Vec<_> = about.lines().map(|line| isolated(line, words)).collect();
                let [about] = lines.as_slice() else {
                    let what = format(words.live().about_row, &[what, ""]);
                    return format!("{}\n  {}", what.trim_end(), lines.join("\n  "));
                };
                format(words.live().about_row, &[what, about])
            }),
            Self::Items { title, rows } => {
                plain_rows(to, title, rows, |what, about| format!("{} – {about}", isolated(what, words)))
            }
            Self::Receipt { title, receipt } => {
                let _ = writeln!(to, "{title}:");
                lines(receipt)
                    .into_iter()
                    .try_for_each(|(line, _)| writeln!(to, "{}  {}", said(line, words), line.figure))
            }
        };
    }

    fn write_html(&self, to: &mut String, color: &str, words: &Words) {
        let _ = match self {
            Self::Title(title) => {
                writeln!(to, r#"<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3">{}</h1>"#, text(title))
            }
            Self::Text(said) => writeln!(to, r#"<p style="margin:0 0 16px">{}</p>"#, text(said)),
            Self::Button { text: said, href } => writeln!(
                to,
                r#"<p style="margin:20px 0"><a class="go" href="{}" style="display:inline-block;background:{color};border:1px solid {color};color:#ffffff;padding:12px 20px;border-radius:6px;font-weight:600;text-decoration:none">{}</a></p>"#,
                attribute(href),
                text(said)
            ),
            Self::Link { text: said, href } => writeln!(
                to,
                r#"<p style="margin:0 0 16px"><a class="way" href="{}" style="color:{color}">{}</a></p>"#,
                attribute(href),
                text(said)
            ),
            Self::Code(code) => write_code(to, code),
            Self::Facts { title, rows } => rows_of(to, title, rows, |what, about| {
                let about = about.lines().fold(String::new(), |mut lines, line| {
                    let _ = write!(lines, "<br><bdi>{}</bdi>", text(line));
                    lines
                });
                format!("<bdi style=\"font-weight:600\">{}</bdi>{about}", text(what))
            }),
            Self::Items { title, rows } => {
                rows_of(to, title, rows, |what, about| format!("<bdi>{}</bdi> – {}", text(what), text(about)))
            }
            Self::Receipt { title, receipt } => {
                let _ = write!(
                    to,
                    r#"{}<table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 16px">"#,
                    heading(title)
                );
                for (line, is_sum) in lines(receipt) {
                    let weight = if is_sum { "font-weight:600;" } else { "" };
                    let _ = write!(
                        to,
                        r#"<tr><td class="line" style="{weight}padding:6px 0;border-top:1px solid #e3e3df">{}</td><td class="line" style="{weight}padding:6px 0;border-top:1px solid #e3e3df;text-align:end;white-space:nowrap">{}</td></tr>"#,
                        text(&said(line, words)),
                        text(&line.figure)
                    );
                }
                writeln!(to, "</table>")
            }
        };
    }
}

type Written = Result<(), std::fmt::Error>;

/// Rows as plain text. `said` joins a label and its value.
fn plain_rows(to: &mut String, title: &str, rows: &[(String, String)], said: impl Fn(&str, &str) -> String) -> Written {
    match title {
        "" => {}
        sentence if sentence.ends_with('.') => writeln!(to, "{sentence}")?,
        title => writeln!(to, "{title}:")?,
    }
    rows.iter().try_for_each(|(what, about)| match about.as_str() {
        "" => writeln!(to, "- {what}"),
        about => writeln!(to, "- {}", said(what, about)),
    })
}

/// Rows as an HTML list.
fn rows_of(to: &mut String, title: &str, rows: &[(String, String)], said: impl Fn(&str, &str) -> String) -> Written {
    write!(to, "{}<ul style=\"margin:0 0 16px;padding-inline-start:20px\">", heading(title))?;
    for (what, about) in rows {
        write!(to, r#"<li style="margin:0 0 6px">{}</li>"#, said(what, about))?;
    }
    writeln!(to, "</ul>")
}

/// The background stays white in dark mode: scanners need the border.
fn write_code(to: &mut String, code: &ShownCode) -> Written {
    write!(to, r#"<p style="margin:16px 0 4px;font-weight:600">{}</p>"#, text(code.caption))?;
    write!(
        to,
        r#"<img src="cid:{}" alt="{}" width="220" height="220" style="display:block;max-width:100%;height:auto;background:#ffffff;border-radius:8px">"#,
        attribute(&code.cid),
        attribute(&code.alt)
    )?;
    writeln!(
        to,
        r#"<p style="margin:8px 0 20px;font-size:20px;font-weight:600;letter-spacing:0.02em"><bdi>{}</bdi></p>"#,
        text(&code.says)
    )
}

fn heading(title: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    format!(r#"<h2 style="margin:20px 0 8px;font-size:16px">{}</h2>"#, text(title))
}

/// The label of a receipt line, with its note.
fn said(line: &ReceiptLine, words: &Words) -> String {
    if line.note.is_empty() {
        return line.what.clone();
    }
    format(words.only_for, &[&isolated(&line.what, words), &isolated(&line.note, words)])
}

/// The lines of a receipt. `true` marks sums.
fn lines(receipt: &Receipt) -> Vec<(&ReceiptLine, bool)> {
    let parts = receipt.lines.iter().map(|line| (line, false));
    let sums = receipt.payable.iter().chain(&receipt.also).chain([&receipt.total]).map(|line| (line, true));
    parts.chain(sums).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::EN;
    use ui::language::Language;

    #[test]
    fn user_text_is_escaped_in_both_formats() {
        let letter = Letter::default()
            .title("<b>You & me</b>")
            .text("\"5 < 6\"")
            .button("Go", "https://a.example/?a=1&b=\"2\"")
            .items("In it", vec![("<script>".to_owned(), "1 & 2".to_owned())])
            .facts("", vec![("<i>".to_owned(), "</ul>".to_owned())])
            .foot("Bye", Some("https://a.example/stop"));
        let plain = letter.plain(&EN);
        assert!(
            plain.contains("<b>You & me</b>\n=")
                && plain.contains("- <script> – 1 & 2")
                && plain.contains("- <i>: </ul>")
                && plain.ends_with("Bye: https://a.example/stop\n")
        );
        let account = crate::mail::sample::account();
        let html = letter.html(&account, &EN);
        assert!(html.contains("&lt;b&gt;You &amp; me&lt;/b&gt;") && html.contains("&lt;script&gt;"), "{html}");
        assert!(html.contains(r#"href="https://a.example/?a=1&amp;b=&quot;2&quot;""#), "{html}");
        assert!(html.contains("Ash &amp; Alder") && !html.contains("<script") && !html.contains("<i>"), "{html}");
        assert!(html.contains("&lt;script&gt;</bdi> – 1 &amp; 2</li>"), "{html}");
    }

    #[test]
    fn a_fact_of_several_lines_keeps_them() {
        let rows = || vec![("Return address".to_owned(), "A & B\n1 High St\nLeith".to_owned())];
        let letter = Letter::default().facts("", rows());
        assert!(
            letter.plain(&EN).starts_with("- Return address:\n  A & B\n  1 High St\n  Leith\n"),
            "{}",
            letter.plain(&EN)
        );
        let html = letter.html(&crate::mail::sample::account(), &EN);
        assert!(html.contains("<br><bdi>A &amp; B</bdi><br><bdi>1 High St</bdi><br><bdi>Leith</bdi></li>"), "{html}");
        let arabic = Letter::default().facts("", rows()).plain(Words::of(Language::Ar));
        assert!(
            arabic.contains("\n  \u{2068}A & B\u{2069}\n  \u{2068}1 High St\u{2069}\n"),
            "each goes its own way: {arabic}"
        );
    }

    #[test]
    fn a_code_is_a_picture_with_its_text_below() {
        let code = ShownCode {
            cid: "code-1@retour".to_owned(),
            png: vec![1, 2, 3],
            alt: "Code for return R-7Q2M4KXD".to_owned(),
            caption: EN.show_this,
            says: "R-7Q2M4KXD".to_owned(),
        };
        let letter = Letter::default().code(code);
        assert!(letter.plain(&EN).starts_with("Show this at the counter: R-7Q2M4KXD\n"), "{}", letter.plain(&EN));
        let html = letter.html(&crate::mail::sample::account(), &EN);
        assert!(html.contains(r#"<img src="cid:code-1@retour" alt="Code for return R-7Q2M4KXD""#), "{html}");
        assert!(html.contains("<bdi>R-7Q2M4KXD</bdi>"), "{html}");
        let pictures = letter.pictures();
        assert_eq!((pictures[0].cid.as_str(), pictures[0].bytes.as_slice()), ("code-1@retour", [1, 2, 3].as_slice()));
    }

    #[test]
    fn a_logo_has_the_shop_s_name_as_alternative_text() {
        let mut account = crate::mail::sample::account();
        account.branding.logo_url = Some("https://returns.example/a.png?a=1&b=2".to_owned());
        let html = Letter::default().html(&account, &EN);
        assert!(html.contains(r#"src="https://returns.example/a.png?a=1&amp;b=2" alt="Ash &amp; Alder""#), "{html}");
    }

    #[test]
    fn mail_supports_dark_mode() {
        let html = Letter::default().text("Hello").html(&crate::mail::sample::account(), &EN);
        assert!(
            html.contains("@media (prefers-color-scheme:dark)") && html.contains(".card{background:#232322!important")
        );
        assert!(html.contains(r#"<meta name="color-scheme" content="light dark">"#));
    }

    #[test]
    fn arabic_mail_is_written_from_right_to_left() {
        let html = Letter::default().html(&crate::mail::sample::account(), Words::of(Language::Ar));
        assert!(html.contains(r#"<html lang="ar" dir="rtl">"#));
    }
}
