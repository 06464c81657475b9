from pathlib import Path

import pytest

from voiceprep import config
from voiceprep.agent.server import Server, from_argument, server_of
from voiceprep.errors import UsageError


def server(url: str) -> Server:
    return Server(url, "m", "VOICEPREP_LLM_KEY")


def test_off_is_the_default_and_the_command_line_turns_it_off_again() -> None:
    assert server_of(config.load({})) is None
    on = config.load({"VOICEPREP_LLM_URL": "http://localhost:1/v1", "VOICEPREP_LLM_MODEL": "m"})
    assert server_of(on) == server("http://localhost:1/v1")
    assert server_of(on.with_arguments(**from_argument("off"))) is None
    assert server_of(on.with_arguments(**from_argument(None))) is not None


def test_an_address_and_a_model_in_one_argument() -> None:
    given = config.load({}).with_arguments(**from_argument("http://localhost:11434/v1/#qwen3:8b"))
    assert server_of(given) == Server("http://localhost:11434/v1", "qwen3:8b", "VOICEPREP_LLM_KEY")
    with pytest.raises(UsageError, match="no model"):
        server_of(config.load({}).with_arguments(**from_argument("http://localhost:11434/v1")))


@pytest.mark.parametrize(
    "text", ["gpt-4", "ftp://x/v1#m", "http://#m", "http://h:0/v1#m", "http://h:x/v1#m", "", "on", "http://[::1#m"]
)
def test_what_is_no_address_is_told(text: str) -> None:
    with pytest.raises(UsageError) as error:
        from_argument(text)
    assert error.value.code == "bad-setting"


@pytest.mark.parametrize("odd", [" ", "\n", "\r", "\t", "\x00", "\x1b[31m", "\x7f", "\u00a0", "\u2028", "\u200b", "\u3000"])
@pytest.mark.parametrize(
    "url", ["http://local{}host/v1", "http://localhost{}:1/v1", "http://localhost:1/v{}1", "ht{}tp://localhost/v1"]
)
def test_an_address_is_in_one_piece(url: str, odd: str) -> None:
    for ask in (from_argument, lambda text: server_of(config.load({}).with_arguments(llm_url=text, llm_model="m"))):
        with pytest.raises(UsageError) as error:
            ask(url.format(odd))
        assert error.value.code == "bad-setting"
        assert odd not in error.value.message or odd == " "


@pytest.mark.parametrize("url", ["https://me:secret@h/v1#m", "https://h/v1?key=secret#m"])
def test_a_key_in_the_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError) as error:
        from_argument(url)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://192.168.1.4:8080/v1", False),
        ("https://api.openai.com/v1", False),
        ("http://localhost.example.com/v1", False),
    ],
)
def test_what_leaves_this_machine_is_said(url: str, local: bool) -> None:
    said = server(url).leaves(config.load({}))
    assert server(url).local is local
    assert ("nothing leaves this machine" in said) is local
    assert ("your voice is not" in said) is not local


@pytest.mark.parametrize(
    ("files", "quoted"),
    [
        ({}, ""),
        ({"cv": "cv.pdf"}, "what the interviewer quotes from your CV are sent"),
        ({"jd": "job.txt"}, "what the interviewer quotes from the job description are sent"),
        ({"cv": "cv.pdf", "jd": "job.txt"}, "what the interviewer quotes from your CV and the job description are sent"),
    ],
)
def test_where_files_are_quoted_that_is_said_of_a_server_elsewhere(files: dict[str, str], quoted: str) -> None:
    settings = config.load({}).with_arguments(**files)
    assert "quotes" not in server("http://localhost:11434/v1").leaves(settings)
    said = server("https://api.openai.com/v1").leaves(settings)
    assert quoted in said
    assert ("quotes" in said) is bool(files)


@pytest.mark.parametrize(
    "file", ["docs/configuration.md", "docs/language-models.md", "docs/intake.md", "voiceprep/cli/practice.py"]
)
def test_nobody_is_told_that_a_cv_stays_here_whatever_words_the_follow_ups(file: str) -> None:
    text = " ".join((Path(__file__).parents[2] / file).read_text(encoding="utf-8").split())
    assert "stays on this machine" not in text
    assert "quotes from it" in text or "quotes from your CV" in text


def test_the_key_is_read_from_the_environment_and_a_shared_one_is_not_given_to_strangers() -> None:
    both = {"VOICEPREP_LLM_KEY": "own", "OPENAI_API_KEY": "shared"}
    shared = {"OPENAI_API_KEY": "shared"}
    assert server("https://api.deepseek.com").key(both) == "own"
    assert server("https://api.deepseek.com").key(shared) == ""
    assert server("https://notopenai.com/v1").key(shared) == ""
    assert server("https://api.openai.com/v1").key(shared) == "shared"
    assert server("http://localhost:8080/v1").key(shared) == "shared"
    assert Server("https://api.deepseek.com", "m", "OPENAI_API_KEY").key(shared) == "shared"
    assert "own" not in repr(server("https://api.deepseek.com"))
