"""Study tables as text that other programs read."""

from __future__ import annotations

import csv
import io

from regard.records import StudyTable


def table_csv(table: StudyTable) -> str:
    """One line a row under a line of column names; numbers with all their digits.

    >>> table_csv(StudyTable("t", ("scale", "design"), ((0.1, "pull"),)))
    'scale,design\\n0.1,pull\\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return text.getvalue()
