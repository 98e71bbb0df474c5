"""Memories from a program: each call runs the binary ``cavemem``, which does the work.

Texts go over stdin, never into the list of arguments, where other users of the machine could read them.
Python 3.9 or newer, standard library only.
"""

import json
import os
import re
import shutil
import subprocess
from typing import Any, Dict, List, Mapping, Optional

__all__ = [
    "MEMORY_TOO_LARGE_EXIT_CODE",
    "CavememError",
    "Cavemem",
    "remember",
    "recall",
    "supersede",
    "history",
    "forget",
    "recover",
]

#: The exit code of the binary for a text above 262,144 bytes.
MEMORY_TOO_LARGE_EXIT_CODE = 65


class CavememError(Exception):
    """A call that did not do what was asked.

    ``code`` is ``cave_memory_too_large``, ``cave_unknown_memory``, ``cave_binary_not_found``, ``usage``, …;
    ``exit_code`` that of the binary, ``None`` when it was not run.
    """

    def __init__(self, code: str, message: str, exit_code: Optional[int] = None, stderr: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.exit_code = exit_code
        self.stderr = stderr


class Cavemem:
    """The memories that a binary and an environment lead to.

    ``bin``: the binary; by default the one that ``CAVEMEM_BIN`` names, else ``cavemem`` on the PATH.
    ``env``: the environment of the binary; by default that of this process.
    ``timeout``: seconds after which a call is given up; by default never.
    """

    def __init__(
        self,
        bin: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> None:
        self._bin = bin
        self._env = env
        self._timeout = timeout

    def remember(self, text: str) -> Dict[str, Any]:
        """Keeps a text: ``id``, ``created_at``, and ``status`` (``known`` when a current memory held exactly this text)."""
        return self._answer(["remember", "--stdin"], text)

    def recall(
        self, query: str, limit: Optional[int] = None, token_budget: Optional[int] = None
    ) -> List[Dict[str, Any]]:
        """The memories that answer a query, best first.

        At most ``limit`` (5), whose texts cost at most ``token_budget`` o200k tokens (2000; 0 for no limit). Each has ``id``,
        ``text``, ``score``, ``tokens_added``, ``basis``, ``created_at``; when ``text`` is not all of it also ``form`` and
        ``recovery_handle``.
        """
        arguments = ["recall", "--stdin"]
        if limit is not None:
            arguments.append("--limit={}".format(limit))
        if token_budget is not None:
            arguments.append("--token-budget={}".format(token_budget))
        return self._answer(arguments, query)["hits"]

    def supersede(self, id: str, text: str) -> Dict[str, Any]:
        """Puts a text in the place of a current memory, which stays in its history."""
        return self._answer(["supersede", "--stdin", "--", id], text)

    def history(self, id: str) -> List[Dict[str, Any]]:
        """Every version of a memory, oldest first, named by any of them."""
        return self._answer(["history", "--", id])["versions"]

    def forget(self, id: str) -> None:
        """Erases one version from every file."""
        self._answer(["forget", "--", id])

    def recover(self, handle: str) -> bytes:
        """The whole text behind a recovery handle, as bytes."""
        return self._run(["recover", "--", handle])

    def _answer(self, arguments: List[str], text: str = "") -> Dict[str, Any]:
        printed = self._run(arguments[:1] + ["--json"] + arguments[1:], text)
        answer: Dict[str, Any] = json.loads(printed.decode("utf-8"))
        return answer

    def _run(self, arguments: List[str], text: str = "") -> bytes:
        env = dict(os.environ if self._env is None else self._env)
        binary = self._bin or env.get("CAVEMEM_BIN") or shutil.which("cavemem", path=env.get("PATH", ""))
        if binary is None:
            raise CavememError("cave_binary_not_found", "there is no cavemem: set CAVEMEM_BIN or put it on the PATH")
        env["CAVEMAN_LOG"] = "error"
        try:
            done = subprocess.run(
                [binary] + arguments,
                input=text.encode("utf-8"),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=env,
                timeout=self._timeout,
            )
        except OSError as error:
            message = "{} cannot be run ({}): set CAVEMEM_BIN".format(binary, error.strerror)
            raise CavememError("cave_binary_not_found", message) from error
        if done.returncode != 0:
            raise _failure(done.returncode, done.stderr.decode("utf-8", "replace"))
        return done.stdout


def _failure(exit_code: int, stderr: str) -> CavememError:
    said = re.search(r"^cavemem: (?:(cave_[a-z_]+): )?(.*)$", stderr, re.MULTILINE)
    code = said.group(1) if said else None
    if code is None:
        code = "usage" if exit_code == 2 else "cave_failed"
    message = (said.group(2) if said else "") or stderr.strip() or "cavemem ended with status {}".format(exit_code)
    return CavememError(code, message, exit_code, stderr)


def remember(text: str) -> Dict[str, Any]:
    """See :meth:`Cavemem.remember`."""
    return Cavemem().remember(text)


def recall(query: str, limit: Optional[int] = None, token_budget: Optional[int] = None) -> List[Dict[str, Any]]:
    """See :meth:`Cavemem.recall`."""
    return Cavemem().recall(query, limit, token_budget)


def supersede(id: str, text: str) -> Dict[str, Any]:
    """See :meth:`Cavemem.supersede`."""
    return Cavemem().supersede(id, text)


def history(id: str) -> List[Dict[str, Any]]:
    """See :meth:`Cavemem.history`."""
    return Cavemem().history(id)


def forget(id: str) -> None:
    """See :meth:`Cavemem.forget`."""
    Cavemem().forget(id)


def recover(handle: str) -> bytes:
    """See :meth:`Cavemem.recover`."""
    return Cavemem().recover(handle)
