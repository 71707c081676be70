//! A page as the response to a request.

use crate::{
    frame::{
        document::{Frame, Person},
        navigation::Section,
        preferences::Preferences,
        render::render,
    },
    visit::{flash, guest::Guest, visitor::Visit},
};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use ui::html::Html;

/// A page that is about to be rendered.
#[derive(Debug)]
pub struct Page<'a> {
    guest: &'a Guest,
    person: Option<Person>,
    title: String,
    section: Option<Section>,
    status: StatusCode,
    image_hosts: Vec<String>,
    has_islands: bool,
}

impl<'a> Page<'a> {
    /// A page. It has the status of the form on it that was refused, or 200.
    pub fn new(guest: &'a Guest, person: Option<Person>, title: impl Into<String>, section: Option<Section>) -> Self {
        let status = guest.refused.as_ref().map_or(StatusCode::OK, |refused| refused.status);
        let has_islands = person.is_some();
        Self { guest, person, title: title.into(), section, status, image_hosts: Vec::new(), has_islands }
    }

    /// Allows pictures from these hosts (`ui::components::image_hosts`).
    #[must_use]
    pub fn images(mut self, hosts: Vec<String>) -> Self {
        self.image_hosts = hosts;
        self
    }

    /// Loads the scripts, because the page has an island. Pages of somebody who is signed in always do.
    #[must_use]
    pub fn with_islands(self) -> Self {
        Self { has_islands: true, ..self }
    }

    /// Renders the page.
    pub fn render(self, body: impl FnOnce() -> Html) -> Response {
        let guest = self.guest;
        let frame = Frame {
            title: self.title,
            home: guest.home,
            person: self.person,
            section: self.section,
            flash: guest.flash.clone(),
            preferences: guest.preferences.clone(),
            words: guest.words,
            has_islands: self.has_islands,
        };
        let mut response = render(frame, self.status, &self.image_hosts, body);
        if guest.flash.is_some() {
            flash::clear(response.headers_mut(), guest.secure);
        }
        if guest.new_language.is_some() {
            let choices = Preferences { language: guest.new_language, ..guest.preferences.clone() };
            let cookie = HeaderValue::try_from(choices.cookie(guest.secure));
            response.headers_mut().extend(cookie.ok().map(|cookie| (header::SET_COOKIE, cookie)));
        }
        response
    }
}

impl Visit {
    /// A page of the desk, to be changed before it is rendered.
    pub fn page(&self, title: impl Into<String>, section: Section) -> Page<'_> {
        Page::new(self, Some(self.person()), title, Some(section))
    }

    /// Renders a page of the desk.
    pub fn render(&self, title: impl Into<String>, section: Section, body: impl FnOnce() -> Html) -> Response {
        self.page(title, section).render(body)
    }
}

impl Guest {
    /// Renders a page without navigation: for people who are not signed in.
    pub fn render_door(&self, title: impl Into<String>, body: impl FnOnce() -> Html) -> Response {
        Page::new(self, None, title, None).render(body)
    }

    /// The same for a page that offers passkeys.
    pub fn render_door_with_passkeys(&self, title: impl Into<String>, body: impl FnOnce() -> Html) -> Response {
        Page::new(self, None, title, None).with_islands().render(body)
    }
}
