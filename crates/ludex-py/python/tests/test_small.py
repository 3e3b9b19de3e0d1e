"""What the package promises about itself."""

import doctest
import importlib
import inspect
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import ludex


def test_everything_public_has_a_docstring_and_a_stub():
    stub = pathlib.Path(ludex.__file__).with_name("_ludex.pyi").read_text()
    for name in ludex.__all__:
        thing = getattr(ludex, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and thing.__module__ == "ludex" and name != "Answer":
            own = re.search(rf"class {name}\b.*?(?=\nclass |\Z)", stub, re.S)
            assert own, f"{name} has no stub"
            for method in vars(thing):
                if not method.startswith("_"):
                    assert re.search(rf"\b{method}\b", own[0]), f"{name}.{method} has no stub"


def test_examples_of_the_compiled_classes_run():
    runner, parser = doctest.DocTestRunner(verbose=False), doctest.DocTestParser()
    told = [(f"{kind.__name__}.{name}", thing.__doc__ or "") for kind in (ludex.Game, ludex.Position, ludex.Player, ludex.Vector)
            for name, thing in [("", kind), *vars(kind).items()]]
    for name, text in told:
        runner.run(parser.get_doctest(text, {"ludex": ludex, "np": np}, name, None, 0))
    assert runner.failures == 0 and sum(">>>" in text for _, text in told) >= 20


def test_importing_needs_numpy_alone():
    code = "import sys, ludex; print([m for m in ('gymnasium', 'pettingzoo', 'ray', 'dask', 'pyspiel') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
    importlib.import_module("ludex.answers")


def test_stubs_have_what_the_environments_have():
    """The same names on both engines."""
    from ludex.reasoned import ReasonedVector

    env = ludex.load("nim").vector(1, engine="interp")
    assert isinstance(env, ReasonedVector)
    public = {name for name in vars(ludex.Vector) if not name.startswith("_")}
    assert not {name for name in public if not hasattr(env, name)}


def test_the_stub_says_what_the_module_has():
    pytest.importorskip("mypy")
    folder = pathlib.Path(ludex.__file__).parents[1]
    # Where packages are installed mypy looks by itself, and must not be told to.
    named = {} if folder.name == "site-packages" else {"MYPYPATH": str(folder), "PYTHONPATH": str(folder)}
    told = subprocess.run([sys.executable, "-m", "mypy.stubtest", "ludex._ludex"], capture_output=True, text=True,
                          env={**os.environ, **named}, cwd=folder.anchor)
    assert told.returncode == 0, told.stdout + told.stderr
