"""Builds the wheel and the source archive with the standard library alone, so that installing needs no other package."""

import base64
import hashlib
import io
import os
import re
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def _project():
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        fields = dict(re.findall(r'^([a-z-]+) = "(.*)"$', file.read(), re.MULTILINE))
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    metadata = (
        "Metadata-Version: 2.4\n"
        "Name: {name}\nVersion: {version}\nSummary: {description}\nRequires-Python: {requires-python}\n"
        "License-Expression: {license}\nDescription-Content-Type: text/markdown\n\n"
    ).format(**fields)
    return fields["name"], fields["version"], metadata + readme


def _sources():
    for folder, _, names in sorted(os.walk(os.path.join(HERE, "cavemem"))):
        for name in sorted(names):
            if name.endswith((".py", ".typed")):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    yield os.path.relpath(path, HERE).replace(os.sep, "/"), file.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517."""
    name, version, metadata = _project()
    info = "{}-{}.dist-info".format(name, version)
    files = list(_sources())
    files.append((info + "/METADATA", metadata.encode("utf-8")))
    files.append((info + "/WHEEL", b"Wheel-Version: 1.0\nGenerator: cavemem\nRoot-Is-Purelib: true\nTag: py3-none-any\n"))
    record = ""
    for path, content in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
        record += "{},sha256={},{}\n".format(path, digest, len(content))
    record += info + "/RECORD,,\n"
    files.append((info + "/RECORD", record.encode("utf-8")))
    wheel = "{}-{}-py3-none-any.whl".format(name, version)
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files:
            # A fixed date: the same sources give the same wheel.
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    """The hook of PEP 517."""
    name, version, metadata = _project()
    base = "{}-{}".format(name, version)
    files = list(_sources())
    for own in ("pyproject.toml", "build_wheel.py", "README.md"):
        with open(os.path.join(HERE, own), "rb") as file:
            files.append((own, file.read()))
    files.append(("PKG-INFO", metadata.encode("utf-8")))
    with tarfile.open(os.path.join(sdist_directory, base + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, content in files:
            entry = tarfile.TarInfo(base + "/" + path)
            entry.size = len(content)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(content))
    return base + ".tar.gz"
