"""The promised metrics, in good form, and a dashboard that asks for them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from prometheus_client.core import Metric

from app.document import load_document
from app.errors import ERROR_TYPES
from app.telemetry.record import CLIENT_GONE, NO_OPERATION, NO_REASON
from engine import FinishReason
from tests.documents import operations

ROOT = Path(__file__).parents[2]
# promtool: units are base units, and written out.
BAD_UNITS = re.compile(r"_(ms|milliseconds|microseconds|minutes|hours|kilobytes|percent|sec)(_|$)")
BOUNDED_LABELS = {
    "operation": {op["operationId"] for _, _, op in operations(load_document())} | {NO_OPERATION},
    "status": {"200", str(CLIENT_GONE)} | {str(status) for status in ERROR_TYPES},
    "finish_reason": {reason.value for reason in FinishReason} | {NO_REASON},
    "outcome": {"finished", "cancelled", "failed"},
}
FREE_LABELS = {"version", "python_version"}  # facts of the deployment
FREE_LABELS |= {"model", "model_version", "architecture", "device", "dtype"}


def test_the_list_in_the_documentation_is_what_is_served(used: dict[str, Metric]) -> None:
    rows = re.findall(
        r"^\| `(genspec_\w+)` \| (\w+) \|([^|]*)\|",
        (ROOT / "docs/metrics.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    listed = {name: (kind, set(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}
    served = {
        name: (metric.type, {key for s in metric.samples for key in s.labels} - {"le"})
        for name, metric in used.items()
    }
    assert listed == served


def test_names_units_and_help_keep_the_conventions(used: dict[str, Metric]) -> None:
    for name, metric in used.items():
        assert re.fullmatch(r"genspec_[a-z]+(_[a-z]+)*", name)
        assert not BAD_UNITS.search(name), name
        assert not re.search(r"gauge|counter|histogram|summary", name), name
        assert metric.type in {"counter", "gauge", "histogram"}, name
        assert name.endswith("_total") == (metric.type == "counter"), name
        assert not name.endswith(("_count", "_sum", "_bucket", "_created")), name
        assert re.fullmatch(r"[A-Z].*\.", metric.documentation), name
        assert metric.samples, name
    texts = [metric.documentation for metric in used.values()]
    assert len(set(texts)) == len(texts)


def test_labels_take_only_values_that_the_program_knows(used: dict[str, Metric]) -> None:
    for metric in used.values():
        for sample in metric.samples:
            for label, text in sample.labels.items():
                if label != "le" and label not in FREE_LABELS:
                    assert text in BOUNDED_LABELS[label], (sample.name, label)
                assert "secret" not in text


def test_buckets_only_grow_and_end_with_everything(used: dict[str, Metric]) -> None:
    for metric in used.values():
        buckets: dict[str, list[tuple[float, float]]] = {}
        for s in metric.samples:
            if s.name.endswith("_bucket"):
                key = str({k: v for k, v in s.labels.items() if k != "le"})
                buckets.setdefault(key, []).append((float(s.labels["le"]), s.value))
        assert bool(buckets) == (metric.type == "histogram")
        for series in buckets.values():
            assert series == sorted(series)
            assert [count for _, count in series] == sorted(count for _, count in series)
            assert series[-1][0] == float("inf")


def _queries() -> Iterator[str]:
    dashboard = json.loads((ROOT / "deploy/grafana.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        for target in panel.get("targets", ()):
            yield target["expr"]


def test_the_dashboard_asks_for_what_is_served(used: dict[str, Metric]) -> None:
    asked = {name for query in _queries() for name in re.findall(r"genspec_\w+", query)}
    served = {sample.name for metric in used.values() for sample in metric.samples}
    shown = {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked}

    assert asked <= served
    assert used.keys() - shown == {"genspec_build_info"}
    for query in _queries():
        labels = set(re.findall(r"\bby \(([^)]*)\)", query))
        used_labels = {label.strip() for text in labels for label in text.split(",")}
        assert used_labels <= BOUNDED_LABELS.keys() | FREE_LABELS | {"le"}
        assert query.count("(") == query.count(")")
