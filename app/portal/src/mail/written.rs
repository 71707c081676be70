//! A letter as the use cases send it.

use crate::{mail::letter::Letter, words::Words};
use domain::account::Account;

pub fn written(subject: String, letter: &Letter, account: &Account, words: &'static Words) -> returns::Words {
    returns::Words {
        subject,
        text: letter.plain(words),
        html: letter.html(account, words),
        pictures: letter.pictures(),
    }
}
