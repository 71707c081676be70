//! `/{slug}/withdraw`: withdrawal from a contract in two steps and with an acknowledgement, as article 11a of Directive
//! 2011/83/EU requires.

#![expect(clippy::too_many_lines, reason = "a view, read from top to bottom")]

use crate::{
    acknowledgement::Acknowledgement,
    forms::{withdrawal::WithdrawalMistake, withdrawal_draft::WithdrawalDraft},
    frame::theme::Theme,
    words::Words,
};
use domain::{
    MAX_EMAIL_CHARS,
    withdrawal::{MAX_CONTRACT_CHARS, MAX_NAME_CHARS, Statement},
};
use leptos::prelude::*;
use ui::{
    components::{
        Alert, FieldMistake, Notice, NoticeText,
        icons::{self, icon},
        sentence, typed as text_in,
    },
    html::IntoHtml,
    text::format,
};

/// What the form shows.
#[derive(Debug, Clone)]
pub struct WithdrawalForm {
    /// The address that it is sent to.
    pub action: String,
    /// The fields as typed.
    pub typed: Statement,
    /// The mistakes in them.
    pub mistakes: Vec<WithdrawalMistake>,
    /// A notice about what happened before.
    pub notice: Option<NoticeText>,
}

/// The form: three fields, and no more.
#[component]
pub fn WithdrawalFormPage(page: WithdrawalForm, words: &'static Words) -> impl IntoView {
    let WithdrawalForm { action, typed, mistakes, notice } = page;
    let alerts: Vec<(String, String)> =
        mistakes.iter().map(|one| (format!("#{}", one.field()), one.text(words).to_owned())).collect();
    let wrong = |field| mistakes.iter().find(|one| one.field() == field).map(|one| one.text(words).to_owned());
    let (name, contract, email) = (wrong("name"), wrong("contract"), wrong("email"));
    let class = |wrong: &Option<String>| if wrong.is_some() { "field has-error" } else { "field" };
    let invalid = |wrong: &Option<String>| wrong.is_some().then_some("true");
    let described =
        |wrong: &Option<String>, hint: &'static str, both: &'static str| if wrong.is_some() { both } else { hint };
    view! {
        <Alert mistakes=alerts words/>
        {notice.map(|notice| view! { <Notice notice/> })}
        <h1>{words.withdraw_title}</h1>
        <p class="lede">{words.withdraw_lede}</p>
        <form class="withdraw" method="post" action=action novalidate>
            <div class=class(&name)>
                <label for="name">{words.withdraw_name}</label>
                <FieldMistake id="name-error".to_owned() text=name.clone() words/>
                <input
                    class="input"
                    id="name"
                    name="name"
                    required
                    maxlength=MAX_NAME_CHARS.to_string()
                    autocomplete="name"
                    enterkeyhint="go"
                    aria-describedby=name.is_some().then_some("name-error")
                    aria-invalid=invalid(&name)
                    value=typed.name
                />
            </div>
            <div class=class(&contract)>
                <label for="contract">{words.withdraw_contract}</label>
                <p class="hint" id="contract-hint">{words.withdraw_contract_hint}</p>
                <FieldMistake id="contract-error".to_owned() text=contract.clone() words/>
                <textarea
                    class="textarea"
                    id="contract"
                    name="contract"
                    required
                    rows="3"
                    maxlength=MAX_CONTRACT_CHARS.to_string()
                    aria-describedby=described(&contract, "contract-hint", "contract-hint contract-error")
                    aria-invalid=invalid(&contract)
                >{text_in(&typed.contract)}</textarea>
            </div>
            <div class=class(&email)>
                <label for="email">{words.email}</label>
                <p class="hint" id="email-hint">{words.withdraw_email_hint}</p>
                <FieldMistake id="email-error".to_owned() text=email.clone() words/>
                <input
                    class="input"
                    id="email"
                    name="email"
                    type="email"
                    required
                    maxlength=MAX_EMAIL_CHARS.to_string()
                    autocomplete="email"
                    autocapitalize="off"
                    spellcheck="false"
                    enterkeyhint="go"
                    aria-describedby=described(&email, "email-hint", "email-hint email-error")
                    aria-invalid=invalid(&email)
                    value=typed.email
                />
            </div>
            <div class="actions"><button class="button button-wide">{words.live().continue_}</button></div>
        </form>
    }
    .into_html()
}

/// The statement, before and after it is sent.
#[component]
fn Stated(statement: Statement, words: &'static Words) -> impl IntoView {
    let Statement { name, contract, email } = statement;
    view! {
        <div class="stated">
            <p>{words.withdraw_sentence}</p>
            <dl class="facts">
                <div><dt>{words.withdraw_name}</dt><dd><bdi>{name}</bdi></dd></div>
                <div><dt>{words.withdraw_contract}</dt><dd class="lines"><bdi>{contract}</bdi></dd></div>
                <div><dt>{words.email}</dt><dd><bdi>{email}</bdi></dd></div>
            </dl>
        </div>
    }
    .into_html()
}

