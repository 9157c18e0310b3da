"""The cursor that walks along tokens, and how it reads what is written below and above a name or bracket.

It looks, takes, insists, or complains of the place. Scripts are indices, powers, transposes, inverses and labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from regard.claims.syntax.letters import FORM_WORDS, FUNCTIONS, RENAMED, SUBSCRIPT_WORDS, WORDS
from regard.claims.syntax.lexer import Token
from regard.claims.syntax.sums import index_node
from regard.claims.syntax.tree import MAX_NESTING, Binary, Call, Node, Number, OneOf, Relation, Span, Symbol
from regard.errors import NotUnderstood

CLOSERS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "‖": "‖", "|": "|"}


@dataclass
class Scripts:
    """What is written below and above a base, in the order in which it is applied."""

    subscripts: list[str] = field(default_factory=list)
    superscripts: list[str | Node] = field(default_factory=list)


@dataclass
class Cursor:
    """A place in a list of tokens that ends with one of kind "end".

    `open_bars` are the norms that are not yet closed, innermost last: a bar is the same sign on both sides. `limits`
    are those written as \\lim_{C \\to \\infty}, which belong to the statement they stand in; `more_indices`
    those of a double sum, `ranges` the last letters of indices whose values the text lists: n of i = 1, …, n.
    """

    tokens: list[Token]
    at: int = 0
    depth: int = 0
    open_bars: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    limits: list[Relation] = field(default_factory=list)
    more_indices: list[str] = field(default_factory=list)
    ranges: dict[str, str] = field(default_factory=dict)

    @property
    def token(self) -> Token:
        """The token that is next."""
        return self.tokens[self.at]

    def ahead(self, steps: int) -> Token:
        """A token further on, the last one if there are not so many."""
        return self.tokens[min(self.at + steps, len(self.tokens) - 1)]

    def take(self) -> Token:
        """The next token, now behind us; the end stays where it is."""
        token = self.token
        self.at += token.kind != "end"
        return token

    def is_sign(self, *signs: str) -> bool:
        """Whether one of these signs is next."""
        return self.token.kind == "sign" and self.token.value in signs

    def takes(self, *signs: str) -> bool:
        """Take the next token if it is one of these signs; whether it was."""
        found = self.is_sign(*signs)
        self.at += found
        return found

    def insist(self, sign: str) -> Token:
        """Take this sign; complain where something else stands."""
        if not self.is_sign(sign):
            raise self.complaint(f"'{sign}'")
        return self.take()

    def split_first(self, length: int) -> None:
        """Part the next token, letters or digits, so that its first `length` characters stand alone."""
        token = self.token
        is_parted = token.kind == "letters" or (token.kind == "number" and token.value.isdecimal())
        if len(token.value) > length and is_parted:
            in_text = token.end - token.start == len(token.value)  # small raised letters share one span
            middle = token.start + length if in_text else token.end
            first = token._replace(value=token.value[:length], end=middle)
            rest = token._replace(value=token.value[length:], start=middle if in_text else token.start, spaced=False)
            self.tokens[self.at : self.at + 1] = [first, rest]

    def span_from(self, start: int) -> Span:
        """From the token number `start` to what was taken last."""
        return Span(self.tokens[start].start, max(self.tokens[start].start, self.tokens[max(self.at - 1, start)].end))

    def complaint(self, expected: str, token: Token | None = None) -> NotUnderstood:
        """An error at the next token (or another), with what could have stood there."""
        token = token or self.token
        what = "the claim ends here" if token.kind == "end" else f"{_show(token.value)!r} does not fit here"
        return NotUnderstood(f"{what}; expected {expected}", span=(token.start, token.end), expected=expected)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One bracket further in; complains where there are too many."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.complaint(f"at most {MAX_NESTING} brackets in brackets")
        yield
        self.depth -= 1


def _show(value: str) -> str:
    return "end of line" if value == "\n" else value.rstrip("()") or value


class ScriptReader(Cursor):
    """Reads subscripts and superscripts; what stands in them is read by `Expressions`."""

    def expression(self) -> Node:
        """±term ± term …"""
        raise NotImplementedError

    def argument(self) -> Node:
        """A group in braces, or one letter, digit or command."""
        raise NotImplementedError

    def base(self) -> Node:
        """A number, a bracket, or one of the forms."""
        raise NotImplementedError

    def function(self) -> Node:
        """A function with its argument."""
        raise NotImplementedError

    def with_scripts(self, base: Node, start: int) -> Node:
        """The base with the scripts that follow it."""
        is_name = self.tokens[self.at - 1].kind in ("letters", "name") and isinstance(base, Symbol)
        return self.apply_scripts(base, self.scripts(is_name=is_name, is_euler=base == Symbol("e")), start)

    def scripts(self, *, is_name: bool, is_euler: bool = False) -> Scripts:
        """All that is written below and above, in whichever order."""
        found = Scripts()
        while True:
            if self.is_sign("_"):
                found.subscripts += self.subscripts()
            elif self.takes("'", "⊤"):
                found.superscripts.append("transpose")
            elif self.is_sign("^"):
                found.superscripts += self.superscript(is_euler=is_euler)
            elif is_name and self.is_times_ones():
                return found
            elif is_name and self.token.kind == "number" and not self.token.spaced and self.token.value.isdecimal():
                found.subscripts.append(self.take().value)  # q1 is q_1
            else:
                return found
            is_name = False

    def is_times_ones(self) -> bool:
        """Whether the 1 of c1 is next and means ones, as in softmax(z + c1): nothing is called c2."""
        is_shift = self.tokens[self.at - 1].value == "c" and self.token.value == "1"
        follows = {after.value for one, after in zip(self.tokens, self.tokens[1:], strict=False) if one.value == "c"}
        return is_shift and not follows & {"2", "_"}

    def subscripts(self) -> list[str]:
        """k_a, k_{ij}, α_{i,j}, W_1; unbraced, only the first letter of several, as LaTeX has it."""
        self.insist("_")
        if self.is_sign("{", "("):
            closer = CLOSERS[self.take().value]
            found: list[str] = []
            while not self.takes(closer):
                if not (found and self.takes(",")):
                    found += self.index()
            return found or [""]
        is_pair = len(self.token.value) == 2 and set(self.token.value) <= set("ijkl")  # δ_ij in plain text
        is_pair &= self.ahead(1).value != "_"  # α_jk_j is α_j k_j
        if self.token.kind == "letters" and self.token.value not in SUBSCRIPT_WORDS | WORDS and not is_pair:
            self.split_first(1)
        return self.index()

    def index(self) -> list[str]:
        """One index; several where letters stand together; -a means all but a."""
        if self.takes("-"):
            return [f"-{word}" for word in self.index()[:1]]
        token = self.token
        is_index = token.kind in ("letters", "name", "word") or token.value.isdecimal()
        if not is_index or "_" in token.value:
            raise self.complaint("an index: a letter or a number")
        self.take()
        is_one = token.kind != "letters" or token.value in SUBSCRIPT_WORDS | WORDS
        return [token.value] if is_one else list(token.value)

    def superscript(self, *, is_euler: bool) -> list[str | Node]:
        """^T, ^{-1}, ^{-T}, ^{(1)} or a power."""
        self.take()
        braces = self.takes("{")
        label = self.label() if braces else ""
        found: list[str | Node] = [label] if label else list(self.transpose_or_inverse(braces=braces))
        if found and braces:
            self.insist("}")
        return found or [self.power(braces=braces, is_euler=is_euler)]

    def label(self) -> str:
        """^{(1)} names one of several, as a subscript would; the empty text where this is something else."""
        one, two, three = self.token, self.ahead(1), self.ahead(2)
        if one.value == "(" and two.kind == "number" and three.value == ")" and self.ahead(3).value == "}":
            self.at += 3
            return f"({two.value})"
        return ""

    def transpose_or_inverse(self, *, braces: bool) -> list[str]:
        """What ^T, ^⊤, ^-1 and ^{-T} do; nothing where the superscript is a power, as in ^{-1/2}."""
        is_inverse = self.is_sign("-")
        mark = self.ahead(int(is_inverse))
        if mark.kind in ("letters", "word") and mark.value[:1] == "T" and mark.value not in WORDS and not braces:
            self.at += is_inverse
            self.split_first(1)
            self.at -= is_inverse
            mark = self.ahead(int(is_inverse))
        is_transpose = mark.value in ("⊤", "'", "T")
        if not is_transpose and not (is_inverse and mark.value == "1"):
            return []
        if braces and self.ahead(1 + is_inverse).value != "}":
            return []
        self.at += 1 + is_inverse
        return ["inverse"] * is_inverse + ["transpose"] * is_transpose

    def power(self, *, braces: bool, is_euler: bool) -> Node:
        """The exponent: all in the braces, or one number, name or bracket; powers group from the right."""
        if braces:
            node = self.expression()
            self.insist("}")
            return node
        start = self.at
        with self.deeper():
            if self.token.value in FORM_WORDS:
                raise self.complaint("braces around the exponent")
            if self.takes("-"):
                return Call("negative", (self.power(braces=False, is_euler=is_euler),), self.span_from(start))
            if self.token.kind == "number" or (self.token.kind == "letters" and self.token.value in FUNCTIONS):
                node = self.base() if self.token.kind == "number" else self.function()
            else:
                if self.token.kind == "letters" and self.token.value in WORDS:
                    node = Symbol(RENAMED.get(self.token.value, self.token.value), (), self.span_from(start))
                    self.take()
                else:
                    node = self.argument()
                if is_euler and isinstance(node, Symbol) and self.is_sign("_"):  # e^x_i is meant as e^{x_i}
                    node = Symbol(node.name, tuple(self.subscripts()), self.span_from(start))
            if self.is_sign("^"):
                node = self.apply_scripts(node, Scripts(superscripts=self.superscript(is_euler=False)), start)
        return node

    def apply_scripts(self, base: Node, scripts: Scripts, start: int) -> Node:
        """The base with its scripts: those below first."""
        node, span = base, self.span_from(start)
        labels = [mark for mark in scripts.superscripts if isinstance(mark, str) and mark.startswith("(")]
        node = self.below(node, [*scripts.subscripts, *labels], span)
        for mark in scripts.superscripts:
            if not isinstance(mark, str):
                is_euler = node == Symbol("e")
                node = Call("exp", (mark,), span) if is_euler else Binary("^", node, mark, span)
            elif mark not in labels:
                is_ones = mark == "transpose" and node == Number(Fraction(1))  # 1ᵀ x sums the entries of x
                plain: Node = Symbol("ones", (), span) if is_ones else node
                node = Call(mark, (plain,), span)
                if mark == "transpose" and self.is_list_before(start):
                    node = OneOf((plain, node), span)  # (1, 0)ᵀ is the column that (1, 0) is
        return node

    def is_list_before(self, start: int) -> bool:
        """Whether a list in round brackets begins here, (1/n, …, 1/n): transposed, it is said to be a column."""
        depth = 0
        for token in self.tokens[start : self.at] if self.tokens[start].value == "(" else ():
            depth += (token.value in ("(", "[", "{")) - (token.value in (")", "]", "}"))
            if depth == 1 and token.kind == "sign" and token.value == ",":
                return True
            if not depth:
                break
        return False

    def below(self, base: Node, subscripts: list[str], span: Span) -> Node:
        """Subscripts belong to a name; of anything else they pick an entry."""
        if not subscripts:
            return base
        if isinstance(base, Symbol):
            marks = [word for word in subscripts if word in ("hat", "bar", "tilde")]
            if len(marks) + base.name.count("_") > 1 or (marks and base.name in ("infinity", "ones")):
                raise self.complaint("one accent", self.tokens[self.at - 1])
            others = tuple(word for word in subscripts if word not in marks)
            return Symbol("_".join([base.name, *marks]), (*base.subscripts, *others), span)
        if any(word.startswith("(") for word in subscripts):
            raise self.complaint("a power without brackets", self.tokens[self.at - 1])
        return Call("entry", (base, *(index_node(word, span) for word in subscripts)), span)
