"""What stages hand on to each other: small frozen records, no array library at import time."""

from __future__ import annotations
