//! Closing a connection so that its last answer arrives.
//!
//! A request that is refused before it was read to its end (too large, not allowed) leaves bytes behind. Closing
//! then makes the kernel reset the connection, and the client, still sending, sees that instead of the answer.
//! So what is still coming is read for a moment and thrown away; and the answer says that the connection closes,
//! or the client would send its next request into it.
//!
//! Who sends a body or takes an answer too slowly ([`Pace`]) is not waited for.

use crate::pace::Pace;
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

/// How long a client may go on sending what nobody reads.
const LINGER: Duration = Duration::from_secs(2);

/// A connection that takes a moment to close.
#[derive(Debug)]
pub(crate) struct Lingering {
    stream: TcpStream,
    until: Option<Pin<Box<Sleep>>>,
    /// How fast answers are taken, since the client last sent something.
    taking: Pace,
}

impl Lingering {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, until: None, taking: Pace::of_taking() }
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(&mut self.get_mut().stream)
    }

    fn write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let Self { stream, taking, .. } = self.get_mut();
        match write(Pin::new(stream), cx) {
            Poll::Ready(Ok(bytes)) => {
                taking.moved(bytes);
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => taking.poll_patience(cx).map(Err),
        }
    }
}

impl AsyncRead for Lingering {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let Self { stream, taking, .. } = self.get_mut();
        ready!(Pin::new(stream).poll_read(cx, buffer))?;
        if buffer.filled().len() > before {
            *taking = Pace::of_taking();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Lingering {
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

    /// Says that nothing more comes from here, then reads until the client has closed too, or its time is over.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, until, .. } = self.get_mut();
        if until.is_none() {
            ready!(Pin::new(&mut *stream).poll_shutdown(cx))?;
        }
        let until = until.get_or_insert_with(|| Box::pin(tokio::time::sleep(LINGER)));
        let mut thrown_away = [0; 16 * 1024];
        while until.as_mut().poll(cx).is_pending() {
            let mut buffer = ReadBuf::new(&mut thrown_away);
            let read = ready!(Pin::new(&mut *stream).poll_read(cx, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// A request's body that notes when all of it was read, and does not wait for who sends it too slowly.
#[derive(Debug)]
pub(crate) struct Watched {
    body: Incoming,
    read: Arc<AtomicBool>,
    sending: Pace,
}

impl Watched {
    /// The body, and what will tell whether it was read.
    pub(crate) fn new(body: Incoming) -> (Self, Arc<AtomicBool>) {
        let read = Arc::new(AtomicBool::new(body.is_end_stream()));
        (Self { body, read: read.clone(), sending: Pace::of_sending() }, read)
    }
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let Self { body, read, sending } = self.get_mut();
        let Poll::Ready(frame) = Pin::new(&mut *body).poll_frame(cx) else {
            return sending.poll_patience(cx).map(|error| Some(Err(error.into())));
        };
        if let Some(Ok(frame)) = &frame {
            sending.moved(frame.data_ref().map_or(0, Bytes::len));
        }
        if frame.is_none() || body.is_end_stream() {
            read.store(true, Ordering::Relaxed);
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
