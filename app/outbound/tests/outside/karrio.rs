//! Labels of a real karrio server with its generic carrier: run by `make test-peers`.

use crate::support::{at_home, bridge::label_request};
use domain::{
    Timestamp,
    address::Address,
    shipping::{LabelFormat, ShippingMethod},
};
use outbound::{
    api_key::ApiKey,
    bridge::{BridgeError, CarrierLabel, Labelled, contract::GetLabel},
    carriers::karrio::{Karrio, Voided},
    http::Endpoint,
};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use uuid::Uuid;

const NOW: Timestamp = Timestamp::from_seconds(1_772_366_400);

struct Server {
    url: Endpoint,
    key: String,
    /// The server ends when its standard input closes, so it ends with the test.
    _process: Child,
}

impl Server {
    fn start() -> Self {
        let script = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/peers/karrio/real.sh"));
        let mut server = Command::new(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let ready = lines.next().expect("karrio did not start: `.ci/tools peers` installs it").unwrap();
        let (url, key) = ready.strip_prefix("karrio ready on ").unwrap().split_once(' ').unwrap();
        Self { url: url.parse().unwrap(), key: key.to_owned(), _process: server }
    }

    fn karrio(&self, key: &str) -> Karrio {
        Karrio::new(at_home(), &self.url, ApiKey::parse(key).unwrap()).unwrap().with_timeout(Duration::from_mins(2))
    }
}

/// A shipment from Berlin to Switzerland, through customs.
fn asked() -> GetLabel {
    let address = |name: &str, street: &str, code: &str, city: &str, country: &str| Address {
        name: name.to_owned(),
        street: street.to_owned(),
        postal_code: code.to_owned(),
        city: city.to_owned(),
        country: country.to_owned(),
        ..Address::default()
    };
    GetLabel {
        transaction_id: fresh(),
        sender: address("Ada Lovelace", "Hauptstraße 1", "10115", "Berlin", "DE"),
        receiver: address("Fjord and Fern", "Bahnhofstrasse 1", "8001", "Zürich", "CH"),
        passes_customs: true,
        ..label_request(ShippingMethod::Label)
    }
}

/// A new id for each call.
fn fresh() -> Uuid {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    Uuid::from_u128(NEXT.fetch_add(1, Ordering::Relaxed).into())
}

fn made(labelled: Result<Labelled, BridgeError>) -> CarrierLabel {
    match labelled {
        Ok(Labelled::Created(made)) => *made,
        other => panic!("expected a label: {other:?}"),
    }
}

/// What a scanner reads on a label.
fn scanned(pdf: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (file, page) = (folder.path().join("label.pdf"), folder.path().join("page"));
    std::fs::File::create(&file).unwrap().write_all(pdf).unwrap();
    assert!(Command::new("pdftoppm").args(["-r", "300", "-png"]).args([&file, &page]).status().unwrap().success());
    let pages = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let pages: Vec<_> = pages.filter(|path| path.extension().is_some_and(|extension| extension == "png")).collect();
    let read = Command::new("zbarimg").args(["-q", "--raw"]).args(pages).output().unwrap();
    String::from_utf8(read.stdout).unwrap()
}

#[tokio::test]
#[ignore = "needs a real karrio: make test-peers"]
async fn a_real_karrio_makes_a_label_once_and_voids_it() {
    let server = Server::start();
    let karrio = server.karrio(&server.key);
    let asked = asked();
    let first = made(karrio.get_label(&asked, NOW).await);
    let Some((LabelFormat::Pdf, pdf)) = &first.file else { panic!("a PDF") };
    let codes = scanned(pdf);
    assert!(
        codes.contains("8001") || codes.contains(&first.tracking_number),
        "the destination's code or the tracking number: {codes}"
    );
    assert_eq!((first.carrier.as_str(), first.barcode.as_str()), ("post", first.tracking_number.as_str()));
    assert_eq!(made(karrio.get_label(&asked, NOW).await), first, "the same label each time");
    let another = made(karrio.get_label(&GetLabel { transaction_id: fresh(), ..asked.clone() }, NOW).await);
    assert_ne!(another.reference, first.reference);

    assert_eq!(karrio.track(&first.tracking_number, NOW).await, Ok(Vec::new()), "this carrier has no tracking");
    let reference = first.reference.unwrap();
    assert_eq!(karrio.void(&reference, NOW).await, Ok(Voided::Done));
    assert_eq!(karrio.void(&reference, NOW).await, Ok(Voided::Done), "voiding twice is no error");
    let unknown = karrio.void("shp_nobody", NOW).await;
    assert!(matches!(&unknown, Ok(Voided::Refused(why)) if why.contains("shp_nobody")), "{unknown:?}");
    let again = made(karrio.get_label(&asked, NOW).await);
    assert_ne!(again.reference, Some(reference), "a voided label is replaced");
    assert_eq!(karrio.void_all(asked.transaction_id, NOW).await, Ok(Voided::Done));
}

#[tokio::test]
#[ignore = "needs a real karrio: make test-peers"]
async fn a_real_karrio_explains_its_refusal() {
    let server = Server::start();
    let karrio = server.karrio(&server.key);
    let failed = |labelled| match labelled {
        Ok(Labelled::Failed { code, reason }) => (code, reason),
        other => panic!("expected a refusal: {other:?}"),
    };
    let mut nowhere = asked();
    nowhere.receiver.country = String::new();
    let (code, reason) = failed(karrio.get_label(&nowhere, NOW).await);
    assert_eq!(code, "validation");
    assert!(reason.contains("recipient.country_code"), "{reason}");
    let heavy = GetLabel { weight: 40_000, ..asked() };
    assert_eq!(failed(karrio.get_label(&heavy, NOW).await).0, "NoService");
    // Its generic carrier fails at an ampersand, which counts as a temporary refusal.
    let mut ampersand = asked();
    ampersand.receiver.name = "Fjord & Fern".to_owned();
    let refused = karrio.get_label(&ampersand, NOW).await;
    assert!(
        matches!(&refused, Ok(Labelled::NotNow { reason, .. }) if reason.contains("xmlParseEntityRef")),
        "{refused:?}"
    );
    let refused = karrio.get_label(&ampersand, NOW).await;
    assert!(matches!(&refused, Ok(Labelled::NotNow { .. })), "the same draft with new rates: {refused:?}");
    let wrong = server.karrio("key_wrong").get_label(&asked(), NOW).await;
    assert!(matches!(wrong, Err(BridgeError::KeyRefused(_))), "{wrong:?}");
}
