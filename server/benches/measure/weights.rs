//! The files that a browser has to load.

use crate::{
    support::process::{self, Server},
    table::{Figure, Table},
};
use store::DatabaseKind;

/// The size of the portal's scripts and WebAssembly as they are sent, compressed with Brotli. `make build` puts them
/// beside the program, with those of the desk.
#[expect(clippy::cast_precision_loss, reason = "figures of a table")]
pub fn of_scripts(table: &mut Table) {
    let folder = process::binary().with_file_name("site").join("pkg");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("no scripts at {}: `make build` makes them", folder.display());
        return;
    };
    let compressed = files.flatten().filter(|file| {
        let name = file.file_name().to_string_lossy().into_owned();
        name.starts_with("retour.") && (name.ends_with(".js.br") || name.ends_with(".wasm.br"))
    });
    let bytes: u64 = compressed.map(|file| file.metadata().unwrap().len()).sum();
    assert!(bytes > 0, "no scripts of the portal in {}", folder.display());
    table.add(DatabaseKind::Sqlite, Figure::Scripts, bytes as f64 / 1_000.0);
}

/// How many scripts the first page of the portal loads.
#[expect(clippy::cast_precision_loss, reason = "figures of a table")]
pub async fn of_look_up_page(table: &mut Table, server: &Server, slug: &str) {
    let answer = reqwest::get(format!("{}/{slug}", server.base)).await.unwrap();
    if !answer.status().is_success() {
        println!("no look-up page: {}", answer.status());
        return;
    }
    let page = answer.text().await.unwrap();
    let scripts = page.matches("<script").count() + page.matches("modulepreload").count();
    table.add(DatabaseKind::Sqlite, Figure::LookUpScripts, scripts as f64);
}
