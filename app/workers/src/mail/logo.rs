//! A shop's logo in mail.

/// The absolute URL of a logo, if mail can show it: it is on the operator's own host, and no SVG, which most mail
/// programs do not display.
pub fn logo_in_mail(url: &str, public_url: &str) -> Option<String> {
    let is_here = url.starts_with('/') && !url.starts_with("//") && !url.contains('\\');
    let whole = if is_here { format!("{public_url}{url}") } else { url.to_owned() };
    let path = whole.strip_prefix(public_url)?.split(['?', '#']).next()?;
    let is_svg = path.rsplit_once('.').is_some_and(|(_, kind)| kind.eq_ignore_ascii_case("svg"));
    let is_web = public_url.starts_with("https://") || public_url.starts_with("http://");
    (is_web && path.starts_with('/') && !is_svg).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logo_in_mail_is_on_the_operator_s_own_host() {
        let here = "https://returns.example:8443";
        let shown = |url: &str| logo_in_mail(url, here);
        assert_eq!(shown("/demo/logo.png").as_deref(), Some("https://returns.example:8443/demo/logo.png"));
        assert_eq!(
            shown("https://returns.example:8443/a.jpg?v=2").as_deref(),
            Some("https://returns.example:8443/a.jpg?v=2")
        );
        for other in [
            "/demo/logo.svg",
            "/demo/logo.SVG?v=2",
            "//elsewhere.example/a.png",
            "/\\elsewhere.example/a.png",
            "https://elsewhere.example/a.png",
            "https://returns.example:84430/a.png",
            "https://returns.example:8443.elsewhere.example/a.png",
            "logo.png",
            "",
        ] {
            assert_eq!(shown(other), None, "{other}");
        }
        assert_eq!(logo_in_mail("/logo.png", ""), None);
    }
}
