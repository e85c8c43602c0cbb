"""Variables ``GENSPEC_...`` of the environment: which name a setting, and which name nothing."""

import difflib
import logging
import re
from collections.abc import Iterable, Mapping

from app.setting_options import ALIASES
from app.settings import Settings

logger = logging.getLogger(__name__)

PREFIX = str(Settings.model_config["env_prefix"])
# Those that are no settings: where models live, the file of settings, and the key of a client.
OTHERS = frozenset({"GENSPEC_HOME", "GENSPEC_CONFIG", "GENSPEC_API_KEY"})
# What Kubernetes tells every pod of a Service, whose name may also go on behind ours.
_KUBERNETES_NAME = re.compile(
    r"(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)"
)
_KUBERNETES_VALUE = re.compile(r"(tcp|udp|sctp)://")


def variable(name: str) -> str:
    """The one that gives a setting."""
    return PREFIX + name.upper()


def is_service_address(value: str) -> bool:
    """Whether it is what Kubernetes calls the port of a Service: ``tcp://10.0.0.1:8000``."""
    return _KUBERNETES_VALUE.match(value) is not None


def warn_of_unknown(environ: Mapping[str, str]) -> None:
    """Log each variable that looks like a setting and is none, with the likeliest meant."""
    known = {*map(variable, Settings.model_fields), *OTHERS}
    for name in sorted(environ):
        # Settings are read in any case; the others as they are written.
        if not name.upper().startswith(PREFIX) or name in known or name.upper() in known - OTHERS:
            continue
        of_service = _KUBERNETES_NAME.fullmatch(name.removeprefix(PREFIX)) is not None
        if not of_service and not is_service_address(environ[name]):
            nearest = _nearest(name.upper(), known)
            logger.warning("%s: no setting has this name; the nearest is %s", name, nearest)


def _nearest(name: str, known: Iterable[str]) -> str:
    """Whoever knows an option by its short name means what that sets."""
    meant = {each: each for each in known}
    for setting, options in ALIASES.items():
        for option in options:
            meant[variable(option.strip("-").replace("-", "_"))] = variable(setting)
    [nearest] = difflib.get_close_matches(name, meant, n=1, cutoff=0)
    return meant[nearest]
