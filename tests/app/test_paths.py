"""What of a path reaches the router."""

import pytest

from app.errors import HttpError
from app.paths import routable_path


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"/", "/"),
        (b"/v2", "/v2"),
        (b"/ui/", "/ui/"),
        (b"/v2/models/a%2Fb/ready", "/v2/models/a%2Fb/ready"),
        (b"/v2/models/a%252Fb/ready", "/v2/models/a%2Fb/ready"),
        (b"/v2/models/%E4%B8%AD", "/v2/models/中"),
        (b"/v2/%6d%6Fdels/a", "/v2/models/a"),
        (b"/v2/models/100%", "/v2/models/100%"),
    ],
)
def test_each_segment_is_decoded_once(raw: bytes, path: str) -> None:
    assert routable_path(raw) == path


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"v2",
        b"//",
        b"/v2/",
        b"//v2",
        b"/v2//x",
        b"/v2%0A",
        b"/%00",
        b"/%7f",
        b"/%ff",
        b"/ui//",
    ],
)
def test_no_route_may_see_these(raw: bytes) -> None:
    with pytest.raises(HttpError) as raised:
        routable_path(raw)

    assert raised.value.status == 404
