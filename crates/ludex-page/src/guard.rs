//! Who may ask: requests for this server by its own name, from its own page. A page elsewhere must not drive it.

use crate::http::Request;
use std::net::{IpAddr, SocketAddr};

/// The names that the server answers to.
pub struct Guard {
    address: SocketAddr,
    /// As the user gave it.
    host: String,
}

impl Guard {
    pub fn new(host: &str, address: SocketAddr) -> Guard {
        Guard { address, host: host.to_ascii_lowercase() }
    }

    /// Why a request is refused.
    pub fn refuse(&self, request: &Request) -> Option<&'static str> {
        if !request.header("host").is_some_and(|host| self.is_own(host)) {
            return Some("the Host of the request is not this server");
        }
        if request.has("origin") {
            let own = request.header("origin").and_then(|origin| origin.strip_prefix("http://"));
            if !own.is_some_and(|host| self.is_own(host)) {
                return Some("a page elsewhere must not ask this server");
            }
        }
        let asks = request.method == "POST";
        let site = request.header("sec-fetch-site");
        if asks && site.is_some_and(|site| site != "same-origin" && site != "none") {
            return Some("a page elsewhere must not ask this server");
        }
        // A form elsewhere cannot send this type without being asked first.
        if asks
            && !request.header("content-type").is_some_and(|t| t.starts_with("application/json"))
        {
            return Some("questions are application/json");
        }
        None
    }

    /// Whether `name:port` is this server: its address, this machine by name, or what the user called it. Names
    /// that others could give to our address (DNS rebinding) are none of these.
    fn is_own(&self, host: &str) -> bool {
        let port = self.address.port();
        let (name, given) = match host.rsplit_once(':') {
            Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
            _ => (host, Some(80)),
        };
        let name = name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let is_address = |ip: IpAddr| self.address.ip().is_unspecified() || ip == self.address.ip();
        let named = name == "localhost" || name == self.host;
        given == Some(port) && (named || name.parse().is_ok_and(is_address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(headers: &[(&str, &str)]) -> bool {
        let guard = Guard::new("127.0.0.1", "127.0.0.1:7000".parse().unwrap());
        guard.refuse(&Request::new("POST", "/api/games", headers)).is_some()
    }

    #[test]
    fn only_the_own_page_may_ask() {
        let json = ("content-type", "application/json");
        let own = ("host", "127.0.0.1:7000");
        assert!(!refused(&[own, json]));
        assert!(!refused(&[("host", "localhost:7000"), json, ("origin", "http://localhost:7000")]));
        assert!(refused(&[json]));
        assert!(refused(&[own, ("host", "evil.example"), json]));
        assert!(refused(&[("host", "evil.example:7000"), json]));
        assert!(refused(&[("host", "127.0.0.1:7001"), json]));
        assert!(refused(&[("host", "127.0.0.2:7000"), json]));
        assert!(refused(&[own, json, ("origin", "http://evil.example")]));
        assert!(refused(&[own, json, ("origin", "null")]));
        assert!(refused(&[own, json, ("origin", "https://127.0.0.1:7000")]));
        assert!(refused(&[own, json, ("sec-fetch-site", "cross-site")]));
        assert!(refused(&[own, ("content-type", "text/plain")]));
        assert!(refused(&[own]));
    }
}
