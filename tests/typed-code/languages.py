"""The generated modules: how those of each language are called."""
import importlib.util
import inspect
import json
import re
import subprocess

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError


def normal(name):
    return re.sub("[^A-Za-z0-9]", "", name).lower()


def connect(endpoint):
    settings = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}
    config = Config(retries={"total_max_attempts": 1}, parameter_validation=False)
    return boto3.client("dynamodb", endpoint_url=endpoint, config=config, **settings)


class TypeScript:
    """Modules that `tsc` has compiled, in a process of Node.js."""

    def __init__(self, folder, endpoint, environment):
        self.folder = folder
        driver = folder / "driver.mjs"
        self.process = subprocess.Popen(
            ["node", str(driver)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**environment, "MONOTABLE_ENDPOINT": endpoint},
        )

    def ask(self, name, **request):
        request["module"] = str(self.folder / "out" / f"{name}.js")
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def rebuilt(self, name, items):
        return self.ask(name, items=items)["wrong"]

    def call(self, name, pattern, arguments, page, kept):
        return self.ask(name, pattern=pattern, arguments=arguments, page=page, kept=kept)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Python:
    """Modules of Python, with boto3."""

    def __init__(self, folder, endpoint):
        self.folder = folder
        self.modules = {}
        self.client = connect(endpoint)
        self.calls = []
        self.kept = {}
        self.client.meta.events.register("provide-client-params.dynamodb.*", self.put_in)
        self.client.meta.events.register("after-call.dynamodb.*", self.note)

    def put_in(self, params, **_):
        return {**params, **self.kept}

    def note(self, http_response, model, **_):
        self.calls.append({"operation": model.name, "answer": json.loads(http_response.content)})

    def module(self, name):
        if name not in self.modules:
            name_of_module = name.replace("-", "_")
            place = self.folder / f"{name_of_module}.py"
            spec = importlib.util.spec_from_file_location(name_of_module, place)
            module = importlib.util.module_from_spec(spec)
            import sys

            sys.modules[name_of_module] = module
            spec.loader.exec_module(module)
            self.modules[name] = module
        return self.modules[name]

    def find(self, name, wanted):
        module = self.module(name)
        found = [one for one in vars(module) if normal(one) == normal(wanted) and not one.startswith("_")]
        return getattr(module, found[0]) if found else None

    def rebuilt(self, name, items):
        module = self.module(name)
        wrong = []
        for one in items:
            operations = self.find(name, one["entity"] + "Entity")
            stored = module._unmarshal_item(one["item"])
            built = operations.item(operations.read(stored))
            if built != stored or not operations.matches(stored):
                wrong.append({"stored": stored, "built": built})
        return wrong

    def call(self, name, pattern, arguments, page, kept):
        module, function = self.module(name), self.find(name, pattern)
        if not inspect.isfunction(function):
            return {"missing": True}
        names = inspect.signature(function).parameters
        values = {one: module._unmarshal(value) for one, value in arguments.items()}
        given = {}
        for one, value in values.items():
            for spelling in (one, one + "_"):
                if spelling in names:
                    given[spelling] = value
        if "page" in names:
            given["page"] = self.page(module, page)
        self.calls, self.kept = [], kept
        try:
            result = function(module.Database(self.client), **given)
            return {"calls": self.calls, "result": [module._marshal(row)["M"] for row in rows(result)]}
        except ClientError as error:
            reasons = error.response.get("CancellationReasons", [])
            code = error.response["Error"]["Code"]
            reasons = [reason["Code"] for reason in reasons]
            return {"calls": self.calls, "error": {"code": code, "reasons": reasons}}
        except (TypeError, ValueError) as error:
            return {"failure": repr(error)}

    def page(self, module, page):
        start = None
        if "request" in page or "key" in page:
            key = page.get("key")
            key = None if key is None else module._unmarshal_item(key)
            start = module.Cursor(page.get("request", 0), key)
        return module.PageOptions(start, page.get("limit"), page.get("descending"))

    def close(self):
        self.client.close()


def rows(result):
    """The rows of a result."""
    if result is None:
        return []
    found = result if isinstance(result, list) else getattr(result, "rows", [result])
    return [row["item"] if set(row) == {"entity", "item"} else row for row in found]
