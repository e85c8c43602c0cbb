"""The document as served, and its user interface."""

import re

import httpx
import pytest
import yaml

from app.deployment import folded_document
from app.settings import Settings
from tests.fake_engine import MODEL


async def test_the_served_document_is_the_folded_one(client: httpx.AsyncClient) -> None:
    expected = folded_document(Settings(), [MODEL])

    as_json = await client.get("/openapi.json")
    as_yaml = await client.get("/openapi.yaml")

    assert as_json.json() == yaml.safe_load(as_yaml.content) == expected
    assert as_json.headers["content-type"] == "application/json"
    assert "#/components/schemas/GenerateRequest" in as_json.text
    assert "&id" not in as_yaml.text


@pytest.mark.parametrize("path", ["/ui/", "/ui"])
async def test_the_user_interface_needs_no_other_host(client: httpx.AsyncClient, path: str) -> None:
    page = await client.get(path)
    links = re.findall(r'(?:href|src)="([^"]+)"', page.text)
    base, assets = links[0], links[1:]

    assert page.status_code == 200
    assert "http" not in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src" not in policy  # the default: nothing inline, nothing evaluated
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "<script>" not in page.text
    assert len(assets) == 5
    for asset in assets:
        url = page.url.join(base).join(asset)
        assert url.path.startswith("/ui/")
        assert (await client.get(url)).status_code == 200


async def test_the_user_interface_shows_our_document(client: httpx.AsyncClient) -> None:
    script = (await client.get("/ui/start.js")).text
    (url,) = re.findall(r'url: "([^"]+)"', script)

    assert httpx.URL("http://test/ui/").join(url).path == "/openapi.json"


async def test_the_playground_needs_no_other_host(client: httpx.AsyncClient) -> None:
    page = await client.get("/")
    links = re.findall(r'(?:href|src)="([^"#]+)"', page.text)

    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "http" not in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "script-src" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<script>|<style|style=", page.text)
    assert {"ui/", "openapi.json", "playground/main.js"} <= set(links)
    for link in links:
        assert (await client.get(page.url.join(link))).status_code == 200, link


async def test_every_module_of_the_playground_is_served_and_loaded_early(
    client: httpx.AsyncClient,
) -> None:
    page = (await client.get("/")).text
    early = set(re.findall(r'"modulepreload" href="(.+?)"', page))
    unread, read = ["/playground/main.js"], set[str]()
    while unread:
        url = httpx.URL("http://test").join(unread.pop())
        reply = await client.get(url)
        assert reply.status_code == 200, url
        assert reply.headers["content-type"] == "text/javascript; charset=utf-8"
        read.add(url.path)
        found = (url.join(name).path for name in re.findall(r'from "(.+?)"', reply.text))
        unread += [path for path in found if path not in read]

    assert read == {f"/{path}" for path in early | {"playground/main.js"}}


@pytest.mark.parametrize("path", ["/", "/ui/", "/playground/main.js", "/openapi.yaml"])
async def test_what_a_browser_has_is_not_sent_again(client: httpx.AsyncClient, path: str) -> None:
    page = await client.get(path)
    tag = page.headers["etag"]
    assert page.headers["cache-control"] == "no-cache"

    for known in (tag, f'"other", W/{tag}', "*"):
        for method in ("GET", "HEAD"):
            reply = await client.request(method, path, headers={"If-None-Match": known})
            assert (reply.status_code, reply.content) == (304, b"")
            assert reply.headers["etag"] == tag
            assert reply.headers["cache-control"] == "no-cache"
            assert "content-type" not in reply.headers
    for unknown in ("", '"other"', tag.strip('"'), tag[:-1]):
        reply = await client.get(path, headers={"If-None-Match": unknown})
        assert (reply.status_code, reply.content) == (200, page.content)


async def test_every_page_has_an_etag_of_its_own(client: httpx.AsyncClient) -> None:
    paths = ["/", "/ui", "/ui/", "/openapi.json", "/openapi.yaml", "/ui/start.js"]
    tags = [(await client.get(path)).headers["etag"] for path in paths]

    assert len(set(tags)) == len(paths)
    assert [(await client.get(path)).headers["etag"] for path in paths] == tags


@pytest.mark.parametrize("path", ["/", "/playground/style.css", "/ui/"])
async def test_head_tells_of_a_page_without_it(client: httpx.AsyncClient, path: str) -> None:
    page, head = await client.get(path), await client.head(path)

    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length", "content-security-policy"):
        assert head.headers[name] == page.headers[name]


@pytest.mark.parametrize(
    "path",
    [
        *("/ui/nope.js", "/ui/../openapi", "/ui/%2e%2e", "/ui/ui/", "/ui/__init__.py"),
        *("/ui/index.html", "/playground/index.html"),  # not as pages: what those are made from
        *("/playground", "/playground/", "/playground/__init__.py", "/playground/../docs.py"),
    ],
)
async def test_nothing_else_is_served_there(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404
