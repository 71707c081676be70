//! The built files of the desk. They are the same for the whole process, so pages outside a session have them too.

use leptos::config::LeptosOptions;
use std::sync::OnceLock;
use ui::web::assets::Assets;

static ASSETS: OnceLock<Assets> = OnceLock::new();

/// The name of the desk's files in `/pkg`.
const NAME: &str = "desk";

/// Sets the addresses once. Later calls change nothing. `portal`: the options of the portal's files. The desk's are beside them, with a
/// list of hashes of their own.
pub fn set(portal: &LeptosOptions) {
    ASSETS.get_or_init(|| Assets::new(beside(portal)));
}

/// The addresses as set.
pub fn get() -> &'static Assets {
    ASSETS.get_or_init(|| Assets::new(LeptosOptions::builder().output_name(NAME).build()))
}

fn beside(portal: &LeptosOptions) -> LeptosOptions {
    let mut options = portal.clone();
    options.output_name = NAME.into();
    let hashes = std::path::Path::new(&*portal.hash_file).with_file_name(format!("{NAME}-hash.txt"));
    options.hash_files = portal.hash_files && hashes.is_file();
    options.hash_file = hashes.to_string_lossy().into();
    options
}
