"""Every array annotation in Regard is checked at every call of the test run."""

from jaxtyping import install_import_hook

# Must come before any import of regard, which looks for jaxtyping only where it is already loaded.
_hook = install_import_hook("regard", "beartype.beartype")
_hook.__enter__()
