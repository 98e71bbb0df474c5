"""The Python client with the real binary, named by CAVEMEM_TEST_BIN or built by cargo.

``python3 -m unittest discover -s native/python/cavemem/tests``
"""

import ast
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(PACKAGE)))
sys.path.insert(0, PACKAGE)
sys.dont_write_bytecode = True

import cavemem  # noqa: E402
from cavemem import MEMORY_TOO_LARGE_EXIT_CODE, Cavemem, CavememError  # noqa: E402

NAME = "cavemem.exe" if os.name == "nt" else "cavemem"
TARGET = os.environ.get("CARGO_TARGET_DIR") or os.path.join(ROOT, "target")
BINARY = os.environ.get("CAVEMEM_TEST_BIN") or os.path.join(TARGET, "debug", NAME)
LIMIT = 262_144


class Client(unittest.TestCase):
    def setUp(self):
        self.assertTrue(os.path.exists(BINARY), "no binary at %s: cargo build -p caveman-native" % BINARY)
        self.home = tempfile.mkdtemp(prefix="cavemem ü ")
        self.addCleanup(shutil.rmtree, self.home)
        self.client = Cavemem(bin=BINARY, env=self.env(), timeout=60)

    def env(self, **more):
        return {"PATH": os.environ["PATH"], "HOME": self.home, "CAVEMAN_HOME": os.path.join(self.home, "caveman"), **more}

    def fails(self, code, exit_code, call, *arguments, **named):
        with self.assertRaises(CavememError) as caught:
            call(*arguments, **named)
        self.assertEqual((caught.exception.code, caught.exception.exit_code), (code, exit_code), caught.exception)

    def test_the_life_of_a_memory(self):
        first = self.client.remember("Ports 8000 to 8100 are ours.")
        self.assertEqual(first["status"], "stored")
        self.assertEqual(self.client.remember(" Ports 8000 to 8100 are ours.\n")["status"], "known")
        self.assertEqual([hit["text"] for hit in self.client.recall("which ports")], ["Ports 8000 to 8100 are ours."])
        after = self.client.supersede(first["id"], "Ports from 9000 on are ours.")
        self.assertEqual([version["id"] for version in self.client.history(after["id"])], [first["id"], after["id"]])
        self.client.forget(after["id"])
        self.assertEqual(self.client.recall("ports"), [])

    def test_texts_of_any_language_and_of_256_kib_come_back_as_they_were(self):
        for text in ["日本語 😀 e\u0301 ß", 'a\0b\r\n"\\', "--help", "x" * LIMIT, "é" * (LIMIT // 2)]:
            id = self.client.remember(text)["id"]
            self.assertEqual(self.client.history(id)[0]["text"], text)
        long = "网关 " * 20_000
        self.client.remember(long)
        hit = self.client.recall("网关", limit=1, token_budget=10)[0]
        self.assertEqual((hit["form"], hit["tokens_added"] <= 10), ("head", True))
        self.assertEqual(self.client.recover(hit["recovery_handle"]), long.strip().encode("utf-8"))
        self.assertEqual(self.client.recall("网关", token_budget=0)[0]["text"], long.strip())

    def test_failures_have_the_code_and_the_status_of_the_binary(self):
        self.assertEqual(MEMORY_TOO_LARGE_EXIT_CODE, 65)
        id = self.client.remember("x")["id"]
        self.fails("cave_memory_too_large", 65, self.client.remember, "x" * (LIMIT + 1))
        self.fails("cave_memory_too_large", 65, self.client.supersede, id, "x" * (LIMIT + 1))
        self.fails("cave_memory_empty", 65, self.client.remember, " ")
        self.fails("cave_unknown_memory", 1, self.client.history, "mem_x")
        self.fails("cave_unknown_memory", 1, self.client.forget, "--all")
        self.fails("cave_unknown_handle", 1, self.client.recover, "ccr_" + "0" * 32)
        self.fails("usage", 2, self.client.recall, "x", token_budget=-1)
        self.fails("usage", 2, self.client.recall, "x", limit=0)
        blocked = Cavemem(bin=BINARY, env=self.env(CAVEMAN_HOME=os.path.join(BINARY, "no folder")))
        self.fails("cave_store_unavailable", 74, blocked.remember, "x")

    def test_a_binary_that_is_missing_is_said_so(self):
        for env in [{"PATH": ""}, {"CAVEMEM_BIN": os.path.join(self.home, "nothing")}]:
            self.fails("cave_binary_not_found", None, Cavemem(env=self.env(**env)).remember, "x")
        self.fails("cave_binary_not_found", None, Cavemem(bin=self.home, env=self.env()).remember, "x")

    def test_the_functions_of_the_module_use_the_environment_of_the_process(self):
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.update(self.env(CAVEMEM_BIN=BINARY))
        id = cavemem.remember("the pump is blue")["id"]
        self.assertEqual(cavemem.recall("pump", 1, 100)[0]["id"], id)
        after = cavemem.supersede(id, "the pump is red")["id"]
        self.assertEqual(len(cavemem.history(id)), 2)
        cavemem.forget(after)
        self.assertEqual([name for name in cavemem.__all__ if not hasattr(cavemem, name)], [])

    @unittest.skipIf(os.name == "nt", "a script stands in for the binary")
    def test_what_a_program_prints_on_its_way_down_is_no_answer(self):
        path = os.path.join(self.home, "cavemem")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho '{\"id\":\"mem_1\"}'\necho 'cavemem: cave_store_busy: wait' >&2\nexit 74\n")
        os.chmod(path, stat.S_IRWXU)
        self.fails("cave_store_busy", 74, Cavemem(env=self.env(PATH=self.home)).remember, "x")

    def test_the_sources_are_python_3_9_to_3_13(self):
        for folder, _, names in os.walk(PACKAGE):
            for name in names:
                if name.endswith(".py"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        source = file.read()
                    for minor in range(9, 14):
                        tree = ast.parse(source, name, feature_version=(3, minor))
                    self.assertEqual(imported(tree) - STANDARD, set(), name)

    def test_it_is_installed_by_pip_without_a_network(self):
        target = os.path.join(self.home, "env")
        venv.create(target, with_pip=True)
        python = os.path.join(target, "Scripts" if os.name == "nt" else "bin", "python")
        source = os.path.join(self.home, "source")
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", source]
        subprocess.run(pip, check=True, timeout=240)
        program = "import cavemem; print(cavemem.remember('x')['status'], cavemem.__file__)"
        env = self.env(CAVEMEM_BIN=BINARY, PYTHONUTF8="1")
        done = subprocess.run([python, "-c", program], check=True, timeout=60, env=env, stdout=subprocess.PIPE)
        self.assertTrue(done.stdout.decode("utf-8").startswith("stored " + target), done.stdout)

    def test_the_same_sources_give_the_same_wheel(self):
        import build_wheel

        wheels = []
        for name in ("one", "two"):
            folder = os.path.join(self.home, name)
            os.mkdir(folder)
            path = os.path.join(folder, build_wheel.build_wheel(folder))
            with open(path, "rb") as file:
                wheels.append(file.read())
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
        self.assertEqual(wheels[0], wheels[1])
        self.assertIn("cavemem/py.typed", names)
        self.assertTrue(build_wheel.build_sdist(self.home).endswith(".tar.gz"))


#: What the sources may import: modules that every Python from 3.9 on brings.
STANDARD = {
    "ast", "base64", "hashlib", "io", "json", "os", "re", "shutil", "stat", "subprocess", "sys", "tarfile", "tempfile", "typing",
    "unittest", "venv", "zipfile", "cavemem", "build_wheel",
}


def imported(tree):
    """The modules that a source imports, at any depth."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return names


if __name__ == "__main__":
    unittest.main()
