//! How an island calls a function: one `fetch` with text in both directions. The client of `server_fn` also streams, aborts and
//! reconnects, which costs every shopper's phone some kilobytes of code.

use futures_util::{Sink, Stream, sink, stream};
use http_types::Method;
use leptos::server_fn::{
    Bytes,
    client::Client,
    error::{FromServerFnError, IntoAppError, ServerFnErrorErr},
    request::ClientReq,
    response::ClientRes,
};
use std::future::Future;

/// Sends calls from the page.
#[derive(Debug)]
pub struct Fetch;

/// The request of a call.
#[derive(Debug)]
pub struct Request {
    #[cfg_attr(not(feature = "hydrate"), expect(dead_code, reason = "islands call from the browser"))]
    path: String,
    #[cfg_attr(not(feature = "hydrate"), expect(dead_code, reason = "islands call from the browser"))]
    body: String,
}

/// The response to a call.
#[derive(Debug)]
pub struct Response {
    status: u16,
    text: String,
}

fn unsupported<E: FromServerFnError>() -> E {
    ServerFnErrorErr::Request(String::new()).into_app_error()
}

impl<E: FromServerFnError> ClientReq<E> for Request {
    type FormData = ();

    fn try_new_req_text(path: &str, _: &str, _: &str, body: String, _: Method) -> Result<Self, E> {
        Ok(Self { path: path.to_owned(), body })
    }

    fn try_new_req_query(_: &str, _: &str, _: &str, _: &str, _: Method) -> Result<Self, E> {
        Err(unsupported())
    }

    fn try_new_req_bytes(_: &str, _: &str, _: &str, _: Bytes, _: Method) -> Result<Self, E> {
        Err(unsupported())
    }

    fn try_new_req_form_data(_: &str, _: &str, _: &str, (): (), _: Method) -> Result<Self, E> {
        Err(unsupported())
    }

    fn try_new_req_multipart(_: &str, _: &str, (): (), _: Method) -> Result<Self, E> {
        Err(unsupported())
    }

    fn try_new_req_streaming(
        _: &str,
        _: &str,
        _: &str,
        _: impl Stream<Item = Bytes> + Send + 'static,
        _: Method,
    ) -> Result<Self, E> {
        Err(unsupported())
    }
}

impl<E: FromServerFnError> ClientRes<E> for Response {
    async fn try_into_string(self) -> Result<String, E> {
        Ok(self.text)
    }

    async fn try_into_bytes(self) -> Result<Bytes, E> {
        Ok(self.text.into())
    }

    fn try_into_stream(self) -> Result<impl Stream<Item = Result<Bytes, Bytes>> + Send + Sync + 'static, E> {
        Err::<stream::Empty<_>, E>(unsupported())
    }

    fn status(&self) -> u16 {
        self.status
    }

    fn status_text(&self) -> String {
        String::new()
    }

    fn location(&self) -> String {
        String::new()
    }

    fn has_redirect(&self) -> bool {
        false
    }
}

impl<E: FromServerFnError, I, O> Client<E, I, O> for Fetch {
    type Request = Request;
    type Response = Response;

    #[cfg(feature = "hydrate")]
    fn send(request: Request) -> impl Future<Output = Result<Response, E>> + Send {
        // The page has one thread.
        send_wrapper::SendWrapper::new(async move { browser::send(request).await.map_err(|_| unsupported()) })
    }

    #[cfg(not(feature = "hydrate"))]
    async fn send(_: Request) -> Result<Response, E> {
        Err(unsupported())
    }

    async fn open_websocket(
        _: &str,
    ) -> Result<(impl Stream<Item = Result<Bytes, Bytes>> + Send + 'static, impl Sink<Bytes> + Send + 'static), E> {
        Err::<(stream::Empty<_>, sink::Drain<_>), E>(unsupported())
    }

    fn spawn(_: impl Future<Output = ()> + Send + 'static) {}
}

#[cfg(feature = "hydrate")]
mod browser {
    use super::{Request, Response};
    use leptos::prelude::{document, window};
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;
    use web_sys::{RequestInit, Response as Fetched};

    /// Sends a call below the address of the shop, which the page names. In a frame, the query selects the frame's session.
    pub(super) async fn send(request: Request) -> Result<Response, JsValue> {
        let body = document().body();
        let home = body.as_ref().and_then(|body| body.get_attribute("data-home")).unwrap_or_default();
        let is_embedded = body.is_some_and(|body| body.class_list().contains("embedded"));
        let query = if is_embedded { "?embedded" } else { "" };
        let init = RequestInit::new();
        init.set_method("POST");
        init.set_body(&JsValue::from_str(&request.body));
        let headers = web_sys::Headers::new()?;
        headers.append("Accept", "application/json")?;
        headers.append("Content-Type", "application/x-www-form-urlencoded")?;
        init.set_headers(&headers);
        let href = format!("{home}{}{query}", request.path);
        let fetched: Fetched = JsFuture::from(window().fetch_with_str_and_init(&href, &init)).await?.dyn_into()?;
        let text = JsFuture::from(fetched.text()?).await?.as_string().unwrap_or_default();
        Ok(Response { status: fetched.status(), text })
    }
}
