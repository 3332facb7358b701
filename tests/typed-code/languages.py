"""The generated modules: how those of each language are called."""
import importlib.util
import inspect
import json
import re
import subprocess
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError


def normal(name):
    return re.sub("[^A-Za-z0-9]", "", name).lower()


def connect(endpoint):
    settings = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}
    config = Config(retries={"total_max_attempts": 1}, parameter_validation=False)
    return boto3.client("dynamodb", endpoint_url=endpoint, config=config, **settings)


def load(folder, name):
    """A module of Python, by the name of its model."""
    file = folder / f"{name.replace('-', '_')}.py"
    # No name that Python's own library has, such as `encodings`.
    known_as = f"typed_code_{file.stem}"
    spec = importlib.util.spec_from_file_location(known_as, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[known_as] = module
    spec.loader.exec_module(module)
    return module


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

    def perform(self, name, actions):
        return self.ask(name, actions=actions)

    def every(self, name, pattern, arguments, page):
        return self.ask(name, every=pattern, arguments=arguments, page=page)

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
            self.modules[name] = load(self.folder, name)
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
        given = self.given(module, function, arguments)
        if "page" in inspect.signature(function).parameters:
            given["page"] = self.page(module, page)
        return self.answered(module, lambda: function(module.Database(self.client), **given), kept)

    def perform(self, name, actions):
        module = self.module(name)
        db = module.Database(self.client)

        def done(action):
            operation = getattr(self.find(name, action["entity"] + "Entity"), action["operation"])
            return operation(db, *[module._unmarshal(value) for value in action["given"]])

        def work():
            return done(actions[0]) if len(actions) == 1 else module.transact(db, [done(one) for one in actions])

        return self.answered(module, work, {})

    def every(self, name, pattern, arguments, page):
        module, function = self.module(name), self.find(name, pattern)
        given = self.given(module, function, arguments)

        def read(options):
            wanted = module.PageOptions(options.start, page.get("limit"), page.get("descending"))
            return function(module.Database(self.client), **given, page=wanted)

        return self.answered(module, lambda: list(module.every(read)), {})

    def given(self, module, function, arguments):
        """Arguments by the names of parameters, which are no keywords."""
        names, given = inspect.signature(function).parameters, {}
        for one, value in arguments.items():
            for spelling in (one, one + "_"):
                if spelling in names:
                    given[spelling] = module._unmarshal(value)
        return given

    def answered(self, module, work, kept):
        self.calls, self.kept = [], kept
        try:
            result = work()
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
