"""Paths, methods, models and versions."""

from tests.contract.cases.case import GENERATE, MODEL, Case
from tests.wire import get, head, post

BODY = b'{"text_input":"a"}'
NO_PATH = "nothing is served at this path"
NO_METHOD = "this method is not allowed here"
NO_MODEL = "model_name: no such model is served here"
NO_VERSION = "model_version: the model has no such version"
VERSIONED = f"/v2/models/{MODEL}/versions/1"


def found(path: str) -> Case:
    return Case(name=f"GET {path}", raw=get(path), status=200)


def no_path(path: str) -> Case:
    return Case(name=f"POST {path[:60]}", raw=post(path, BODY), status=404, error=NO_PATH)


def no_get(path: str) -> Case:
    return Case(name=f"GET {path}", raw=get(path), status=404, error=NO_PATH)


def no_model(path: str, error: str = NO_MODEL, body: bytes = BODY, *lines: str) -> Case:
    name = f"model {path} {len(body)} {len(lines)}"
    return Case(name=name, raw=post(path, body, *lines), status=404, error=error)


def wrong_method(method: str, path: str, allow: str) -> Case:
    error = None if method == "HEAD" else NO_METHOD
    raw = head(f"{method} {path}", "Content-Length: 0")
    return Case(name=f"{method} {path}", raw=raw, status=405, error=error, allow=allow)


CASES: list[Case] = [
    *map(found, ("/v2", "/v2/health/live", "/v2/health/ready", f"/v2/models/{MODEL}", VERSIONED)),
    *map(found, (f"/v2/models/{MODEL}/ready", f"{VERSIONED}/ready")),
    *map(found, ("/openapi.json", "/openapi.yaml", "/", "/ui/", "/ui", "/metrics")),
    *map(found, ("/v2/%68ealth/live", f"/v2/models/%{ord(MODEL[0]):x}{MODEL[1:]}")),
    *map(found, ("/v2?x=1", "/v2/health/live?", "/v2/health/live?a=%ff&&=")),
    Case(name="HEAD /v2/health/live", raw=head("HEAD /v2/health/live"), status=200),
    Case(name="HEAD /openapi.json", raw=head("HEAD /openapi.json"), status=200),
    Case(name="version", raw=post(f"{VERSIONED}/generate", BODY), status=200),
    Case(
        name="unknown query",
        raw=post(f"{GENERATE}?seed=0&a%5Bb%5D=", BODY),
        status=200,
        ignored="query.seed, query.a%5Bb%5D",
    ),
    #
    *map(no_path, ("/v1", "/v2/", "/V2/models", "/v2/models", f"{GENERATE}/", f"/{GENERATE}")),
    *map(no_path, (f"/v2//models/{MODEL}/generate", f"/v2/models//{MODEL}/generate")),
    *map(no_path, ("/v2/models//generate", f"/v2/models/{MODEL}/versions//generate")),
    *map(no_path, (f"/v2/models/{MODEL}/Generate", f"/v2/models/{MODEL}/generate_stream/x")),
    *map(no_path, (f"{GENERATE}%0A", f"{GENERATE}%00", f"{GENERATE}%20", f"{GENERATE}/..")),
    *map(no_path, (f"/v2/models/{MODEL}%0A/generate", f"/v2/models/{MODEL}/%67enerate/")),
    *map(no_path, ("/v2/models/%ff/generate", "/v2/models/%c0%af/generate")),
    *map(no_path, ("/v2/models/%ED%A0%80/generate", f"/v2/models/{MODEL}%2Fgenerate/x")),
    *map(no_path, (f"/v2/./models/{MODEL}/generate", f"/v2/x/../models/{MODEL}/generate")),
    no_path("/" + "x" * 60_000),
    *map(no_get, ("/nope", "/openapi.json/", "/v2/health/live/", "/ui/nope.js", "/ui/../v2")),
    *map(no_get, ("/ui/%2e%2e/app/cli.py", "/static/x", "/docs", "/metrics/x", "/favicon.ico")),
    #
    no_model("/v2/models/nope/generate"),
    no_model("/v2/models/nope/generate", NO_MODEL, b"{"),
    no_model("/v2/models/nope/generate", NO_MODEL, BODY, "Content-Type: text/plain"),
    no_model("/v2/models/nope/generate", NO_MODEL, b"", "Content-Encoding: gzip"),
    no_model("/v2/models/nope/versions/1/generate"),
    no_model("/v2/models/TINY/generate"),
    no_model(f"/v2/models/{MODEL}%20/generate"),
    no_model("/v2/models/a%20b/generate"),
    no_model(f"/v2/models/{MODEL}%2Fgenerate/generate"),
    no_model(f"/v2/models/org%2F{MODEL}/generate"),
    no_model(f"/v2/models/{MODEL}%252Fx/generate"),
    no_model("/v2/models/../generate"),
    no_model("/v2/models/%2e%2e/generate"),
    no_model("/v2/models/%E4%B8%AD/generate"),
    no_model("/v2/models/%7B%7Bx%7D%7D/generate"),
    no_model(f"/v2/models/{MODEL};x/generate"),
    no_model("/v2/models/{model_name}/generate"),
    no_model(f"/v2/models/{'x' * 60_000}/generate"),
    no_model(f"/v2/models/{MODEL}/versions/2/generate", NO_VERSION),
    no_model(f"/v2/models/{MODEL}/versions/2/generate", NO_VERSION, b"{"),
    no_model(f"/v2/models/{MODEL}/versions/01/generate", NO_VERSION),
    no_model(f"/v2/models/{MODEL}/versions/%201/generate", NO_VERSION),
    Case(name="metadata", raw=get("/v2/models/nope"), status=404, error=NO_MODEL),
    Case(name="readiness", raw=get("/v2/models/nope/ready"), status=404, error=NO_MODEL),
    Case(
        name="version of metadata",
        raw=get(f"/v2/models/{MODEL}/versions/2"),
        status=404,
        error=NO_VERSION,
    ),
    Case(name="%2F", raw=get(f"/v2/models/{MODEL}%2Fready"), status=404, error=NO_MODEL),
    Case(name="%2f", raw=get(f"/v2/models%2f{MODEL}"), status=404, error=NO_PATH),
    #
    *(wrong_method(method, GENERATE, "POST") for method in ("GET", "HEAD", "PUT", "DELETE")),
    *(
        wrong_method(method, GENERATE, "POST")
        for method in ("PATCH", "OPTIONS", "TRACE", "PROPFIND")
    ),
    *(wrong_method(method, "/v2", "GET, HEAD") for method in ("POST", "PUT", "DELETE", "OPTIONS")),
    wrong_method("POST", "/v2/health/live", "GET, HEAD"),
    wrong_method("POST", f"/v2/models/{MODEL}", "GET, HEAD"),
    wrong_method("POST", f"{VERSIONED}/ready", "GET, HEAD"),
    wrong_method("POST", "/openapi.json", "GET, HEAD"),
    wrong_method("POST", "/metrics", "GET, HEAD"),
    wrong_method("DELETE", "/ui/", "GET, HEAD"),
    wrong_method("POST", "/", "GET, HEAD"),
    wrong_method("GET", f"{VERSIONED}/generate", "POST"),
]
