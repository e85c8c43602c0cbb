"""Where settings come from, and which refuse to start."""

from pathlib import Path

import pytest

from app.api_keys import KeyRing
from app.options import make_parser
from app.run import listen
from app.settings import Settings, SettingsError, load_settings


@pytest.fixture(autouse=True)
def _no_settings_of_the_developer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"GENSPEC_{name.upper()}", raising=False)


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "genspec.toml"
    file.write_text('port = 1\nmax_batch_size = 1\nmax_queue_size = 1\nmodel_name = "filed"\n')
    monkeypatch.setenv("GENSPEC_PORT", "2")
    monkeypatch.setenv("GENSPEC_MAX_BATCH_SIZE", "2")

    settings = load_settings({"port": "3"}, file)

    assert (settings.port, settings.max_batch_size, settings.max_queue_size) == (3, 2, 1)
    assert settings.served_name == "filed"
    assert settings.max_iter_times == 512


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"port": "-1"}, "port"),
        ({"port": "65536"}, "port"),
        ({"port": "x"}, "port"),
        ({"max_seq_len": "0"}, "max_seq_len"),
        ({"max_iter_times": "0"}, "max_iter_times"),
        ({"num_threads": "100000"}, "num_threads"),
        ({"max_iter_times": "2560"}, "max_iter_times"),
        ({"max_batch_size": "1000"}, "max_prefill_tokens"),
        ({"max_queue_size": "-1"}, "max_queue_size"),
        ({"model_name": "a/b"}, "model_name"),
        ({"model_version": ""}, "model_version"),
        ({"dtype": "int3"}, "dtype"),
        ({"request_timeout": "0"}, "request_timeout"),
        ({"request_timeout": "nan"}, "request_timeout"),
        ({"watermark_greenlist_ratio": "1"}, "watermark_greenlist_ratio"),
        ({"cors_origins": "example.org"}, "cors_origins"),
        ({"log_level": "loud"}, "log_level"),
        ({"nope": "1"}, "nope"),
    ],
)
def test_a_bad_setting_is_named_on_one_line(options: dict[str, str], name: str) -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(options)

    assert str(raised.value).startswith(f"{name}: ")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [("nope = 1", "nope"), ("port = 'x'", "port"), ("port = ", "config"), (None, "config")],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str | None, name: str) -> None:
    file = tmp_path / "genspec.toml"
    if text is not None:
        file.write_text(text)

    with pytest.raises(SettingsError, match=f"^{name}: ") as raised:
        load_settings({}, file)

    assert "\n" not in str(raised.value)


def test_origins_are_given_with_commas_or_as_a_list(tmp_path: Path) -> None:
    file = tmp_path / "genspec.toml"
    file.write_text('cors_origins = ["https://A.example/", "http://b.example:3000"]')
    expected = ("https://a.example", "http://b.example:3000")

    assert load_settings({}, file).cors_origins == expected
    given = load_settings({"cors_origins": " https://a.example, http://b.example:3000,"})
    assert given.cors_origins == expected


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("smollm2-135m-instruct", "smollm2-135m-instruct"),
        ("/models/Llama 3 (8B)/", "Llama-3-8B-"),
        ("/models/.hidden", "hidden"),
        ("/", "model"),
    ],
)
def test_a_name_is_made_from_the_path(path: str, name: str) -> None:
    assert load_settings({"model_weight_path": path}).served_name == name


def test_every_setting_is_an_option_with_its_meaning_and_default(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        make_parser().parse_args(["serve", "--help"])

    text = " ".join(capsys.readouterr().out.split())
    for name, field in Settings.model_fields.items():
        shown = "" if field.default in (None, ()) else f" (default {field.default})"
        shown = shown.lower() if isinstance(field.default, bool) else shown
        assert f"--{name.replace('_', '-')} VALUE {field.description}{shown}" in text


def test_a_key_file_whose_name_is_none_is_named_in_one_line() -> None:
    with pytest.raises(SettingsError, match=r"^api_keys_file: 'a\\x00b' is no name"):
        KeyRing(Path("a\0b"))


def test_a_watermark_key_of_more_than_64_bits_is_refused_before_the_model_is_loaded() -> None:
    assert load_settings({"watermark_hashing_key": str(2**64 - 1)})
    with pytest.raises(SettingsError, match=r"^watermark_hashing_key: "):
        load_settings({"watermark_hashing_key": str(2**64)})


def test_a_host_that_is_none_is_not_blamed_on_the_port() -> None:
    with pytest.raises(SettingsError, match=r"^host: cannot listen on nosuch\.invalid:8000"):
        listen("nosuch.invalid", 8000)
