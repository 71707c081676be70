//! Parts of pages as HTML.
//!
//! The browser hydrates only islands. The server renders all other parts of a page to text once, so they need none of what leptos
//! compiles for each type in an `AnyView`: to build, update and hydrate elements, and to render them to a stream.

use leptos::{
    attr::{Attribute, any_attribute::AnyAttribute},
    tachys::{
        hydration::Cursor,
        view::{Position, PositionState, Render, RenderHtml, add_attr::AddAnyAttr},
    },
};

/// A part of a page, already rendered. It must not be in `textarea`, `script`, `style` or `noscript`, whose children leptos does not
/// escape, or in `title`, which contains only text. It has no attributes: `<Notice attr:id="x"/>` does not work.
#[derive(Debug, Clone, Default)]
pub struct Html(String);

/// Renders views of different types to one type.
pub trait IntoHtml {
    /// Renders this view now, with the contexts of the current owner.
    fn into_html(self) -> Html;
}

impl<View: RenderHtml> IntoHtml for View {
    fn into_html(self) -> Html {
        Html(self.to_html())
    }
}

impl RenderHtml for Html {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn html_len(&self) -> usize {
        self.0.len()
    }

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(self, html: &mut String, position: &mut Position, escape: bool, _: bool, _: Vec<AnyAttribute>) {
        debug_assert!(escape, "HTML inside an element whose children leptos does not escape");
        html.push_str(&self.0);
        *position = Position::NextChild;
    }

    /// Never called: only the server compiles this module, and the browser does not hydrate the children of islands.
    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) {}

    fn into_owned(self) -> Self {
        self
    }
}

impl Render for Html {
    type State = ();

    fn build(self) {}

    fn rebuild(self, (): &mut ()) {}
}

impl AddAnyAttr for Html {
    type Output<A: Attribute> = Self;

    fn add_any_attr<A: Attribute>(self, _: A) -> Self {
        debug_assert!(false, "an attribute of HTML that is already rendered");
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leptos::prelude::*;

    #[test]
    fn parts_are_escaped_once() {
        let name = view! { <b title="\"quoted\"">{"<i>&"}</b> }.into_html();
        let parts = vec!["a < b".into_html(), name, Html::default()];
        let page = view! { <p>"1 < 2 " {parts}</p> }.to_html();
        let visible = page.replace("<!>", "");
        assert_eq!(visible, "<p>1 &lt; 2 a &lt; b<b title=\"&quot;quoted&quot;\">&lt;i&gt;&amp;</b></p>");
    }
}
