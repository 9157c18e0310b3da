"""What can go wrong, as a tree: every error is a RegardError and also the matching built-in.

RegardError
├── ShapeError          ValueError   axes that do not fit together
├── DTypeError          TypeError    dtypes that cannot be mixed, or not floating point
├── LibraryError        TypeError    arrays of two libraries in one call
├── ArgumentError       TypeError    an argument that does not exist, or is of the wrong kind
├── ValueRangeError     ValueError   NaN, infinite, negative or otherwise impossible numbers
├── MaskedRowError      ValueError   a query that may read no key at all
├── CovarianceError     ValueError   a matrix that is no covariance
├── BasisError          ValueError   dependent or missing basis vectors
├── UnreachableError    ValueError   weights that no query can give; carries the certificate
├── MethodError         ValueError   a forced method that does not apply
├── InputFileError      ValueError   a file that cannot be read as what it should be
├── OutputFileError     OSError      a file that cannot be written
├── CheckpointError     ValueError   a model folder that is missing, damaged or of another kind
├── FolderBusyError     BlockingIOError  a folder that another process is writing to
├── NothingScoredError  ValueError   a text in which there is nothing to score
├── VocabularyError     ValueError   tokens, ids or alphabets that do not fit a tokeniser
├── NotUnderstood       ValueError   a written claim that cannot be read; knows where, and what was expected there
├── ClusterError        ConnectionError  workers that cannot be reached, or that end at once
├── AddressError        OSError      a network address that cannot be served
├── CorpusError         LookupError  a corpus that is unknown, or that cannot be had here and now
└── MissingExtraError   ImportError  an optional part is not installed
"""

from __future__ import annotations

from typing import Any


class RegardError(Exception):
    """Base of everything that Regard raises on purpose."""


class ShapeError(RegardError, ValueError):
    """Axes that do not fit together."""


class DTypeError(RegardError, TypeError):
    """Dtypes that cannot be mixed, or that are not floating point."""


class LibraryError(RegardError, TypeError):
    """Arrays of two libraries in one call."""


class ArgumentError(RegardError, TypeError):
    """An argument that does not exist, or is of the wrong kind."""


class ValueRangeError(RegardError, ValueError):
    """A number that cannot be: NaN, infinite, negative, outside its range."""


class MaskedRowError(RegardError, ValueError):
    """A query that is allowed to read no key at all."""


class CovarianceError(RegardError, ValueError):
    """A matrix that is no covariance."""


class BasisError(RegardError, ValueError):
    """Dependent or missing basis vectors."""


class UnreachableError(RegardError, ValueError):
    """Weights that no query can give; `certificate` says why."""

    def __init__(self, message: str, *, certificate: Any = None) -> None:
        super().__init__(message)
        self.certificate = certificate


class MethodError(RegardError, ValueError):
    """A forced method that does not apply to these keys and queries."""


class InputFileError(RegardError, ValueError):
    """A file that cannot be read as what it should be."""


class OutputFileError(RegardError, OSError):
    """A file that cannot be written; the message names it and says what to do."""


class CheckpointError(RegardError, ValueError):
    """A model folder that is missing, damaged or of another kind."""


class FolderBusyError(RegardError, BlockingIOError):
    """A folder that another process is writing to."""


class NothingScoredError(RegardError, ValueError):
    """A text in which there is nothing to score."""


class VocabularyError(RegardError, ValueError):
    """Tokens, ids or alphabets that do not fit a tokeniser."""


class MissingExtraError(RegardError, ImportError):
    """An optional part of Regard is not installed."""


class CorpusError(RegardError, LookupError):
    """A corpus that is unknown, or that cannot be had here and now."""


class NotUnderstood(RegardError, ValueError):
    """A written claim that cannot be read: text[span[0]:span[1]] is where, `expected` what could have stood there."""

    def __init__(self, message: str, *, span: tuple[int, int] = (0, 0), expected: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.expected = expected


class ClusterError(RegardError, ConnectionError):
    """Workers that cannot be reached, or that end before they have done anything."""


class AddressError(RegardError, OSError):
    """A network address that cannot be served."""
