"""All modules compile under the strictest settings of their languages."""
import subprocess
import sys


def test_typescript_is_strict(compiled):
    assert compiled.returncode == 0, compiled.stdout


def test_python_is_strict(modules):
    files = sorted(str(file) for file in modules.glob("*.py"))
    mypy = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *files]
    finished = subprocess.run(mypy, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout
