//! Clients that repeat one request as fast as they get answers.

use std::time::{Duration, Instant};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// How many clients request at the same time.
const CLIENTS: usize = 8;
const ROUND: Duration = Duration::from_millis(800);

/// The requests per second of all clients together, each with one connection and this header.
pub async fn requests_a_second(address: &str, path: &str, header: &str) -> f64 {
    let request = format!("GET {path} HTTP/1.1\r\nhost: bench\r\n{header}\r\n\r\n");
    let until = Instant::now() + ROUND;
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let (address, request) = (address.to_owned(), request.clone());
        clients.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            let mut count = 0_u32;
            let mut buffer = vec![0; 4 * 1024 * 1024];
            while Instant::now() < until {
                stream.write_all(request.as_bytes()).await.unwrap();
                read_answer(&mut stream, &mut buffer).await;
                count += 1;
            }
            count
        });
    }
    let started = Instant::now();
    let count: u32 = clients.join_all().await.iter().sum();
    f64::from(count) / started.elapsed().as_secs_f64()
}

/// Reads one answer, by its content-length.
pub async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) {
    let mut filled = 0;
    loop {
        filled += stream.read(&mut buffer[filled..]).await.unwrap();
        let Some(end) = buffer[..filled].windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = std::str::from_utf8(&buffer[..end]).unwrap().to_ascii_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{head}");
        let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
        let whole = end + 4 + length.parse::<usize>().unwrap();
        while filled < whole {
            filled += stream.read(&mut buffer[filled..]).await.unwrap();
        }
        return;
    }
}
