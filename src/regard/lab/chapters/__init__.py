"""The chapters: marimo notebooks, each served as an app; see regard.lab.contents."""
