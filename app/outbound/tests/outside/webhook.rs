//! Receivers with the libraries of Standard Webhooks accept our signatures, and nothing else.

use outbound::webhook::{Secret, SecretError, signatures};
use serde_json::json;
use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    time::SystemTime,
};

const ID: &str = "evt_01890a5d-ac96-774b-bcce-b302099a8057";
const BODY: &str = "{\"type\": \"test.ping\", \"name\": \"Zoë\"}";

/// Whether both libraries accept the message with this secret.
fn accepts(secret: &str, timestamp: i64, signature: &str, body: &str) -> bool {
    let headers = json!({"webhook-id": ID, "webhook-timestamp": timestamp.to_string(), "webhook-signature": signature});
    let message = json!({"secret": secret, "headers": headers, "body": body}).to_string();
    let python = std::env::var("RETOUR_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let verdicts = [run(&python, "verify.py", &message), run("node", "verify.mjs", &message)];
    assert_eq!(verdicts[0], verdicts[1], "Python and JavaScript should agree");
    verdicts[0]
}

fn run(program: &str, script: &str, message: &str) -> bool {
    let hint = "the standardwebhooks libraries are needed: `.ci/tools test` installs them, `. .ci/env` finds them";
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outside").join(script);
    let mut child = Command::new(program);
    let child = child.arg(script).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap_or_else(|error| panic!("{program}: {error}; {hint}"));
    child.stdin.take().unwrap().write_all(message.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => true,
        Some(1) if stderr.is_empty() => false, // an uncaught exception exits with 1 as well, and says so
        _ => panic!("{program}: {stderr}; {hint}"),
    }
}

/// The real time, because the libraries reject messages that are older than five minutes.
#[expect(clippy::disallowed_methods)]
fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    since.as_secs().try_into().unwrap()
}

#[test]
fn the_standard_libraries_accept_our_signatures_and_nothing_else() {
    let (secret, now) = (Secret::from_random([7; 32]), now());
    let signature = signatures(std::slice::from_ref(&secret), ID, now, BODY);
    assert!(accepts(&secret.to_text(), now, &signature, BODY));
    assert!(!accepts(&secret.to_text(), now, &signature, &BODY.replace("ping", "pong")), "another body");
    assert!(!accepts(&secret.to_text(), now + 1, &signature, BODY), "another time");
    assert!(!accepts(&Secret::from_random([8; 32]).to_text(), now, &signature, BODY), "another secret");
}

#[test]
fn during_a_rotation_either_secret_is_enough() {
    let (new, old, now) = (Secret::from_random([1; 32]), Secret::from_random([2; 32]), now());
    let signature = signatures(&[new.clone(), old.clone()], ID, now, BODY);
    for known in [new, old] {
        assert!(accepts(&known.to_text(), now, &signature, BODY));
        assert!(!accepts(&known.to_text(), now, &signature, "{}"));
    }
    assert!(!accepts(&Secret::from_random([3; 32]).to_text(), now, &signature, BODY));
}

#[test]
fn signatures_match_for_every_length_of_secret() {
    let now = now();
    // 24 and 64 bytes.
    for base64 in ["z".repeat(32), format!("{}w==", "z".repeat(85))] {
        let secret = Secret::parse(&format!("whsec_{base64}")).unwrap();
        let signature = signatures(std::slice::from_ref(&secret), ID, now, BODY);
        assert!(accepts(&secret.to_text(), now, &signature, BODY));
    }
}

#[test]
fn secrets_are_parsed_and_never_shown() {
    let secret = Secret::from_random([255; 32]);
    let text = secret.to_text();
    assert_eq!(text, "whsec_//////////////////////////////////////////8=");
    assert_eq!(Secret::parse(&text).unwrap().to_text(), text);
    assert_eq!(format!("{secret:?}"), "Secret");
    let (short, long) = (format!("whsec_{}", "A".repeat(28)), format!("whsec_{}", "A".repeat(88)));
    for wrong in ["", "whsec_", &text[6..], &text[..20], &short, &long, "whsec_é"] {
        assert_eq!(Secret::parse(wrong).map(|secret| secret.to_text()), Err(SecretError), "{wrong}");
    }
}
