"""The modules of all models, written and compiled once, and the languages that call them."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from languages import Python, TypeScript, connect
from models import FIXTURES, NAMES, ROOT, file_of

PACKAGES = ROOT / "tests" / "javascript" / "node_modules"


@pytest.fixture(scope="session")
def binary():
    return os.environ["MONOTABLE_BINARY"]


@pytest.fixture(scope="session")
def endpoint():
    return os.environ["MONOTABLE_ENDPOINT"]


@pytest.fixture(scope="session")
def client(endpoint):
    return connect(endpoint)


@pytest.fixture(scope="session")
def modules(binary, tmp_path_factory):
    """A folder with all modules, those in TypeScript compiled."""
    folder = tmp_path_factory.mktemp("typed-code")
    for name in (*NAMES, *FIXTURES):
        file = file_of(name)
        for language, end in (("typescript", f"{name}.ts"), ("python", f"{name.replace('-', '_')}.py")):
            command = [binary, "model", "export", str(file), "--to", language, "--file", str(folder / end)]
            subprocess.run(command, check=True, capture_output=True)
    for name in ("tsconfig.json", "package.json", "driver.mjs"):
        shutil.copy(Path(__file__).parent / name, folder / name)
    (folder / "node_modules").symlink_to(PACKAGES)
    return folder


@pytest.fixture
def no_tables(client):
    """All tables that a test makes are gone after it."""
    yield
    for name in client.list_tables()["TableNames"]:
        client.delete_table(TableName=name)
        client.get_waiter("table_not_exists").wait(TableName=name)


@pytest.fixture(scope="session")
def compiled(modules):
    """What the TypeScript compiler says, strictly."""
    compiler = ["node", str(PACKAGES / "typescript" / "bin" / "tsc"), "--project", str(modules)]
    return subprocess.run(compiler, capture_output=True, text=True)


@pytest.fixture(scope="session", params=["typescript", "python"])
def language(request, modules, compiled, endpoint):
    made = (
        TypeScript(modules, endpoint, dict(os.environ))
        if request.param == "typescript"
        else Python(modules, endpoint)
    )
    yield made
    made.close()
