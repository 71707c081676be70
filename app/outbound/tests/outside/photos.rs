//! Photos written and read by independent libraries: without metadata they look the same and disclose nothing.

use outbound::pictures::{Kind, PictureError, strip_metadata};
use serde_json::Value;
use std::{path::Path, process::Command};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/outside/photos.py");

fn python(arguments: &[&str]) -> Vec<u8> {
    let python = std::env::var("RETOUR_PYTHON").unwrap_or("python3".to_owned());
    let output = Command::new(python).arg(SCRIPT).args(arguments).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{stderr}\npillow-heif is needed: `.ci/tools test` installs it, `. .ci/env` finds it"
    );
    output.stdout
}

fn seen(file: &Path) -> Value {
    serde_json::from_slice(&python(&["see", file.to_str().unwrap()])).unwrap()
}

#[test]
fn photos_look_the_same_and_disclose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    python(&["make", folder.path().to_str().unwrap()]);
    for kind in [Kind::Jpeg, Kind::Png, Kind::Webp, Kind::Heic] {
        let file = folder.path().join(format!("photo.{}", kind.extension()));
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(Kind::of_bytes(&bytes), Some(kind));
        let before = seen(&file);
        assert_eq!(before["maker"], "CameraMaker", "{kind:?}");
        assert_eq!((&before["place"], &before["xmp"]), (&true.into(), &true.into()), "{kind:?}");

        let clean = strip_metadata(kind, bytes.clone()).unwrap();
        for trace in ["CameraMaker", "52.37"] {
            assert!(!clean.windows(trace.len()).any(|window| window == trace.as_bytes()), "{kind:?}: {trace}");
        }
        std::fs::write(&file, &clean).unwrap();
        let after = seen(&file);
        assert_eq!((&after["maker"], &after["place"]), (&Value::Null, &false.into()), "{kind:?}");
        assert_eq!((&after["size"], &after["dots"]), (&before["size"], &before["dots"]), "{kind:?}, turned as it was");
        assert_eq!(strip_metadata(kind, clean.clone()), Ok(clean.clone()), "{kind:?}");
        for length in (12..clean.len()).step_by(97).take(200) {
            let cut = strip_metadata(kind, clean[..length].to_vec());
            assert!(kind == Kind::Heic || cut.is_err(), "{kind:?} of {length} bytes"); // a truncated HEIC may only lack the end of its picture
        }
    }
}

/// A HEIC whose items have many extents of size 0.
fn crowded(items: u16, places: u16) -> Vec<u8> {
    let boxed =
        |kind: &[u8], body: &[u8]| [&u32::try_from(body.len() + 8).unwrap().to_be_bytes()[..], kind, body].concat();
    let entry = |id: u16| [id.to_be_bytes(), [0, 0], places.to_be_bytes()].concat();
    let iloc = [&[0; 6][..], &items.to_be_bytes(), &(1..=items).flat_map(entry).collect::<Vec<u8>>()].concat();
    let infe = boxed(b"infe", &[&[2, 0, 0, 0, 0, 1, 0, 0][..], b"Exif\0"].concat());
    let iinf = [&[0, 0, 0, 0, 0, 1][..], &infe].concat();
    let ispe = boxed(b"ispe", &[0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 9]);
    let parts = [boxed(b"iinf", &iinf), boxed(b"iloc", &iloc), boxed(b"iprp", &boxed(b"ipco", &ispe))].concat();
    [boxed(b"ftyp", b"heic\0\0\0\0"), boxed(b"meta", &[&[0; 4][..], &parts].concat())].concat()
}

#[test]
fn a_heic_with_too_many_extents_is_rejected_at_once() {
    for (items, places) in [(1, 65_535), (1_000, 65_535), (65_535, 65_535)] {
        assert_eq!(strip_metadata(Kind::Heic, crowded(items, places)), Err(PictureError::Broken));
    }
    assert!(strip_metadata(Kind::Heic, crowded(3, 0)).is_ok());
}

#[test]
fn vendor_data_after_a_heic_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    python(&["make", folder.path().to_str().unwrap()]);
    let mut bytes = std::fs::read(folder.path().join("photo.heic")).unwrap();
    let film = b"ftypmp42 moov udta xyz +52.3700+004.8900/";
    bytes.extend(u32::try_from(film.len() + 8).unwrap().to_be_bytes());
    bytes.extend(b"mpvd");
    bytes.extend(film);
    let clean = strip_metadata(Kind::Heic, bytes).unwrap();
    assert!(!clean.windows(7).any(|window| window == b"52.3700"));
}

#[test]
fn a_corrupted_heic_is_rejected_without_harm() {
    let folder = tempfile::tempdir().unwrap();
    python(&["make", folder.path().to_str().unwrap()]);
    let whole = std::fs::read(folder.path().join("photo.heic")).unwrap();
    let head = whole.windows(4).position(|four| four == b"mdat").unwrap();
    let mut refused = 0;
    for at in 8..head {
        for value in [0, 0x7F, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            match strip_metadata(Kind::Heic, bytes) {
                Ok(clean) => assert_eq!(clean.len(), whole.len()),
                Err(PictureError::Broken | PictureError::TooManyPixels) => refused += 1,
            }
        }
    }
    assert!(refused > 100, "only {refused} were rejected");
}
