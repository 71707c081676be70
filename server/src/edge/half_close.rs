//! Closing a connection so that its last answer arrives.
//!
//! A request that is refused before its body was read (too large, not allowed) leaves bytes unread. Closing the socket then makes
//! the kernel reset the connection, and the client, which is still sending, sees the reset instead of the answer. So the server
//! half-closes: it sends its end of stream, then reads and discards what arrives for a moment. The answer has
//! `Connection: close`, or the client would send its next request over this connection.
//!
//! A client that sends a body or reads an answer too slowly ([`MinThroughput`]) is disconnected.

use super::min_throughput::MinThroughput;
use axum::body::{Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::Sleep,
};

/// How long the server discards what a client still sends.
const DISCARD_FOR: Duration = Duration::from_secs(2);

/// A connection that is half-closed before it is closed.
#[derive(Debug)]
pub(crate) struct HalfCloseStream {
    stream: TcpStream,
    /// The end of discarding, once the server has half-closed.
    discard_until: Option<Pin<Box<Sleep>>>,
    /// How fast the client reads answers, since it last sent something.
    reading: MinThroughput,
}

impl HalfCloseStream {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, discard_until: None, reading: MinThroughput::of_reading() }
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(&mut self.get_mut().stream)
    }

    fn write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let Self { stream, reading, .. } = self.get_mut();
        match write(Pin::new(stream), cx) {
            Poll::Ready(Ok(bytes)) => {
                reading.moved(bytes);
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => reading.poll_timeout(cx).map(Err),
        }
    }
}

impl AsyncRead for HalfCloseStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let Self { stream, reading, .. } = self.get_mut();
        ready!(Pin::new(stream).poll_read(cx, buffer))?;
        if buffer.filled().len() > before {
            *reading = MinThroughput::of_reading();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for HalfCloseStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.write(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.write(cx, |stream, cx| stream.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(cx)
    }

    /// Sends the end of the stream, then discards input until the client has closed too, or [`DISCARD_FOR`] is over.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, discard_until, .. } = self.get_mut();
        if discard_until.is_none() {
            ready!(Pin::new(&mut *stream).poll_shutdown(cx))?;
        }
        let until = discard_until.get_or_insert_with(|| Box::pin(tokio::time::sleep(DISCARD_FOR)));
        let mut discarded = [0; 16 * 1024];
        while until.as_mut().poll(cx).is_pending() {
            let mut buffer = ReadBuf::new(&mut discarded);
            let read = ready!(Pin::new(&mut *stream).poll_read(cx, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// A request's body that records when all of it was read, and fails if the client sends it too slowly.
#[derive(Debug)]
pub(crate) struct TrackedBody {
    body: Incoming,
    is_read: Arc<AtomicBool>,
    sending: MinThroughput,
}

impl TrackedBody {
    /// The body, and a flag that is set once it was read to its end.
    pub(crate) fn new(body: Incoming) -> (Self, Arc<AtomicBool>) {
        let is_read = Arc::new(AtomicBool::new(body.is_end_stream()));
        (Self { body, is_read: is_read.clone(), sending: MinThroughput::of_sending() }, is_read)
    }
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let Self { body, is_read, sending } = self.get_mut();
        let Poll::Ready(frame) = Pin::new(&mut *body).poll_frame(cx) else {
            return sending.poll_timeout(cx).map(|error| Some(Err(error.into())));
        };
        if let Some(Ok(frame)) = &frame {
            sending.moved(frame.data_ref().map_or(0, Bytes::len));
        }
        if frame.is_none() || body.is_end_stream() {
            is_read.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
