"""`python -m regard` runs `regard`."""

from __future__ import annotations

import sys

from regard.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
