//! Where the browser finds the built files.

use leptos::config::LeptosOptions;

/// The addresses of built files.
#[derive(Debug)]
pub struct Assets {
    /// The options of cargo-leptos.
    pub options: LeptosOptions,
    /// The path of the style sheet.
    pub css: String,
    /// Whether the page reloads itself during development.
    pub watch: bool,
}

impl Assets {
    /// Finds the files that the options name.
    pub fn new(options: LeptosOptions) -> Self {
        let name = &options.output_name;
        let hash = options.hash_files.then(|| hash_of("css", &options)).flatten();
        let file = hash.map_or_else(|| format!("{name}.css"), |hash| format!("{name}.{hash}.css"));
        Self { css: format!("/{}/{file}", options.site_pkg_dir), watch: std::env::var("LEPTOS_WATCH").is_ok(), options }
    }
}

/// The hash of a file, from the list that cargo-leptos writes beside the program.
fn hash_of(kind: &str, options: &LeptosOptions) -> Option<String> {
    let list = std::env::current_exe().ok()?.parent()?.join(&*options.hash_file);
    let list = std::fs::read_to_string(list).ok()?;
    list.lines()
        .find_map(|line| line.split_once(':').filter(|(file, _)| *file == kind).map(|(_, hash)| hash.trim().to_owned()))
}