/// The statement to confirm. The page offers only to send or to change it.
#[component]
pub fn WithdrawalConfirmPage(draft: WithdrawalDraft, theme: Theme, words: &'static Words) -> impl IntoView {
    let WithdrawalDraft { id, statement } = draft;
    view! {
        <h1>{words.withdraw_confirm_title}</h1>
        <p class="lede">{words.withdraw_confirm_lede}</p>
        <Stated statement words/>
        <form class="actions" method="post" action=theme.path("call/withdraw-confirm")>
            <input type="hidden" name="withdrawal" value=id.to_string()/>
            <button class="button button-wide">{words.withdraw_confirm}</button>
            <a class="textlink" href=theme.path("withdraw")>{words.withdraw_change}</a>
        </form>
    }
    .into_html()
}

/// The acknowledgement.
#[component]
pub fn WithdrawalDonePage(page: Acknowledgement, theme: Theme, words: &'static Words) -> impl IntoView {
    let fact = |(label, value): (&'static str, String)| {
        view! { <div><dt>{label}</dt><dd><bdi>{value}</bdi></dd></div> }
    };
    let facts = page.facts(words).map(fact).collect_view();
    let email = page.statement.email.clone();
    let mail = page.mail_follows.then(|| {
        let address = view! { <bdi class="address">{email}</bdi> }.into_html();
        view! { " "{sentence(words.withdraw_mail_follows, vec![address])} }
    });
    view! {
        <div class="done">
            <span class="done-sign">{icon(icons::CHECK)}</span>
            <h1>{words.withdraw_done_title}</h1>
            <p class="lede">{words.withdraw_done_lede}{mail}</p>
        </div>
        <dl class="facts">{facts}</dl>
        <Stated statement=page.statement words/>
        <div class="actions">
            <a class="button button-wide" href=theme.path("withdraw/acknowledgement.txt")>
                {icon(icons::DOWNLOAD)}{words.withdraw_download}
            </a>
            <a class="textlink" href=theme.path("withdraw")>{words.withdraw_again}</a>
        </div>
        <section class="section" aria-labelledby="what-now">
            <h2 id="what-now">{words.withdraw_what_now}</h2>
            <p>{format(words.withdraw_send_back, &[&page.send_back_by])}</p>
            <div class="actions"><a class="button button-second button-wide" href=theme.path("")>{words.find_my_order}</a></div>
        </section>
    }
    .into_html()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::EN;
    use domain::WithdrawalId;
    use ui::language::Language;

    fn acknowledgement() -> Acknowledgement {
        Acknowledgement {
            number: "W-7K3M9QXA".to_owned(),
            shop: "Fjord & Fern".to_owned(),
            at: "Sunday, 1 March 2026 at 12:00:00 (UTC)".to_owned(),
            statement: Statement::typed("Zoë <b>", "1001\nthe blue mug", "zoe@example.com"),
            send_back_by: "Sunday 15 March".to_owned(),
            mail_follows: false,
        }
    }

    #[test]
    fn the_file_has_the_acknowledgement_as_plain_text() {
        let file = acknowledgement().file(&EN);
        let wanted = "\u{feff}Your withdrawal has been received\r\n\r\nWithdrawal number\r\n    W-7K3M9QXA\r\n\
            Received on\r\n    Sunday, 1 March 2026 at 12:00:00 (UTC)\r\nReceived by\r\n    Fjord & Fern\r\n\r\n\
            I hereby withdraw from the following contract.\r\n\r\nYour name\r\n    Zoë <b>\r\n\
            Order or items\r\n    1001\r\n    the blue mug\r\nEmail address\r\n    zoe@example.com\r\n";
        assert_eq!(file, wanted);
    }

    #[test]
    fn mail_is_mentioned_only_if_it_follows() {
        for words in Language::ALL.map(Words::of) {
            let says = |mail_follows| {
                let shown = "<bdi class=\"address\">zoe@example.com</bdi>";
                let page = Acknowledgement { mail_follows, ..acknowledgement() };
                let theme = Theme::for_tests();
                Owner::new().with(|| view! { <WithdrawalDonePage page theme words/> }.to_html()).contains(shown)
            };
            assert!(says(true) && !says(false), "{}", words.tag);
        }
    }

    #[test]
    fn user_text_is_escaped() {
        let statement = Statement::typed("<script>alert(1)</script>", "</dd><img src=x>", "\"><b>@example.com");
        let draft = WithdrawalDraft { id: WithdrawalId(uuid::Uuid::nil()), statement: statement.clone() };
        let theme = Theme::for_tests();
        let page = WithdrawalForm { action: String::new(), typed: statement, mistakes: Vec::new(), notice: None };
        let html = Owner::new().with(|| {
            let confirm = view! { <WithdrawalConfirmPage draft theme words=&EN/> }.to_html();
            confirm + &view! { <WithdrawalFormPage page words=&EN/> }.to_html()
        });
        for dangerous in ["<script", "<img", "<b>"] {
            assert!(!html.contains(dangerous), "{dangerous}: {html}");
        }
        assert!(html.contains("&lt;script&gt;"), "{html}");
    }
}
