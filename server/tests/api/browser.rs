//! A browser without scripting.

use crate::harness::{Answer, Service};
use reqwest::{Method, redirect::Policy};

/// A browser without scripting that follows redirects.
pub struct Browser<'a> {
    service: &'a Service,
    pub client: reqwest::Client,
    headers: Vec<(&'static str, &'static str)>,
}

impl<'a> Browser<'a> {
    pub fn new(service: &'a Service) -> Self {
        Self::with(service, &[])
    }

    pub fn with(service: &'a Service, headers: &[(&'static str, &'static str)]) -> Self {
        let client = reqwest::Client::builder().cookie_store(true).redirect(Policy::none()).build().unwrap();
        Self { service, client, headers: headers.to_vec() }
    }

    /// A browser in which Ada has proved the demo's first order.
    pub async fn of_ada(service: &'a Service) -> Self {
        let browser = Self::new(service);
        let form = [("orderNumber", "1001"), ("proof", "ada@example.com")];
        let sent = browser.send(Method::POST, "/fjord-fern/call/look-up", &form).await;
        assert_eq!(sent.header("location"), Some("/fjord-fern/purchases"), "{}", sent.text());
        browser
    }

    pub async fn send(&self, method: Method, path: &str, form: &[(&str, &str)]) -> Answer {
        let mut request = self.client.request(method, format!("{}{path}", self.service.base()));
        for (name, value) in &self.headers {
            request = request.header(*name, *value);
        }
        let request = if form.is_empty() { request } else { request.form(form) };
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, body: response.bytes().await.unwrap().to_vec() }
    }

    /// Calls a server function of the portal, with this `Accept`.
    pub async fn call(&self, name: &str, form: &[(&str, &str)], accept: &str) -> Answer {
        let path = format!("{}/fjord-fern/call/{name}", self.service.base());
        let mut request = self.client.post(path).header("accept", accept);
        for (name, value) in &self.headers {
            request = request.header(*name, *value);
        }
        let response = request.form(form).send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, body: response.bytes().await.unwrap().to_vec() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[]).await
    }

    /// Follows an address: the final path, and the page there.
    pub async fn follow(&self, path: &str) -> (String, String) {
        let follow = self.get(path).await;
        assert_eq!(follow.status, 303, "{path}: {}", follow.text());
        let place = follow.header("location").unwrap().to_owned();
        let page = self.get(&place).await;
        assert_eq!(page.status, 200, "{place}");
        assert_eq!(page.header("referrer-policy"), Some("same-origin"));
        (place, page.text())
    }
}

/// Whether a field of a page has this value.
pub fn has_value(page: &str, value: &str) -> bool {
    page.contains(&format!("value=\"{value}\""))
}
