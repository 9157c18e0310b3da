"""What a sentence says beside its claim: reasons, remarks in brackets, what everybody knows of a letter.

tr(ABC) = tr(BAC), since the trace does not care about the order     the reason is not judged
softmax([a, b])_1 = σ(a − b), where σ is the logistic sigmoid        σ is that anyway
"""

from __future__ import annotations

import re
from collections.abc import Callable

_WORDS = r"(?:[A-Za-zé'’–-]+)"


def drop_reasons(text: str) -> str:
    """The text without what follows `since` or `because` in words alone.

    >>> drop_reasons("tr(AB) = tr(BA), since the trace does not care about the order.")
    'tr(AB) = tr(BA).'
    """
    return _REASON.sub("", text)


_REASON = re.compile(
    rf"(?:\s*[,;—–-])?\s+(?:since|because|as|by)\s+(?:{_WORDS}\s+){{2,}}{_WORDS}(?=\s*(?:[.;]\s*$|$|[.;]\s))"
    rf"|(?:\s*,)?\s+(?:by|from|using|via)\s+(?:the\s+)?(?:[A-Z]{_WORDS}|AM)(?:[\s–-]+(?:[A-Z]{_WORDS}|inequality|theorem|lemma|rule|"
    r"identity|formula|law))*(?=\s*(?:[.;,]|$))"
)

REWRITERS: tuple[Callable[[str], str], ...] = (drop_reasons,)
