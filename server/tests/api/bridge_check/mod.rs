//! `retour bridge check` as a program, against bridges that violate the contract in one way each.

mod faulty_bridge;

use faulty_bridge::{BridgeFault, FaultyBridge};
use std::{process::Command, time::Duration};

pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaSLt5c3XkF3l8mYk=";

/// The output of the program, and its exit code.
pub struct CheckResult {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

/// Runs the program against a bridge on this machine.
pub async fn check(url: &str, more: &[&str]) -> CheckResult {
    let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
    program.args(["bridge", "check", url, "--order", "1001", "--email", "ada@example.com"]).args(more);
    program.env("RETOUR_BRIDGE_SECRET", SECRET).env("RETOUR_OUTBOUND_ALLOW", "127.0.0.0/8");
    run(program).await
}

pub async fn run(mut program: Command) -> CheckResult {
    let output = tokio::task::spawn_blocking(move || program.output()).await.unwrap().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    CheckResult { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}

impl CheckResult {
    /// The checks with a mark, each with its messages.
    pub fn with(&self, mark: char) -> Vec<String> {
        let mut cases: Vec<String> = Vec::new();
        for line in self.stdout.lines() {
            match (line.strip_prefix("    "), cases.last_mut()) {
                (Some(message), Some(case)) => *case += message,
                _ => cases.push(line.to_owned()),
            }
        }
        cases.iter().filter_map(|case| case.strip_prefix(mark)).map(|case| case.trim().to_owned()).collect()
    }

    /// Asserts that exactly these checks have the mark, each with this message.
    fn assert_marked(&self, mark: char, expected: &[(&str, &str)]) {
        let found = self.with(mark);
        assert_eq!(found.len(), expected.len(), "{}{}", self.stdout, self.stderr);
        for (found, (case, words)) in found.iter().zip(expected) {
            assert!(found.starts_with(case) && found.contains(words), "{case}, {words}: {}", self.stdout);
        }
        assert_eq!(self.code, Some(i32::from(!self.with('✗').is_empty())));
    }
}

/// Asserts that exactly these checks have the mark for a bridge with this fault, with a refund and a label.
async fn assert_checks(fault: BridgeFault, mark: char, expected: &[(&str, &str)]) {
    check(&FaultyBridge::start(fault).await, &["--resolve", "--label"]).await.assert_marked(mark, expected);
}

#[tokio::test]
async fn a_correct_bridge_passes() {
    let shop = FaultyBridge::start(BridgeFault::None).await;
    let checked = check(&shop, &[]).await;
    checked.assert_marked('✗', &[]);
    checked.assert_marked('!', &[]);
    checked.assert_marked('–', &[("resolutions", "only with --resolve"), ("labels", "only with --label")]);
    assert!(checked.stdout.ends_with("\n\n14 of 16 passed, 2 not tried\n"), "{}", checked.stdout);
    let checked = check(&shop, &["--resolve", "--label"]).await;
    checked.assert_marked('✗', &[]);
    checked.assert_marked('!', &[]);
    assert!(checked.stdout.contains("✓ the same refund again: refund-0 again\n"), "{}", checked.stdout);
    assert!(checked.stdout.contains("✓ units refunded: refundedQuantity was 0 and is 1\n"), "{}", checked.stdout);
    assert!(checked.stdout.contains("✓ a label, requested twice at once: application/zpl\n"), "{}", checked.stdout);
    assert!(checked.stdout.contains("✓ the same label again: label-0 again\n"), "{}", checked.stdout);
    assert!(checked.stdout.ends_with("\n\n24 of 24 passed\n"), "{}", checked.stdout);
    assert_eq!(checked.stderr, "");
    assert_checks(BridgeFault::NoHealth, '–', &[("health", "does not have this optional operation")]).await;
    let pending = ("the same label again", "not meaningful while the label is Pending");
    assert_checks(
        BridgeFault::StaysPending,
        '–',
        &[("units refunded", "not meaningful before a refund is Completed"), pending],
    )
    .await;
}

#[tokio::test]
async fn unsigned_requests_must_be_refused() {
    let all = [
        ("an unsigned look-up", "expected 401, got 200: strangers can read orders"),
        ("a wrong signature", "expected 401, got 200: compare the signature"),
        ("a signature that is an hour old", "expected 401, got 200: a recorded request stays valid"),
        ("an unsigned request for a label", "expected 401, got 200: anybody can request and read labels"),
        ("a label with a wrong signature", "expected 401, got 200: compare the signature here too"),
    ];
    assert_checks(BridgeFault::NeverVerifies, '✗', &all).await;
    assert_checks(BridgeFault::NeverVerifies, '!', &[("an unsigned resolution", "refused with 400")]).await;
    assert_checks(BridgeFault::IgnoresTimestamps, '✗', &all[2..3]).await;
    assert_checks(BridgeFault::ReadsFirstSignatureOnly, '✗', &[("two signatures", "one valid signature is enough")])
        .await;
    assert_checks(
        BridgeFault::RefusesWith(400),
        '!',
        &[
            ("an unsigned look-up", "refused with 400: answer 401"),
            ("an unsigned resolution", "refused with 400"),
            ("a wrong signature", "refused with 400"),
            ("a signature that is an hour old", "refused with 400"),
            ("an unsigned request for a label", "refused with 400"),
            ("a label with a wrong signature", "refused with 400"),
        ],
    )
    .await;
    assert_checks(
        BridgeFault::RefusesWith(500),
        '✗',
        &[
            ("an unsigned look-up", "instead of failing"),
            ("an unsigned resolution", "instead of failing"),
            ("a wrong signature", "instead of failing"),
            ("a signature that is an hour old", "instead of failing"),
            ("an unsigned request for a label", "instead of failing"),
            ("a label with a wrong signature", "instead of failing"),
        ],
    )
    .await;
    assert_checks(BridgeFault::AnswersUnknownPaths, '✗', &[("an unknown path", "expected 404, got 200")]).await;
}

#[tokio::test]
async fn orders_must_be_private() {
    let different = "expected the same status";
    let with_purchases = "expected 404, got 200 with purchases: compare both";
    assert_checks(
        BridgeFault::AcceptsAnyEmail,
        '✗',
        &[("wrong e-mail addresses", with_purchases), ("wrong credentials get equal answers", different)],
    )
    .await;
    assert_checks(
        BridgeFault::AcceptsPartsOfEmails,
        '✗',
        &[
            ("wrong e-mail addresses", "the e-mail address without its first letter: expected 404, got 200"),
            ("wrong credentials get equal answers", different),
        ],
    )
    .await;
    assert_checks(
        BridgeFault::RevealsOrderByBody,
        '✗',
        &[("wrong credentials get equal answers", "expected the same body")],
    )
    .await;
    assert_checks(
        BridgeFault::RevealsOrderByStatus,
        '✗',
        &[
            ("wrong e-mail addresses", "expected 404, got 403, which means that the signature is wrong"),
            ("wrong credentials get equal answers", different),
        ],
    )
    .await;
    assert_checks(
        BridgeFault::ChangesBodies,
        '!',
        &[("wrong credentials get equal answers", "changes between requests")],
    )
    .await;
    // The bridge does not know postal codes, so the right one finds nothing.
    let checked = check(&FaultyBridge::start(BridgeFault::None).await, &["--postal-code", "EC1A 1BB"]).await;
    checked.assert_marked('✗', &[("the right postal code", "expected the order, got 404")]);
}

#[tokio::test]
async fn every_missing_field_is_named_in_one_run() {
    let checked = check(&FaultyBridge::start(BridgeFault::OmitsFields).await, &[]).await;
    let failed = checked.with('✗');
    assert_eq!((failed.len(), checked.code), (1, Some(1)), "{}", checked.stdout);
    for field in ["purchases[0].refundedQuantity", "purchases[0].order.shippingPaid"] {
        assert!(failed[0].contains(&format!("{field}: this field is missing")), "{}", checked.stdout);
    }
}

#[tokio::test]
async fn answers_are_checked_against_the_contract() {
    let sum = "purchases[0].tax: expected at most paid, 30.00, which includes it";
    assert_checks(BridgeFault::WrongSum, '✗', &[("the right order", sum)]).await;
    assert_checks(
        BridgeFault::AnotherOrder,
        '✗',
        &[("the right order", "purchases[0].order.number: expected the requested order number")],
    )
    .await;
    assert_checks(
        BridgeFault::ChangingIds,
        '✗',
        &[
            ("the same look-up again", "purchaseId, order.id and amounts must not change"),
            ("a refund, requested twice at once", "got Failed: No."),
        ],
    )
    .await;
    assert_checks(BridgeFault::ComparesExactly, '!', &[("other spellings", "not found with the number as \"#1001\"")])
        .await;
    assert_checks(BridgeFault::Unavailable, '–', &[("the rest", "not meaningful before the right order is found")])
        .await;
    assert_checks(BridgeFault::Unavailable, '✗', &[("the right order", "The bridge answered with status 503.")]).await;
}

#[tokio::test]
async fn slow_answers_are_reported() {
    let slow =
        assert_checks(BridgeFault::Slow(Duration::from_millis(2_100)), '!', &[("response time", "stay below 2 s")]);
    let too_slow =
        assert_checks(BridgeFault::Slow(Duration::from_secs(20)), '✗', &[("the right order", "no answer within 10 s")]);
    tokio::join!(slow, too_slow);
}

#[tokio::test]
async fn repeated_refunds_are_detected() {
    assert_checks(
        BridgeFault::RefundsTwice,
        '✗',
        &[
            ("the same refund again", "the same transactionId must never refund twice"),
            ("units refunded", "refundedQuantity was 0 and is 3: expected one more"),
        ],
    )
    .await;
    assert_checks(
        BridgeFault::NeverCountsRefunds,
        '!',
        &[("units refunded", "refundedQuantity was 0 and is 0: expected one more")],
    )
    .await;
    assert_checks(
        BridgeFault::FailsOnRepeatedRefunds,
        '✗',
        &[
            ("a refund, requested twice at once", "got Failed: It was refunded already."),
            ("the same refund again", "is Completed in every answer"),
        ],
    )
    .await;
    let all = [
        "a resolution of an unknown line",
        "a resolution of more units than were bought",
        "a resolution in another currency",
    ];
    let each = |words| all.map(|case| (case, words));
    assert_checks(BridgeFault::FailsOnInvalidRequests, '✗', &each("The bridge answered with status 500.")).await;
    assert_checks(BridgeFault::AcceptsInvalidRequests, '✗', &each("expected Failed with a reason, got Completed"))
        .await;
    let refused = ("a refund, requested twice at once", "got Failed: The till is closed.");
    assert_checks(BridgeFault::RefusesRefunds, '✗', &[refused]).await;
}

#[tokio::test]
async fn repeated_labels_are_detected() {
    let (at_once, again) = ("a label, requested twice at once", "the same label again");
    assert_checks(
        BridgeFault::CreatesLabelsTwice,
        '✗',
        &[(again, "the same transactionId must never make two labels")],
    )
    .await;
    let made = "got Failed: It was made already.";
    assert_checks(BridgeFault::FailsOnRepeatedLabels, '✗', &[(at_once, made), (again, "is Created in every answer")])
        .await;
    assert_checks(BridgeFault::RedrawsLabels, '!', &[(again, "label-0 again, but with another file")]).await;
    assert_checks(BridgeFault::OmitsTrackingNumbers, '!', &[(again, "there is no trackingNumber")]).await;
    assert_checks(BridgeFault::RefusesConcurrentLabels, '!', &[(at_once, "let the second wait for the first")]).await;
    assert_checks(BridgeFault::LeavesLabelsPending, '–', &[(again, "not meaningful while the label is Pending")]).await;
    assert_checks(BridgeFault::LeavesLabelsPending, '✗', &[]).await;
    assert_checks(
        BridgeFault::FailsLabelsLater,
        '✗',
        &[(again, "expected Created or Pending, got Failed: The carrier is closed.")],
    )
    .await;
}

#[tokio::test]
async fn a_bridge_without_labels_is_reported() {
    let unknown = "expected a label, got 404: the component lacks /get-label";
    assert_checks(BridgeFault::HasNoLabels, '✗', &[("labels", unknown)]).await;
    let checked = check(&FaultyBridge::start(BridgeFault::HasNoLabels).await, &[]).await;
    checked.assert_marked('✗', &[]);
    let at_once = "a label, requested twice at once";
    assert_checks(BridgeFault::LabelsUnavailable, '✗', &[(at_once, "The bridge answered with status 503.")]).await;
    assert_checks(BridgeFault::LabelsUnavailable, '–', &[("the same label again", "not meaningful before a label is")])
        .await;
    assert_checks(BridgeFault::RefusesLabels, '✗', &[(at_once, "got Failed: The carrier knows no such place.")]).await;
    assert_checks(BridgeFault::AnswersNoLabelFile, '✗', &[(at_once, "label.data: expected a file in the format")])
        .await;
}

#[tokio::test]
async fn an_unreachable_bridge_is_reported_at_once() {
    let program = |url: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
        program.args(["bridge", "check", url, "--order", "1001", "--email", "ada@example.com"]);
        program.env("RETOUR_BRIDGE_SECRET", SECRET).env_remove("RETOUR_OUTBOUND_ALLOW");
        program
    };
    let shop = FaultyBridge::start(BridgeFault::None).await;
    for (url, message) in [
        (
            shop.as_str(),
            "127.0.0.1 is not on the public internet: add --outbound-allow 127.0.0.0/8 to try a component on this machine",
        ),
        (
            "https://10.0.0.7/",
            "10.0.0.7 is not on the public internet: add --outbound-allow 10.0.0.7 to try a component in your own network",
        ),
        ("http://1.1.1.1/", "Calls over the internet need https."),
    ] {
        let checked = run(program(url)).await;
        let expected = (String::new(), format!("retour: {message}\n"), Some(1));
        assert_eq!((checked.stdout, checked.stderr, checked.code), expected, "{url}");
    }
    let mut short = program(&shop);
    short.args(["--secret", "whsec_c2hvcnQ="]);
    let checked = run(short).await;
    let message = "retour: --secret (RETOUR_BRIDGE_SECRET): expected whsec_ followed by 24 to 64 bytes in Base64\n";
    assert_eq!((checked.stderr.as_str(), checked.code), (message, Some(2)));
}
