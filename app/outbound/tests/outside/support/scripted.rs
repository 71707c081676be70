//! Shops that say what a test has them say.

use super::{Receiver, read_request};
use serde_json::Value;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{io::AsyncWriteExt as _, time::sleep};

/// What a shop was asked, as it came.
pub type Requests = Arc<Mutex<Vec<String>>>;

/// A shop that gives these answers, one after the other, by words in requests; and what it was asked. What it has no
/// answer to is lost.
pub fn scripted(answers: Vec<(&'static str, String)>) -> (Receiver, Requests) {
    slow(Duration::ZERO, answers)
}

/// The same, where each answer takes its time.
pub fn slow(each: Duration, answers: Vec<(&'static str, String)>) -> (Receiver, Requests) {
    let answers = Arc::new(Mutex::new(answers));
    let requests = Requests::default();
    let asked = Arc::clone(&requests);
    let receiver = Receiver::start(move |mut stream| {
        let (answers, asked) = (Arc::clone(&answers), Arc::clone(&asked));
        async move {
            while let Some(request) = read_request(&mut stream).await {
                let next = {
                    let mut answers = answers.lock().unwrap();
                    let place = answers.iter().position(|(word, _)| request.contains(word));
                    place.map(|place| answers.remove(place).1)
                };
                asked.lock().unwrap().push(request);
                let Some(answer) = next else { return };
                sleep(each).await;
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        }
    });
    (receiver, requests)
}

/// How many requests held a word.
pub fn count(requests: &Requests, word: &str) -> usize {
    requests.lock().unwrap().iter().filter(|request| request.contains(word)).count()
}

/// What requests with a word held, in their bodies.
pub fn bodies(requests: &Requests, word: &str) -> Vec<Value> {
    requests.lock().unwrap().iter().filter(|request| request.contains(word)).map(|request| body(request)).collect()
}

/// The body of a request or an answer.
pub fn body(message: &str) -> Value {
    serde_json::from_str(message.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// An answer.
pub fn answer(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}
