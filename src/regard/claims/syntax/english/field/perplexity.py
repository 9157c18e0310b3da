"""Perplexity in words: what a model gives the tokens of a text, and what follows for its perplexity.

A model that gives each of the V words the same probability has perplexity V     if p_i = 1/V then PP = V
If the average loss per token is L nats then the perplexity is e^L              exp(L) = e^L
Perplexity is the geometric mean of the inverse token probabilities             PP = (Π_i 1/p_i)^{1/N}

The letters are those of the setting perplexity: p_i for the tokens, N of them, PP, CE in nats and H_2 in bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

TEXT = r"(?:text|corpus|test set|test text|sequence|data|test data|document|sentence|held-out (?:text|data|set))"
_OF_TEXT = (
    rf"(?: (?:of|on|for|over|in) (?:the |a |any |that |every |this )?(?:same |whole |test |given )?{TEXT}"
    r"(?: (?:of (?:length )?)?N(?: tokens| words)?)?(?![a-z]))"
)
MODEL = (
    r"(?:(?:the|a|an|any|every|some|this|our) )?(?:(?:fixed|uniform|language|statistical|trained|perfect|"
    r"n-gram|unigram) )*(?:language )?model"
)
_ITS = r"(?:(?:[Tt]he|[Ii]ts|[Tt]heir|[Aa]|[Aa]n?y?) )?"
_PER = r"(?: per (?:token|word|symbol))?"
_TOKEN = r"(?:tokens?|words?|symbols?|characters?)"
EACH = (
    rf"(?:each|every|all(?: the)?|any)(?: (?:of the|of its|one of the))?(?: (?P<count>[A-Z]|\d+))?(?: (?:true|"
    rf"correct|actual|next|observed))? {_TOKEN}"
)

_NAMES: tuple[tuple[str, str], ...] = (
    (
        r"(?:inverse|reciprocal) of the geometric mean of (?:the )?(?:{probabilities})",
        "1/(\\prod_i p_i)^{{1/N}}",
    ),
    (r"geometric mean of (?:the )?(?:{inverses})", "(\\prod_i 1/p_i)^{{1/N}}"),
    (r"geometric (?:mean|average) of (?:the )?(?:{probabilities})", "(\\prod_i p_i)^{{1/N}}"),
    (r"(?:arithmetic )?(?:mean|average) of (?:the )?(?:{inverses})", "(1/N) \\sum_i 1/p_i"),
    (r"harmonic mean of (?:the )?(?:{probabilities})", "N/(\\sum_i 1/p_i)"),
    (
        r"(?:inverse|reciprocal) of the (?:arithmetic )?(?:mean|average) of (?:the )?(?:{probabilities})",
        "1/((1/N) \\sum_i p_i)",
    ),
    (r"(?:arithmetic )?(?:mean|average) of (?:the )?(?:{probabilities})", "(1/N) \\sum_i p_i"),
    (r"product of (?:the )?(?:{inverses})", "\\prod_i 1/p_i"),
    (r"(?:joint )?probability of the (?:whole )?{text}", "\\prod_i p_i"),
)
_OVER = (
    rf"(?: (?:that {MODEL} (?:gives|assigns)|given by the model|assigned by the model))?(?: (?:over|to|of) "
    rf"(?:all )?(?:the )?{_TOKEN}(?: (?:of|in) (?:the|a) {TEXT})?)?"
)
_INVERSES = (
    rf"(?:inverse|reciprocal) (?:(?:conditional|token|model|predicted) )*probabilities(?: 1/p_i)?{_OVER}"
    rf"|(?:inverses|reciprocals) of the (?:(?:conditional|token|model|predicted) )*probabilities{_OVER}"
    rf"|1/p_i{_OVER}"
)
_PROBABILITIES = (
    rf"(?:(?:conditional|token|model|predicted) )+probabilities(?: p_i)?{_OVER}|probabilities (?:p_i )?(?:of|"
    rf"given to|assigned to) (?:the )?{_TOKEN}|p_i{_OVER}"
)

_CONDITIONAL = re.compile(
    r"(?<![A-Za-z])\\?[Pp](?:r)?\s*\(\s*(?P<word>[wxy])_(?P<index>[a-z])\s*(?:\||\\mid|∣)\s*"
    r"(?:(?P=word)_\{?\s*<\s*(?P=index)\s*\}?|(?P=word)_\{?1\}?\s*,?\s*(?:…|\.\.\.|"
    r"\\[lc]?dots)\s*,?\s*(?P=word)_\{\s*(?P=index)\s*-\s*1\s*\})\s*\)"
)
_JOINT = re.compile(
    r"(?<![A-Za-z])[Pp]\s*\(\s*(?P<word>[wx])_\{?1\}?\s*,?\s*(?:(?P=word)_\{?2\}?\s*,?\s*)?(?:…|\.\.\.|"
    r"\\[lc]?dots)\s*,?\s*(?P=word)_\{?[NnT]\}?\s*\)"
)
_WORDS = re.compile(r"[Pp]erplexit|(?<![A-Za-z])PPL?(?![A-Za-z])|bits? per |bpc")


def _named(found: re.Match[str], form: str) -> str:
    return form.format(found[0])


def write_tokens(text: str) -> str:
    """Probabilities of tokens as p_i: p(w_t | w_<t), P(w_1 … w_N), and means of them; where perplexity is spoken of.

    >>> write_tokens("Perplexity is the geometric mean of the inverse token probabilities")
    'Perplexity is (\\\\prod_i 1/p_i)^{1/N}'
    """
    if not _WORDS.search(text):
        return text
    text = _JOINT.sub(lambda _: "(\\prod_i p_i)", text)
    text = re.sub(
        r"[Pp]erplexity (?:PP )?of a (?:test set|text|corpus|sequence) "
        r"(?:W\s*=\s*)?\$?w_\{?1\}?[\s,]*(?:w_\{?2\}?[\s,]*)?(?:…|\.\.\.|\\[lc]?dots)[\s,]*w_\{?N\}?\$? "
        r"is(?P<named> \$?PP(?=\W))?",
        lambda found: (found["named"] or "PP is").strip(),
        text,
    )
    text = re.sub(r"(?<![A-Za-z])PPL?\s*\(\s*[WwXx]\s*\)", "PP", text)
    index = next((found["index"] for found in _CONDITIONAL.finditer(text)), None)
    text = _CONDITIONAL.sub(lambda found: f"p_{found['index']}", text)
    if index and index != "i":
        text = re.sub(rf"(?<=[_{{]){index}(?![A-Za-z])", "i", text)
        text = re.sub(rf"_\{{{index}\s*=\s*1\}}", "_{i=1}", text)
    for name, symbols in _NAMES:
        pattern = name.format(inverses=_INVERSES, probabilities=_PROBABILITIES, text=TEXT)
        text = re.sub(rf"(?<![A-Za-z])(?:[Tt]he )?(?:{pattern})(?![A-Za-z])", partial(_named, form=symbols), text)
    return text


_SAME = r"(?:(?:the )?(?:same|equal|uniform) )?"
_GIVES = re.compile(
    rf"{MODEL} (?:(?:that|which) )?(?:always )?(?:gives|assigns|predicts|gave) (?:to )?(?:{EACH}(?: "
    rf"(?:in|of|from) (?:the|its) (?:vocabulary|{TEXT}))? "
    rf"(?:an? |the )?{_SAME}probability(?: (?:of )?(?P<value>(?!has|to|on|in|of)[^\s,]+))?"
    rf"|(?:an? |the )?{_SAME}probability "
    rf"(?:of )?(?P<value2>[^\s,]+?) to {EACH.replace('count', 'count2')}"
    rf"(?: (?:in|of|from) (?:the|its|a) (?:vocabulary|{TEXT}))?)(?![A-Za-z/])"
)
_UNIFORM = re.compile(
    r"(?:(?:the|a|an|any|every) )?(?:language )?(?:model (?:(?:that|which) is |is )?uniform|uniform "
    r"(?:language )?(?:model|distribution|guessing)) (?:over|on) (?:a vocabulary of (?:size )?|the )?"
    r"(?P<size>[A-Z]|\d+)(?: (?:words|tokens|types|symbols|outcomes|classes)(?: (?:in|of) the "
    r"vocabulary)?)?(?![A-Za-z])",
    re.IGNORECASE,
)
_HAS = re.compile(
    rf"\s*,? has (?:a )?(?:(?:perplexity|PPL?) (?:of )?(?:exactly )?)(?P<value>\S+?)(?:{_OF_TEXT})?\s*\.?\s*$"
)


_GETS = re.compile(
    rf"(?:{EACH}(?: (?:in|of) (?:the|a) {TEXT})? (?:gets|has|is given|is assigned|receives)(?: "
    rf"exactly)?(?: the)?(?: same)? probability (?:of )?(?P<value>[^\s,]+)"
    rf"|(?:all|the) (?:token )?probabilities are (?:all )?(?:equal to )?(?P<value2>[\d/.]+))(?= then|,| )"
)


def write_models(text: str) -> str:
    """What a model gives its tokens as p_i = 1/V, p_i = 1.

    >>> write_models("a model that assigns probability 1/V to every token has perplexity V.")
    'if p_i = 1/V then PP = V'
    """
    if not _WORDS.search(text):
        return text
    gets = _GETS.search(text)
    if gets is not None and re.match(r"(?:if|when) $", text[: gets.start()], re.IGNORECASE):
        value, rest = gets["value"] or gets["value2"], text[gets.end() :]
        if value == "p":  # the probability itself, not that of each token
            value, rest = "1/t", re.sub(r"(?<![A-Za-z\\])p(?![A-Za-z_])", "(1/t)", rest)
        text = f"{text[: gets.start()]}p_i = {value}{rest}"
    for pattern in (_GIVES, _UNIFORM):
        found = pattern.search(text)
        if found is None:
            continue
        parts = found.groupdict()
        size = parts.get("size") or parts.get("count")
        value = parts.get("value") or parts.get("value2") or (f"1/{size}" if size else None)
        if value is None or (size and value not in (f"1/{size}", f"\\frac{{1}}{{{size}}}") and not value[0].isdigit()):
            continue
        given = f"p_i = {value}"
        before, after = text[: found.start()], _HAS.match(text[found.end() :])
        of_model = re.fullmatch(rf"\s*{_ITS}perplexity of ", before)
        if of_model is not None:
            return f"if {given} then PP{text[found.end() :]}"
        if after is not None and not before.strip() and "words" not in after["value"]:
            return f"if {given} then PP = {after['value']}"
        return before + given + (" for all i" if "iff" in before else "") + text[found.end() :]
    return text


_LOSS = (
    rf"(?:{_ITS}|{MODEL}(?:'s|’s) )(?:(?:average|mean|per-token|per-word|empirical|test) "
    rf")*(?:cross[-\s]entropy(?: loss)?|loss|negative log[-\s]likelihood|NLL|surprisal|entropy)"
    rf"{_PER}(?:{_OF_TEXT})?"
)
_UNIT = r"(?P<unit>\s*\(?(?:(?:in|measured in) )?(?:nats|bits)(?: per (?:token|word|character|symbol))?\)?)"
_IF_LOSS = re.compile(
    rf"(?:[Ii]f|[Ww]hen|[Ff]or|[Ww]ith|[Gg]iven|[Ss]uppose) (?:a model(?:'s)? |the model(?:'s)? |a "
    rf")?(?:(?P<small>small) )?{_LOSS}(?P<unit0>\s*\(?(?:in )?(?:nats|bits)\)?(?: per \w+)?)?\s*"
    rf"(?:is|equals|=|of|\s)\s*(?P<letter>\$?(?:[A-Za-z]|\d+(?:\.\d+)?|"
    rf"[ℓ])\$?){_UNIT}?(?P<end>\s*(?:,\s*then|,| then|\. Then)?) "
    rf"{_ITS}perplexity(?:{_OF_TEXT})? (?:is|equals|=) "
)
_RELATIVE = re.compile(
    r",?\s*and (?:the )?(?:relative )?(?:error|difference|gap)(?: of this)? (?:vanishes|(?:goes|tends|"
    r"converges) to (?:zero|0))(?= as\s)"
)


def write_losses(text: str) -> str:
    """The perplexity of a loss that is given a letter: exp(L) in nats, 2^L in bits.

    >>> write_losses("If the average loss per token is L nats then the perplexity is 2^L.")
    'exp(L) = 2^L.'
    """
    found = _IF_LOSS.search(text)
    if found is None or text[: found.start()].strip():
        return text
    units = f"{found['unit0'] or ''} {found['unit'] or ''}"
    if "bit" not in units and "nat" not in units and not re.search(r"natural log|\bnats\b", text):
        return text
    letter = found["letter"].strip("$")
    perplexity = f"2^{{{letter}}}" if "bit" in units else f"exp({letter})"
    rest = text[found.end() :]
    about = re.match(r"(?:about|approximately|roughly|close to) ", rest)
    sign, rest = ("≈", rest[about.end() :]) if about else ("=", rest)
    rest = _RELATIVE.sub("", rest)
    if about and found["small"] and not re.search(r"→|\\to\b", rest):
        rest = f"{rest.rstrip(' .')} as {letter} → 0"
    return f"{perplexity} {sign} {rest}"


_BOUND = re.compile(
    rf"^(?:{MODEL.replace('the|a|an', '[Tt]he|[Aa]|[Aa]n')}(?: (?:over|with|on) a vocabulary of (?:size "
    rf")?(?P<size>[A-Z]|\d+)(?: (?:words|tokens))?)? (?P<verb>cannot have|can never have|never has|always "
    rf"has|has) (?:a )?perplexity (?:that is )?"
    r"(?P<way>larger than|greater than|above|more than|higher than|of at most|at most|smaller than|less "
    r"than|below|of at least|at least) (?P<value>\S+?)(?: on any text)?)\s*\.?\s*$"
)
_MINIMUM = re.compile(
    rf"^{_ITS}perplexity(?:{_OF_TEXT}| of {MODEL})* (?:is|lies) (?P<how>always|never) (?P<way>at least|at "
    rf"most|larger than|greater than|more than|above|less than|smaller than|below) "
    rf"(?P<value>[^\s,]+)(?P<rest>.*)$"
)
_SUBJECT = re.compile(
    rf"(?<![A-Za-z]){_ITS}(?:per-(?:token|word) )?perplexity(?:{_OF_TEXT}| of that text| of {MODEL})?(?= "
    rf"(?:is|are|equals?|can|=|<|>|≤|≥|\u2192|goes|tends|converges|lies|cannot|never|does)\b|\s*[=<>≤≥→]|"
    rf"\s*[.,;]|\s*$)"
)


def write_perplexities(text: str) -> str:
    """The noun by itself: the perplexity is, a model cannot have a perplexity larger than.

    >>> write_perplexities("A language model over a vocabulary of size V cannot have a perplexity larger than V.")
    'PP <= V'
    """
    found = _BOUND.match(text)
    if found is not None:
        is_denied = found["verb"] in ("cannot have", "can never have", "never has")
        is_above = bool(re.search(r"larger|greater|above|more|higher|least", found["way"]))
        sign = ("<=" if is_above else ">=") if is_denied else (">=" if is_above else "<=")
        is_strict = "at " not in found["way"]
        sign = sign[0] if is_strict != is_denied else sign
        return f"PP {sign} {found['value']}"
    minimum = _MINIMUM.match(text)
    if minimum is not None:
        is_above = bool(re.search(r"larger|greater|above|more|least", minimum["way"])) == (minimum["how"] == "always")
        is_strict = ("at " not in minimum["way"]) == (minimum["how"] == "always")
        text = (
            f"PP {'>' if is_above else '<'}{'' if is_strict else '='} {minimum['value'].rstrip('.')}{minimum['rest']}"
        )
    if not re.search(r"[Pp]erplexity|(?<![A-Za-z])PP", text):
        return text
    text = re.sub(
        r",? and (?:it )?(?:is|equals) (?:exactly )?(?:1|one) (?=(?:iff|if and only if|exactly (?:if|"
        r"when)|precisely (?:if|when))\s)",
        "; 0 = PP - 1 ",
        text,
    )
    text = re.sub(rf"(?:two|2) (?:raised )?to (?:the power (?:of )?)?{_LOSS}(?: in bits)", "2^{H_2}", text)
    text = re.sub(
        rf"(?:(?:the )?exp(?:onential)? of |e to the (?:power (?:of )?)?){_LOSS}(?: in nats)?(?=\s*[.,;]|\s*$)",
        "exp(CE)",
        text,
    )
    text = re.sub(rf"(?:the )?(?:natural )?log(?:arithm)? of {_ITS}perplexity", "log(PP)", text)
    text = re.sub(r"the (?:size of the vocabulary|vocabulary size)(?: V)?(?![A-Za-z])", "V", text)
    text = _SUBJECT.sub("PP", text)
    return re.sub(rf"(?<=PP\)) (?:is|equals) {_LOSS}(?: in nats)?(?=\s*[.,;]|\s*$)", " = CE", text)


_BITS = re.compile(
    r"(?:[Ll]et )?\$?(?P<letter>bpc|bpw|b|B)\$?\s*(?:=\s*(?:−|-)\s*\(?1/N\)?\s*(?:Σ|"
    r"\\sum)_\{?i(?:=1)?\}?(?:\^\{?N\}?)?\s*\\?log(?:₂|_2|_\{2\})\s*p_i)?\s*(?:be|is|denotes?) the "
    r"(?:number of )?bits per (?:character|word|token|symbol)\.?\s*(?:,\s*then |[Tt]hen,? )"
    r"the (?:per-(?:character|word|token) )?perplexity(?: per (?:character|word|token))? (?:is|equals) "
    r"(?P<value>.+?)\s*\.?\s*$"
)


def write_bits(text: str) -> str:
    """Bits per character: their perplexity is a power of two.

    >>> write_bits("Let b be the number of bits per character. Then the perplexity per character is 2^b.")
    '2^{b} = 2^b'
    """
    found = _BITS.match(text)
    if found is None:
        return text
    value = re.sub(r"bpc|bpw", "b", found["value"])
    return f"2^{{b}} = {value}"


REWRITERS: tuple[Callable[[str], str], ...] = (
    write_tokens,
    write_bits,
    write_models,
    write_losses,
    write_perplexities,
)
