"""Comparisons that explain themselves where they fail."""

import pytest

pytest.register_assert_rewrite("tests.engine.against")
