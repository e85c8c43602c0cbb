"""What is installed is the whole program, and runs far from the checkout."""

import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from engine.native import is_available
from tests.real_server import started_command
from tests.tiny_models import NATIVE_SIZES, save_model
from tests.wire import Connection, get

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = PROJECT["tool"]["setuptools"]["packages"]
NOT_PACKAGED = (".*", "build", "dist", "tests", "benchmarks", "sdk", "*.egg-info", "*.so")
ASSETS = (
    *("/ui/", "/ui/start.js", "/ui/swagger-ui-bundle.js", "/ui/swagger-ui.css", "/openapi.yaml"),
    *("/", "/playground/main.js", "/playground/style.css", "/playground/icon.svg"),
)
BUILD_SDIST = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it, and a folder that has nothing of ours."""

    binaries: Path
    folder: Path

    def run(self, program: str, *words: str) -> str:
        command = [str(self.binaries / program), *words]
        return subprocess.check_output(command, cwd=self.folder, text=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONPATH", raising=False)  # nothing may come from the checkout
        yield _install(tmp_path_factory.mktemp("packaging"))


def _install(home: Path) -> Installed:
    """The wheel that is made of the sdist, in an environment that borrows our dependencies."""
    shutil.copytree(ROOT, home / "checkout", ignore=shutil.ignore_patterns(*NOT_PACKAGED))
    _run(home / "checkout", sys.executable, "-c", BUILD_SDIST, str(home))
    (sdist,) = home.glob("*.tar.gz")
    build = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    _run(home, *build, "--wheel-dir", str(home), str(sdist))
    (wheel,) = home.glob("*.whl")
    binaries = home / "venv" / "bin"
    _run(home, sys.executable, "-m", "venv", "--without-pip", str(home / "venv"))
    pip = (sys.executable, "-m", "pip", "--python", str(binaries / "python"))
    _run(home, *pip, "install", "--quiet", "--no-deps", str(wheel))
    _borrow_dependencies(home / "venv")
    (home / "elsewhere").mkdir()
    return Installed(binaries, home / "elsewhere")


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


def _borrow_dependencies(environment: Path) -> None:
    """Only from the folder itself: what a checkout installed editable there is not followed."""
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")


def test_every_package_is_listed() -> None:
    tops = {package.partition(".")[0] for package in PACKAGES}
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in tops
        for path in (ROOT / top).rglob("__init__.py")
    }

    assert sorted(PACKAGES) == sorted(found)
    assert tops == {"app", "handlers", "engine", "openapi"}


def test_every_file_beside_the_sources_is_package_data() -> None:
    patterns: dict[str, list[str]] = PROJECT["tool"]["setuptools"]["package-data"]
    for package in PACKAGES:
        folder = ROOT / package.replace(".", "/")
        for path in folder.iterdir():
            if path.is_file() and path.suffix not in (".py", ".so"):
                assert any(map(path.match, patterns.get(package, []))), path


def test_every_dependency_is_pinned_as_it_was_tested() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {_key(name): pin for name, pin in (line.split("==") for line in lines)}
    extras: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
    for text in chain(PROJECT["project"]["dependencies"], *extras.values()):
        requirement = Requirement(text)
        if requirement.name != "genspec":
            pin = pins[_key(requirement.name)]
            assert requirement.specifier.contains(pin), text
            assert pin == version(requirement.name).partition("+")[0], text


def _key(name: str) -> str:
    return name.lower().replace("_", "-")


def test_only_the_tested_python_is_declared() -> None:
    project = PROJECT["project"]
    pythons = {text for text in project["classifiers"] if "Python :: " in text}

    assert project["requires-python"] == ">=3.11,<3.12"
    assert pythons == {"Programming Language :: Python :: 3.11"}


@pytest.mark.slow
def test_the_installed_program_is_not_the_checkouts(installed: Installed) -> None:
    code = "import app, engine.native as n; print(app.__file__); print(n.is_available())"
    path, native = installed.run("python", "-c", code).splitlines()

    assert Path(path).is_relative_to(installed.binaries.parent)
    assert native == str(is_available())  # whether there is a compiler here


@pytest.mark.slow
def test_the_installed_program_says_what_it_can(installed: Installed) -> None:
    assert "genspec serve" in installed.run("genspec", "serve", "--help")
    assert "usage: genspec" in installed.run("genspec", "--help")


@pytest.mark.slow
def test_the_installed_program_serves(installed: Installed, tmp_path: Path) -> None:
    model = save_model(tmp_path / "model", **NATIVE_SIZES)
    words = ("--model", str(model), "--max-seq-len", "128", "--max-iter-times", "8")
    document = yaml.safe_load(installed.run("genspec", "spec", *words))
    command = [str(installed.binaries / "genspec"), "serve"]
    limits = {"max_seq_len": 128, "max_iter_times": 8}
    log = tmp_path / "log"
    with started_command(command, installed.folder, model, log, **limits) as server:
        assert server.document == document
        answer = server.generate("The capital of France is", max_new_tokens=4)
        pages = [_page(server.port, path) for path in ASSETS]

    assert answer["details"]["generated_tokens"] == 4
    assert all(map(len, pages))


def _page(port: int, path: str) -> bytes:
    with Connection(port) as connection:
        connection.send(get(path))
        reply = connection.read()
    assert reply.status == 200, path
    return reply.body
