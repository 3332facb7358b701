"""Every model is consistent, its patterns are served, it is in the form that `monotable model fmt`
writes, and a key can be explained."""

import json
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def model(*arguments):
    command = ["monotable", "model", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


files = sorted(HERE.glob("*.toml"))
assert len(files) == 39, f"{len(files)} models"
for file in files:
    summary, *plans = model("check", file).splitlines()
    print(summary.removeprefix(f"{HERE}/"))
    assert plans
    model("fmt", "--check", file)

shop = HERE / "e-commerce.toml"
explained = json.loads(model("explain", "--output", "json", shop, "CUSTOMER#alex"))
entities = {candidate["entity"] for candidate in explained["candidates"]}
print("CUSTOMER#alex may be a key of", *sorted(entities))
assert entities == {"Customer", "Order"}
assert "a month" in model("cost", shop)
assert model("chart", shop, "--to", "mermaid").startswith("erDiagram")
