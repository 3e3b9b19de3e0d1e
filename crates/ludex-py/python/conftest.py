"""OpenSpiel belongs to the long form of the tests: without it the examples of its adapter are left out."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("pyspiel") else ["ludex/openspiel.py"]
