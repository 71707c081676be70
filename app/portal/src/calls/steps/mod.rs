//! What the server does behind each server function.

pub mod answer;
pub mod cancel;
pub mod choose;
pub mod gift;
pub mod link;
pub mod look_up;
pub mod open_draft;
pub mod pay;
pub mod send_back;
pub mod ship;
pub mod sign_in;
pub mod submit;
pub mod withdraw;
