//! What the shopper does to send a return.

#![expect(clippy::too_many_lines, reason = "a view, read from top to bottom")]

use crate::words::Words;
use domain::shipping::ShippingMethod;
use leptos::prelude::*;
use ui::{
    components::icons::{self, icon},
    html::IntoHtml,
    text::format,
};

/// How to send a return.
#[derive(Debug, Clone)]
pub struct ShippingSteps {
    pub method: ShippingMethod,
    /// The name of the shipping option; may be empty.
    pub name: String,
    /// Its description; may be empty.
    pub description: String,
    /// The number of the return as a QR code: its width in modules, and the path of the dark ones.
    pub code: Option<(usize, String)>,
    /// The number of the shipment for scanners.
    pub shipment: Option<String>,
    /// The lines of the return address. Empty while it is not known.
    pub receiver: Vec<String>,
    /// The last day.
    pub until: Option<String>,
    /// The addresses of the labels, below the address of the return.
    pub labels: Vec<String>,
    /// Whether the label is a PDF.
    pub is_pdf: bool,
    /// Whether there are several items to pack.
    pub many: bool,
}

/// What the shopper does now, in three steps.
#[component]
pub fn ToDo(
    sending: ShippingSteps,
    number: String,
    href: String,
    is_embedded: bool,
    words: &'static Words,
) -> impl IntoView {
    let last = match (sending.method, sending.until.clone()) {
        (ShippingMethod::InStore, _) => words.bring_it.to_owned(),
        (ShippingMethod::OwnCarrier, _) => words.send_it.to_owned(),
        (ShippingMethod::PickUp, Some(day)) => format(words.hand_over_by, &[&day]),
        (ShippingMethod::PickUp, None) => words.hand_over.to_owned(),
        (_, Some(day)) => format(words.hand_in_by, &[&day]),
        (_, None) => words.hand_in.to_owned(),
    };
    let description = (!sending.description.is_empty()).then(|| view! { <p>{sending.description.clone()}</p> });
    let pack = match (sending.labels.len() > 1, sending.many) {
        (true, _) => words.pack_parcels,
        (false, true) => words.pack_many,
        (false, false) => words.pack_one,
    };
    let facts = view! { <Facts sending=sending.clone() words/> }.into_html();
    let code = view! { <Code sending=sending.clone() number words/> }.into_html();
    let download_text = if sending.is_pdf { words.download_label } else { words.download_label_plain };
    let count = sending.labels.len();
    let download = |(index, label): (usize, &String)| {
        let text = if count > 1 {
            format(words.download_label_of, &[&(index + 1).to_string(), &count.to_string()])
        } else {
            download_text.to_owned()
        };
        let href = if count > 1 { format!("{href}/{label}") } else { format!("{href}/label.pdf") };
        view! { <a class="button" href=href download=(!is_embedded).then_some("")>{icon(icons::DOWNLOAD)}{text}</a> }
    };
    let download = sending.labels.iter().enumerate().map(download).collect_view().into_html();
    let handed_over = if sending.method == ShippingMethod::PickUp { words.hand_over_text } else { words.hand_in_text };
    let steps = match sending.method {
        ShippingMethod::Label | ShippingMethod::PickUp => view! {
            <li><h3>{words.get_your_label}</h3><p>{words.print_it}</p><div class="label-ways">{download}{facts}</div></li>
            <li><h3>{words.pack_it}</h3><p>{pack}</p></li>
            <li><h3>{last}</h3>{description}<p>{handed_over}</p></li>
        }
        .into_html(),
        ShippingMethod::DropOff => view! {
            <li><h3>{words.get_your_code}</h3><p>{words.show_drop_off}</p><div class="label-ways">{code}{facts}</div></li>
            <li><h3>{words.bring_pack}</h3><p>{words.bring_pack_text}</p></li>
            <li><h3>{last}</h3>{description}<p>{words.hand_in_text}</p></li>
        }
        .into_html(),
        ShippingMethod::Paperless => view! {
            <li><h3>{words.get_your_code}</h3><p>{words.show_it}</p><div class="label-ways">{code}{facts}</div></li>
            <li><h3>{words.pack_it}</h3><p>{pack}</p></li>
            <li><h3>{last}</h3>{description}<p>{words.hand_in_text}</p></li>
        }
        .into_html(),
        ShippingMethod::InStore => view! {
            <li><h3>{words.bring_pack}</h3><p>{words.bring_pack_text}</p></li>
            <li><h3>{last}</h3>{description}<p>{words.bring_text}</p><div class="label-ways">{code}</div></li>
        }
        .into_html(),
        ShippingMethod::OwnCarrier => view! {
            <li><h3>{words.pack_it}</h3><p>{pack}</p></li>
            <li><h3>{last}</h3>{description}<p>{words.send_text}</p><div class="label-ways">{facts}</div></li>
        }
        .into_html(),
    };
    view! {
        <section aria-labelledby="todo">
            <h2 class="visually-hidden" id="todo">{words.to_do}</h2>
            <ol class="todo">{steps}</ol>
        </section>
    }
    .into_html()
}

#[component]
fn Code(sending: ShippingSteps, number: String, words: &'static Words) -> impl IntoView {
    let text = if sending.method == ShippingMethod::InStore { words.show_in_shop } else { words.show_this };
    sending.code.map(|(width, path)| {
        let frame = format!("-2 -2 {0} {0}", width + 4);
        view! {
            <figure class="code-card">
                <svg viewBox=frame width="128" height="128" role="img" aria-label=format(words.code_of, &[&number]) shape-rendering="crispEdges">
                    <path d=path></path>
                </svg>
                <figcaption>{text}</figcaption>
            </figure>
        }
    })
}

#[component]
fn Facts(sending: ShippingSteps, words: &'static Words) -> impl IntoView {
    let fact = |name: &'static str, value: String, code: bool| {
        (!value.is_empty()).then(|| {
            let value = if code { view! { <span class="code">{value}</span> }.into_html() } else { value.into_html() };
            view! { <div><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div> }
        })
    };
    // Each line keeps its own writing direction, because Arabic pages show addresses in Latin letters too.
    let address = |name: &'static str, lines: Vec<String>| {
        (!lines.is_empty()).then(|| {
            let line =
                |(index, line): (usize, String)| view! { {(index > 0).then(|| view! { <br/> })} <bdi>{line}</bdi> };
            let lines = lines.into_iter().enumerate().map(line).collect_view();
            view! { <div><dt>{name}</dt><dd>{lines}</dd></div> }
        })
    };
    view! {
        <dl class="facts">
            {fact(words.way, sending.name, false)}
            {fact(words.parcel_number, sending.shipment.unwrap_or_default(), true)}
            {address(words.goes_to, sending.receiver)}
        </dl>
    }
    .into_html()
}
