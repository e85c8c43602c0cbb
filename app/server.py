"""The application: the document decides, connexion routes, our layers keep the contract."""

import copy
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from connexion import AsyncApp
from connexion.middleware.lifespan import LifespanMiddleware
from connexion.middleware.routing import RoutingMiddleware
from connexion.resolver import Resolver
from starlette.types import ASGIApp

from app.api_keys import KeyRing
from app.body import BodySchema
from app.body_middleware import BodyMiddleware
from app.body_reader import BodyReader
from app.capabilities import declared_capabilities
from app.closing import ClosingMiddleware
from app.cors import ListedOrigins
from app.cross_site import CrossSiteMiddleware
from app.deployment import folded_document
from app.docs import DocsMiddleware
from app.document import Document, mappings
from app.endpoint import EndpointMiddleware
from app.field_names import FieldNames
from app.idempotency import IdempotencyMiddleware, idempotency_validators
from app.kept_answers import KeptAnswers
from app.key_middleware import KeyLimits, KeyMiddleware
from app.lifecycle import Lifecycle
from app.model_gate import ModelGateMiddleware
from app.outermost import ErrorMiddleware, RequestIdMiddleware, request_name
from app.paths import PathMiddleware
from app.query import QuerySchema
from app.settings import Settings
from app.telemetry.logs import RequestLog
from app.telemetry.metrics import Metrics
from app.telemetry.middleware import OperationMiddleware, TelemetryMiddleware
from app.telemetry.observed import observed
from app.telemetry.traces import Tracing
from engine import Engine
from handlers import Handler, operations

METHODS = ("get", "put", "post", "delete", "patch")
# One character outside the basic plane may be escaped as two of six bytes.
MAX_BYTES_PER_CHARACTER = 12
BODY_SLACK_BYTES = 65536  # for everything in a body beside its text


def create_app(
    settings: Settings,
    engine: Engine,
    lifecycle: Lifecycle | None = None,
    tracing: Tracing | None = None,
) -> ASGIApp:
    """An ASGI application in front of an engine, which its lifespan starts and stops."""
    lifecycle = lifecycle or Lifecycle(engine)
    document = folded_document(settings, engine.models())
    metrics = Metrics(document["info"]["version"])
    engine = observed(engine, metrics)
    app: ASGIApp = _connexion_app(settings, engine, lifecycle, document, metrics)
    app = DocsMiddleware(app, document)
    app = PathMiddleware(app)
    app = ErrorMiddleware(app)
    if settings.cors_origins:
        app = ListedOrigins(app, settings.cors_origins)
    app = CrossSiteMiddleware(app, settings.cors_origins)
    log = RequestLog(with_prompts=settings.log_prompts)
    app = TelemetryMiddleware(
        ErrorMiddleware(app), request_name, (metrics.observe_request, log), tracing
    )
    return RequestIdMiddleware(ClosingMiddleware(app, lifecycle.is_draining))


def _connexion_app(
    settings: Settings,
    engine: Engine,
    lifecycle: Lifecycle,
    document: Document,
    metrics: Metrics,
) -> ASGIApp:
    """Routing and the calls of handlers. Errors leave it as exceptions.

    connexion checks the document, resolves each operation to its handler and routes to it. Of its
    other layers only the lifespan's stands: its error handlers miss what fails outside of them,
    and its validation of bodies is too lenient and compiles nothing.
    """
    handlers = operations(
        engine,
        document_info=document["info"],
        declared_capabilities=declared_capabilities(document),
        is_draining=lifecycle.is_draining,
        has_failed=lifecycle.has_failed,
        request_timeout=settings.request_timeout,
        render_metrics=metrics.render,
    )
    app = AsyncApp(
        __name__,
        lifespan=lifecycle.lifespan,
        middlewares=[
            RoutingMiddleware,
            OperationMiddleware,
            *_key_layers(settings, document),
            partial(ModelGateMiddleware, engine=engine, is_draining=lifecycle.is_draining),
            *_body_layers(settings, document),
            LifespanMiddleware,
            partial(
                EndpointMiddleware,
                handlers=handlers,
                max_stream_backlog=settings.max_stream_backlog,
            ),
        ],
        resolver=Resolver(partial(_find, handlers)),
    )
    app.add_api(copy.deepcopy(document))
    return app  # type: ignore[no-any-return]


def _key_layers(settings: Settings, document: Document) -> list[Callable[[ASGIApp], ASGIApp]]:
    if settings.api_keys_file is None:
        return []
    limits = KeyLimits(settings.key_concurrency, settings.key_requests_per_minute)
    ring = KeyRing(settings.api_keys_file)
    operations = tuple(_operations(document))
    return [partial(KeyMiddleware, ring=ring, operations=operations, limits=limits)]


def _body_layers(settings: Settings, document: Document) -> list[Callable[[ASGIApp], ASGIApp]]:
    declared = _operations_with_body(document)
    return [
        partial(
            BodyMiddleware,
            schemas={name: BodySchema(document, name) for name in declared},
            queries={name: QuerySchema(document, declared[name]) for name in declared},
            reader=BodyReader(max_body_bytes(document), settings.max_arriving_bytes),
            field_names=FieldNames.of(document),
        ),
        partial(
            IdempotencyMiddleware,
            validators=idempotency_validators(document, _operations(document)),
            kept=KeptAnswers(settings.idempotency_lifetime, settings.max_idempotency_bytes),
        ),
    ]


def max_body_bytes(document: Document) -> int:
    """The largest body that can hold the longest text of the document, in bytes."""
    schemas = mappings(document["components"]["schemas"])
    longest: int = max(schema["maxLength"] for schema in schemas if "maxLength" in schema)
    return longest * MAX_BYTES_PER_CHARACTER + BODY_SLACK_BYTES


def _operations_with_body(document: Document) -> dict[str, dict[str, Any]]:
    return {
        operation["operationId"]: operation
        for operation in _operations(document)
        if "requestBody" in operation
    }


def _operations(document: Document) -> Iterator[dict[str, Any]]:
    for path_item in document["paths"].values():
        for method in METHODS:
            if method in path_item:
                yield path_item[method]


def _find(handlers: Mapping[str, Handler], operation_id: str) -> Handler:
    if operation_id not in handlers:
        raise ValueError(f"no handler for the operation {operation_id}")
    return handlers[operation_id]
