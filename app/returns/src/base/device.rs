//! The device of a request, in a few words that its owner recognises.

/// The longest name of a program that is no browser.
const MAX_NAME_CHARS: usize = 32;

/// Browsers by the word in their `User-Agent`. Most browsers name others as well, so the order counts.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Systems by the word in the `User-Agent`. The order counts here, too.
const SYSTEMS: [(&str, &str); 7] = [
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Browser and system of a `User-Agent`: `Firefox on Linux`. Of other programs their name, such as `curl`; empty if it
/// says nothing. The rest of the header could identify one person, and is not stored.
pub(crate) fn device_name(user_agent: &str) -> String {
    let find = |known: &[(&str, &'static str)]| {
        known.iter().find(|(word, _)| user_agent.contains(word)).map(|(_, name)| *name)
    };
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) if user_agent.starts_with("Mozilla/") => system.to_owned(),
        (None, _) => {
            let is_of_name = |letter: &char| letter.is_ascii_alphanumeric() || "-_.".contains(*letter);
            user_agent.chars().take_while(is_of_name).take(MAX_NAME_CHARS).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_its_browser_and_system() {
        let known = [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
                "Safari on iOS",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
                "Safari on macOS",
            ),
            ("curl/8.14.1", "curl"),
            ("python-requests/2.32", "python-requests"),
            ("Mozilla/5.0 (X11; Linux x86_64)", "Linux"),
            ("<script>alert(1)</script>", ""),
            ("", ""),
        ];
        for (header, expected) in known {
            assert_eq!(device_name(header), expected, "{header}");
        }
        assert_eq!(device_name(&"x".repeat(500)).len(), 32);
    }
}
