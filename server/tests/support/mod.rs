//! What the replay test and the benchmark share: the built program as a process, the real data, and the replay of the real returns through its
//! public API.

pub mod process;
pub mod real_data;
pub mod replay;
