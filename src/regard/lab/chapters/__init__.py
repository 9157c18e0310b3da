"""The chapters: what each page asks of Python; see regard.lab.contents."""
