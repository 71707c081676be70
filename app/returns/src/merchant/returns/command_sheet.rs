//! The sheet of command codes, to print.

use crate::{
    base::{OrBroken, Result},
    merchant::handle::MerchantHandle,
};
use domain::scanning::ScanCommand;
use outbound::labels::{self, PrintedCommand};

/// The words of the command sheet, in one language; English by default.
#[derive(Debug, Clone)]
pub struct SheetWords {
    /// The language as a BCP 47 tag.
    pub language: String,
    /// The title.
    pub title: String,
    /// What to do with the sheet.
    pub advice: String,
    /// What each command does, in the order of [`ScanCommand::all`].
    pub captions: Vec<String>,
}

impl Default for SheetWords {
    fn default() -> Self {
        Self {
            language: "en".to_owned(),
            title: "Scanner commands".to_owned(),
            advice: "Print this page at 100%. Scan a command instead of pressing its button.".to_owned(),
            captions: ScanCommand::all().map(caption).collect(),
        }
    }
}

fn caption(command: ScanCommand) -> String {
    match command {
        ScanCommand::Done => "Done",
        ScanCommand::AllHere => "All here",
        ScanCommand::TakeBack => "Take back the last",
        ScanCommand::Damaged => "Damaged",
        ScanCommand::WrongItem => "Wrong item",
        ScanCommand::Restock => "Restock",
        ScanCommand::Refurbish => "Refurbish",
        ScanCommand::Photo => "Photo",
        ScanCommand::Count(units) => return units.to_string(),
    }
    .to_owned()
}

impl MerchantHandle<'_> {
    /// The command sheet as a PDF.
    pub async fn command_sheet(self, words: SheetWords) -> Result<Vec<u8>> {
        // Drawing takes a while, so it runs on a thread that serves no requests.
        let drawn = tokio::task::spawn_blocking(move || {
            let commands = ScanCommand::all()
                .zip(&words.captions)
                .map(|(command, caption)| PrintedCommand { code: command.code(), caption })
                .collect();
            let (language, title, advice) = (&words.language, &words.title, &words.advice);
            labels::command_sheet(&labels::CommandSheet { language, title, advice, commands })
        });
        Ok(drawn.await.or_broken()??)
    }
}
