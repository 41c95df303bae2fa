//! Which path leads to what.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hyper::body::Incoming;
use hyper::header::CONTENT_TYPE;
use hyper::{Method, Request, StatusCode};
use serde_json::{Map, Value};

use crate::access::{Access, access};
use crate::answers::{Answers, Game, Refusal};
use crate::body::Bodies;
use crate::page;
use crate::query;
use crate::reply::Reply;
use crate::settings::Settings;
use crate::work::Work;

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    answers: Arc<dyn Answers>,
    work: Work,
    questions: Bodies,
    games: Bodies,
    page: String,
}

impl Shared {
    pub(crate) fn new(settings: Settings, answers: Arc<dyn Answers>) -> Shared {
        let limits = &settings.limits;
        let (work, questions, games) = (Work::new(limits), Bodies::of_questions(limits), Bodies::of_games(limits));
        Shared { settings, answers, work, questions, games, page: page::page() }
    }

    /// The reply to a request.
    pub(crate) async fn reply(&self, request: Request<Incoming>) -> Reply {
        let opens_page = request.uri().path() == "/" && request.method() == Method::GET;
        match access(request.headers(), &self.settings.allowed_origins, opens_page) {
            Access::None(words) => Reply::error(StatusCode::FORBIDDEN, &words),
            Access::Own => self.route(request).await,
            // A browser asks first whether a page may ask.
            Access::Shared(origin) if request.method() == Method::OPTIONS => {
                Reply::empty(StatusCode::NO_CONTENT).shared_with(origin)
            }
            Access::Shared(origin) => self.route(request).await.shared_with(origin),
        }
    }

    async fn route(&self, request: Request<Incoming>) -> Reply {
        let path = request.uri().path();
        match (request.method().as_str(), path) {
            ("GET" | "HEAD", "/") => Reply::page(self.page.clone()),
            ("GET" | "HEAD", "/health") => Reply::json(StatusCode::OK, "{\"status\":\"ok\"}\n".to_owned()),
            ("GET", "/analyze") => match question(request.uri().query().unwrap_or_default()) {
                Ok(question) => self.analyze(question).await,
                Err(words) => Reply::error(StatusCode::BAD_REQUEST, &words),
            },
            ("POST", "/analyze") => {
                match self.questions.read(request.into_body(), self.settings.limits.question_bytes).await {
                    Ok((question, _room)) => self.analyze(question).await,
                    Err(reply) => reply,
                }
            }
            ("POST", "/grade") => self.grade(request).await,
            (method, "/" | "/health") => Reply::wrong_method(path, &["GET", "HEAD"], method),
            (method, "/analyze") => Reply::wrong_method(path, &["GET", "POST"], method),
            (method, "/grade") => Reply::wrong_method(path, &["POST"], method),
            _ => {
                let words = format!("expected /, /analyze, /grade or /health, found {path}");
                Reply::error(StatusCode::NOT_FOUND, &words)
            }
        }
    }

    async fn analyze(&self, question: Vec<u8>) -> Reply {
        self.job(move |answers, stop| answers.analyze(&question, stop)).await
    }

    async fn grade(&self, request: Request<Incoming>) -> Reply {
        let pairs = match query::pairs(request.uri().query().unwrap_or_default()) {
            Ok(pairs) => pairs,
            Err(words) => return Reply::error(StatusCode::BAD_REQUEST, &words),
        };
        if let Some((other, _)) = pairs.iter().find(|(key, _)| key != "name") {
            let words = format!("expected name in the query of /grade, found {other}");
            return Reply::error(StatusCode::BAD_REQUEST, &words);
        }
        if pairs.len() > 1 {
            return Reply::error(
                StatusCode::BAD_REQUEST,
                "expected name once in the query of /grade, found it more than once",
            );
        }
        let name = pairs.into_iter().next().map(|(_, name)| name);
        let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(str::to_owned);
        match self.games.read(request.into_body(), self.settings.limits.game_bytes).await {
            Ok((bytes, _room)) => {
                let game = Game { name, content_type, bytes };
                self.job(move |answers, stop| answers.grade(&game, stop)).await
            }
            Err(reply) => reply,
        }
    }

    async fn job<F>(&self, job: F) -> Reply
    where
        F: FnOnce(&dyn Answers, &AtomicBool) -> Result<String, Refusal> + Send + 'static,
    {
        let answers = Arc::clone(&self.answers);
        self.work.reply(move |stop| job(&*answers, stop)).await
    }
}

/// A query as the JSON object that would be sent in a body, with texts as values.
fn question(query: &str) -> Result<Vec<u8>, String> {
    let mut object = Map::new();
    for (key, value) in query::pairs(query)? {
        if object.contains_key(&key) {
            return Err(format!("expected {key} once in the query, found it again"));
        }
        object.insert(key, Value::String(value));
    }
    Ok(Value::Object(object).to_string().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_asks_as_a_body_does() {
        assert_eq!(question("piece=T&tapRate=X....&x=%22").unwrap(), br#"{"piece":"T","tapRate":"X....","x":"\""}"#);
        assert_eq!(question("").unwrap(), b"{}");
        assert_eq!(question("a=1&a=2").unwrap_err(), "expected a once in the query, found it again");
    }
}
