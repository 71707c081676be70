//! Links the released program without equal functions: generic code of pages and requests is often compiled to the same machine
//! code, and takes a third of the program's memory otherwise. Only where Rust's own linker (LLD) is the standard one. A debug build is
//! linked too often.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release") && is("TARGET", "x86_64-unknown-linux-gnu") {
        println!("cargo:rustc-link-arg-bin=retour=-Wl,--icf=all");
    }
}
