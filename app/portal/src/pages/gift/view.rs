//! `/{slug}/gift`: which order did the gift come from?

use crate::{
    forms::gift::{GiftFields, GiftMistake},
    frame::theme::Theme,
    pages::look_up::view::field_class,
    words::Words,
};
use leptos::prelude::*;
use ui::{
    components::{Alert, FieldMistake, Notice, NoticeText},
    html::IntoHtml,
};

/// What the page shows.
#[derive(Debug, Clone)]
pub struct Gift {
    pub theme: Theme,
    /// The fields as typed.
    pub typed: GiftFields,
    /// The mistakes in them.
    pub mistakes: Vec<GiftMistake>,
    /// A notice about what happened before.
    pub notice: Option<NoticeText>,
    /// The return to show once the order is proved.
    pub next: Option<String>,
    /// The address of the look-up for the person who placed the order.
    pub look_up: String,
}

/// A field of the form.
struct GiftField {
    id: &'static str,
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    /// The mistake: at the head of the page, and beside the field.
    wrong: Option<(&'static str, &'static str)>,
    value: String,
    kind: &'static str,
    autocomplete: &'static str,
}

/// The page.
#[component]
pub fn GiftPage(page: Gift, words: &'static Words) -> impl IntoView {
    let Gift { theme, typed, mistakes, notice, next, look_up } = page;
    let fields = fields(typed, &mistakes, words);
    let alert = |field: &GiftField| field.wrong.map(|(text, _)| (format!("#{}", field.id), text.to_owned()));
    // Fields that do not match are one mistake.
    let several = !mistakes.contains(&GiftMistake::NotFound);
    let alerts: Vec<_> = fields.iter().filter_map(alert).take(if several { fields.len() } else { 1 }).collect();
    let own_tab = theme.is_embedded.then(|| view! { <p class="own-tab" hidden>{words.own_tab_opens}</p> });
    view! {
        <Alert mistakes=alerts words/>
        {notice.map(|notice| view! { <Notice notice/> })}
        <h1>{words.gift_title}</h1>
        <p class="lede">{words.gift_lede}</p>
        <form class="lookup" method="post" action=theme.form_action("call/gift", words) novalidate>
            {next.map(|next| view! { <input type="hidden" name="next" value=next/> })}
            {fields.into_iter().map(|field| input(field, words)).collect_view()}
            <div class="actions"><button class="button button-wide">{words.gift_find}</button></div>
            {own_tab}
        </form>
        <p class="lookup-else"><a class="textlink" href=look_up>{words.gift_not_mine}</a></p>
    }
    .into_html()
}

fn fields(typed: GiftFields, mistakes: &[GiftMistake], words: &Words) -> [GiftField; 3] {
    let (mut order, mut code, mut email) = (None, None, None);
    let twice = |text| Some((text, text));
    for mistake in mistakes {
        match mistake {
            GiftMistake::OrderNumberMissing => order = twice(words.order_number_missing),
            GiftMistake::PostalCodeMissing => code = twice(words.postal_code_missing),
            GiftMistake::EmailMissing => email = twice(words.email_missing),
            GiftMistake::EmailWrong => email = twice(words.gift_email_wrong),
            GiftMistake::NotFound => {
                order = Some((words.not_found_postal_code, words.check_order_number));
                code = Some((words.not_found_postal_code, words.check_postal_code));
            }
            GiftMistake::ShopAway => {}
        }
    }
    [
        GiftField {
            id: "order",
            name: "orderNumber",
            label: words.order_number,
            hint: words.gift_order_hint,
            wrong: order,
            value: typed.order_number,
            kind: "text",
            autocomplete: "off",
        },
        GiftField {
            id: "code",
            name: "postalCode",
            label: words.postal_code,
            hint: words.postal_code_hint,
            wrong: code,
            value: typed.postal_code,
            kind: "text",
            autocomplete: "postal-code",
        },
        GiftField {
            id: "email",
            name: "email",
            label: words.gift_email,
            hint: words.gift_email_hint,
            wrong: email,
            value: typed.email,
            kind: "email",
            autocomplete: "email",
        },
    ]
}

fn input(field: GiftField, words: &'static Words) -> impl IntoView {
    let GiftField { id, name, label, hint, wrong, value, kind, autocomplete } = field;
    let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    let described = if wrong.is_some() { format!("{hint_id} {error_id}") } else { hint_id.clone() };
    let error = wrong.map(|(_, text)| text.to_owned());
    view! {
        <div class=field_class(wrong.is_some())>
            <label for=id>{label}</label>
            <p class="hint" id=hint_id>{hint}</p>
            <FieldMistake id=error_id text=error words/>
            <input
                class=if id == "order" { "input input-code" } else { "input" }
                id=id
                name=name
                type=kind
                required
                maxlength="320"
                autocomplete=autocomplete
                autocapitalize=if id == "order" { "characters" } else { "off" }
                spellcheck="false"
                enterkeyhint="go"
                aria-describedby=described
                aria-invalid=wrong.is_some().then_some("true")
                value=value
            />
        </div>
    }
    .into_html()
}
