//! The built files of the portal. They are the same for the whole process, so pages outside a shop have them too.

use leptos::config::LeptosOptions;
use std::sync::OnceLock;
use ui::web::assets::Assets;

static ASSETS: OnceLock<Assets> = OnceLock::new();

/// Sets the addresses once. Later calls change nothing.
pub fn set(options: LeptosOptions) {
    ASSETS.get_or_init(|| Assets::new(options));
}

/// The addresses as set.
pub fn get() -> &'static Assets {
    ASSETS.get_or_init(|| Assets::new(LeptosOptions::builder().output_name("retour").build()))
}
