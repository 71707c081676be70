//! Imitated shops with scripted answers.

use super::{Receiver, read_request};
use serde_json::Value;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{io::AsyncWriteExt as _, time::sleep};

/// The requests that a shop received.
pub type Requests = Arc<Mutex<Vec<String>>>;

/// A shop that gives these answers in sequence to requests with a word; and the requests. A request without an answer loses its
/// connection.
pub fn scripted(answers: Vec<(&'static str, String)>) -> (Receiver, Requests) {
    slow(Duration::ZERO, answers)
}

/// The same, with a delay before each answer.
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

/// How many requests contained a word.
pub fn count(requests: &Requests, word: &str) -> usize {
    requests.lock().unwrap().iter().filter(|request| request.contains(word)).count()
}

/// The bodies of the requests with a word.
pub fn bodies(requests: &Requests, word: &str) -> Vec<Value> {
    requests.lock().unwrap().iter().filter(|request| request.contains(word)).map(|request| body(request)).collect()
}

/// The JSON body of a request or a response.
pub fn body(message: &str) -> Value {
    serde_json::from_str(message.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// A response.
pub fn answer(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}
