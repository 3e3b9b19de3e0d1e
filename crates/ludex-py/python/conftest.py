"""What the examples in docstrings need.

OpenSpiel belongs to the long form of the tests: without it the examples of its adapter are left out.
"""

import importlib.util
import pathlib
import sys

# In a clone the package that is installed is tested, not its sources, which have no compiled module beside them.
HERE = pathlib.Path(__file__).parent
if str(HERE) in sys.path and not any(path.suffix in (".so", ".pyd") for path in (HERE / "ludex").iterdir()):
    sys.path.remove(str(HERE))

import numpy as np
import pytest

import ludex

collect_ignore = [] if importlib.util.find_spec("pyspiel") else ["ludex/openspiel.py"]


@pytest.fixture(autouse=True)
def names_of_examples(doctest_namespace):
    """Compiled classes have no module whose names their examples could use."""
    doctest_namespace.update(ludex=ludex, np=np)
