"""Sums, products, powers and names: the part of the grammar that is the same in every notation.

    expression   ±term ± term …
    term         factor, then · / ∘ factor or a factor that simply follows; 1/2 v is (1/2) v
    factor       base with its subscripts and superscripts: k_a^⊤, A^{-1}, (A s)_i, ŷ′
    base         a number, a name, a bracket, or one of the forms in forms.py

Text with two readings that types may tell apart gives both, as OneOf.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import Literal, cast

from regard.claims.syntax.cursor import CLOSERS, ScriptReader
from regard.claims.syntax.forms import FORMS, WORD_FORMS, call_before_bracket, function, indicator, is_indicator
from regard.claims.syntax.letters import FUNCTIONS, RENAMED, WORDS
from regard.claims.syntax.lexer import split_run
from regard.claims.syntax.sums import INDICES, RUNNING, evident_index, generalise, whole_list
from regard.claims.syntax.tree import Binary, Call, Node, Number, OneOf, Span, SumOver, Symbol, walk

Operator = Literal["+", "-", "*", "·", "∘", "/", "^"]

STARTS = frozenset({"(", "[", "{", "⟨", "∞", "‖(", "|(", *FORMS})

_INFINITY = frozenset({"∞", "inf", "infty"})
MAX_SPLIT = 12  # letters; a longer run is a word
MIN_WORD = 5  # so many small letters in a row are one name


class Expressions(ScriptReader):
    """Reads an expression from where it stands."""

    def expression(self) -> Node:
        """±term ± term …"""
        start = self.at
        with self.deeper():
            node = self.signed_term()
            while self.is_sign("+", "-"):
                operator = self.take().value
                if operator == "+" and self.takes("…"):
                    self.insist("+")
                    node = self.with_dots("+", node, self.signed_term(), start)
                    continue
                node = self.binary(operator, node, self.signed_term(), start)
        return node

    def with_dots(self, operator: Literal["+", "*"], before: Node, last: Node, start: int) -> Node:
        """x_1 + x_2 + … + x_n as a sum over an index; the first and the last term say what runs."""
        first = before
        while isinstance(first, Binary) and first.operator in ("+" if operator == "+" else ("*", "·")):
            first = first.left
        found = generalise(first, last)
        if found is None:
            raise self.complaint("terms that differ in one index, as in x_1 + … + x_n", self.tokens[self.at - 1])
        body, bound = found
        span = self.span_from(start)
        return SumOver(RUNNING, (), body, Number(Fraction(1)), bound, operator, span)

    def signed_term(self) -> Node:
        """A term that may have a sign of its own."""
        start = self.at
        if self.takes("+"):
            return self.nested_signed_term()
        if self.takes("-"):
            inner = self.nested_signed_term()
            return Call("negative", (inner,), self.span_from(start))
        return self.term()

    def nested_signed_term(self) -> Node:
        """After a sign: signs can pile up, so this counts as a bracket."""
        with self.deeper():
            return self.signed_term()

    def term(self) -> Node:
        """Factors, multiplied and divided from left to right."""
        start = self.at
        node = self.factor()
        while True:
            if self.takes("…"):
                self.takes("*", "·")
                node = self.with_dots("*", node, self.factor(), start)
            elif self.takes("/"):
                node = self.quotient(node, start)
            elif self.takes("∘"):
                node = self.entrywise(node, start)
            elif self.is_sign("*", "·"):
                operator = self.take().value
                if self.is_sign("…"):
                    continue
                node = self.binary(operator, node, self.signed_factor(), start)
            elif self.starts_factor():
                node = self.binary("*", node, self.factor(), start)
            else:
                return node

    def quotient(self, top: Node, start: int) -> Node:
        """a/b c is (a/b) c; also a/(b c) unless b is a bracket, or a number that stands apart from c."""
        is_bracket, is_number = self.is_sign(*CLOSERS), self.token.kind == "number"
        below_at = self.at
        below = self.signed_factor()
        first = self.token
        if is_bracket or (is_number and (first.spaced or first.value in CLOSERS)) or first.value in FORMS:
            return self.binary("/", top, below, start)
        return self.with_followers("/", top, below, (start, below_at))

    def entrywise(self, left: Node, start: int) -> Node:
        """a ∘ b C is (a ∘ b) C or a ∘ (b C)."""
        right_at = self.at
        return self.with_followers("∘", left, self.signed_factor(), (start, right_at))

    def with_followers(self, operator: str, left: Node, right: Node, starts: tuple[int, int]) -> Node:
        """left operator right, times the factors that simply follow: of the whole, or of the right alone."""
        whole, alone = self.binary(operator, left, right, starts[0]), right
        while self.starts_factor() and not self.is_sign(*FORMS):
            factor = self.factor()
            whole = self.binary("*", whole, factor, starts[0])
            alone = self.binary("*", alone, factor, starts[1])
        if alone is right:
            return whole
        return OneOf((whole, self.binary(operator, left, alone, starts[0])), self.span_from(starts[0]))

    def signed_factor(self) -> Node:
        """A factor that may have a minus, as after a multiplication sign."""
        start = self.at
        if not self.is_sign("-", "+"):
            return self.factor()
        with self.deeper():
            sign = self.take().value
            inner = self.signed_factor()
        return inner if sign == "+" else Call("negative", (inner,), self.span_from(start))

    def starts_factor(self) -> bool:
        """Whether what is next multiplies what came before, no sign between them."""
        token = self.token
        if token.kind == "number":
            return self.tokens[self.at - 1].kind != "number" or self.is_row_of_ones()
        if token.kind == "sign":
            return token.value in STARTS or (token.value in "‖|" and token.value not in self.open_bars[-1:])
        return token.kind in ("letters", "word", "name", "accent")

    def starts_form(self) -> bool:
        """Whether a fraction, root, sum or derivative is next."""
        return self.is_sign(*FORMS)

    def is_row_of_ones(self) -> bool:
        """Whether 1ᵀ is next."""
        follows = [self.ahead(steps).value for steps in (1, 2, 3)]
        is_transposed = follows[0] == "⊤" or follows[:2] in (["^", "T"], ["^", "⊤"]) or follows[1:] == ["{", "T"]
        return self.token.value == "1" and is_transposed

    def column_of_ones(self) -> Node | None:
        """The 1 of 1 1ᵀ, which is a column; None where something else is next."""
        start = self.at
        if self.token.value != "1" or self.token.kind != "number":
            return None
        self.at += 1
        if self.is_row_of_ones():
            return Symbol("ones", (), self.span_from(start))
        self.at = start
        return None

    def factor(self) -> Node:
        """A base with what is written below and above it."""
        start, token = self.at, self.token
        ones = self.column_of_ones()
        if ones is not None:
            return ones
        if is_indicator(self):
            return indicator(self)
        if token.kind in ("letters", "word"):
            return self.run()
        if token.kind == "name":
            self.take()
            return self.name_or_call(token.value, start)
        return self.with_scripts(self.base(), start)

    def base(self) -> Node:
        """A number, a bracket, or one of the forms."""
        start, token = self.at, self.token
        if token.kind == "number":
            self.take()
            return Number(Fraction(token.value), self.span_from(start))
        if token.kind == "accent":
            return self.accented_name()
        if self.takes("∞"):
            return Symbol("infinity", (), self.span_from(start))
        if self.is_sign("(", "[", "{"):
            return self.in_brackets()
        if self.is_sign("‖", "|", "‖(", "|("):
            return self.in_bars()
        if token.kind == "sign" and token.value in FORMS:
            with self.deeper():
                return FORMS[token.value](self)
        raise self.complaint("a number, a name or a bracket")

    def function(self) -> Node:
        """exp(x), log_2 x."""
        return function(self)

    def in_brackets(self) -> Node:
        """What stands between two brackets of one kind."""
        start = self.at
        opener = self.take().value
        bars, self.open_bars = self.open_bars, []
        entries = [self.expression()]
        while opener != "{" and self.takes(","):
            if self.is_sign("…"):
                return self.alike_entries(entries, start, CLOSERS[opener], bars)
            entries.append(self.expression())
        self.insist(CLOSERS[opener])
        self.open_bars = bars
        return entries[0] if len(entries) == 1 else Call("vector", tuple(entries), self.span_from(start))

    def alike_entries(self, entries: list[Node], start: int, closer: str, bars: list[str]) -> Node:
        """(1/n, …, 1/n) as 1/n in every entry; the dots are next."""
        self.insist("…")
        self.insist(",")
        last, place = self.expression(), self.at
        self.insist(closer)
        self.open_bars = bars
        if whole := whole_list(entries, last, self.span_from(start)):
            return whole
        if any(one != last for one in entries):
            raise self.complaint("dots between entries that are all alike", self.tokens[place - 1])
        span = self.span_from(start)
        ones = Symbol("ones", (), span)
        return ones if last == Number(Fraction(1)) else Binary("*", last, ones, span)

    def in_bars(self) -> Node:
        """‖v‖ or |x|."""
        start = self.at
        bar = self.take().value[0]
        self.open_bars.append(bar)
        inner = self.expression()
        if not self.takes(bar, f"{bar})"):
            raise self.complaint(f"'{bar}', which closes the one before")
        self.open_bars.pop()
        if bar == "‖" and self.is_power_norm():
            return self.power_norm(inner, start)
        is_two = bar == "‖" and self.is_sign("_") and "2" in (self.ahead(1).value, self.ahead(2).value)
        kind = self.norm_kind() if bar == "‖" and self.is_sign("_") else "norm"
        if is_two and kind == "norm" and _names_matrices(inner):
            return _spectral_norm(inner, self.span_from(start))
        return Call(kind if bar == "‖" else "abs", (inner,), self.span_from(start))

    def is_power_norm(self) -> bool:
        """Whether _p is next."""
        return self.is_sign("_") and "p" in (self.ahead(1).value, self.ahead(2).value * (self.ahead(1).value == "{"))

    def power_norm(self, inner: Node, start: int) -> Node:
        """‖x‖_p as (Σ_r |x_r|^p)^{1/p}."""
        power = Symbol(self.subscripts()[0], (), self.span_from(start))
        span = self.span_from(start)
        entry: Node = Call("entry", (inner, Symbol(RUNNING)), span)
        if isinstance(inner, Symbol) and not inner.subscripts:
            entry = Symbol(inner.name, (RUNNING,), span)
        total = SumOver(RUNNING, (), self.binary("^", Call("abs", (entry,), span), power, start), span=span)
        return self.binary("^", total, self.binary("/", Number(Fraction(1), span), power, start), start)

    def norm_kind(self) -> str:
        """‖v‖_2 is ‖v‖; ‖v‖_1 and ‖v‖_∞ are the sum and the largest of the sizes of its entries."""
        at = self.at
        is_bare = self.ahead(1).value in _INFINITY
        if is_bare or (self.ahead(1).value == "{" and self.ahead(2).value in _INFINITY):
            self.at += 2 if is_bare else 4
            return "norm_inf"
        found = {"2": "norm", "F": "norm", "1": "norm_1"}.get("".join(self.subscripts()))
        if found is None:
            raise self.complaint("the norm ‖v‖, ‖v‖_1, ‖v‖_2 or ‖v‖_∞", self.tokens[at + 1])
        return found

    def run(self) -> Node:
        """Letters: a function, a known word, one letter, or several that may be one name or a product."""
        start, token = self.at, self.token
        if token.value in WORD_FORMS and self.ahead(1).value == "_":
            return self.with_scripts(WORD_FORMS[token.value](self), start)
        if token.value in FUNCTIONS or token.value == "sum" or (token.kind == "word" and token.value == "E"):
            with self.deeper():
                return self.function()
        if token.kind == "word" or token.value in WORDS | RENAMED.keys() or not 1 < len(token.value) <= MAX_SPLIT:
            self.take()
            return self.name_or_call(token.value, start)
        pieces = split_run(token.value)
        if pieces[-1] == "E" and self.ahead(1).value in ("[", "("):
            self.split_first(len(token.value) - 1)  # aE[X] is a times E[X]
            return self.run()
        if _is_word(token.value, pieces):
            self.take()
            return self.name_or_call(token.value, start)
        if any(piece in FUNCTIONS or piece in WORD_FORMS for piece in pieces):
            self.split_first(len(pieces[0]))
            return self.run()
        return self.one_name_or_product(pieces)

    def one_name_or_product(self, pieces: list[str]) -> Node:
        """AA^T as the transpose of one matrix AA, or as A times A^T."""
        start, token = self.at, self.take()
        whole, last = Symbol(token.value, (), Span(token.start, token.end)), len(pieces[-1])
        factors = [Symbol(RENAMED.get(piece, piece), (), Span(token.start, token.end - last)) for piece in pieces]
        scripts = self.scripts(is_name=True)
        last_factor = Symbol(factors[-1].name, (), Span(token.end - last, token.end))
        readings = [
            self.apply_scripts(whole, scripts, start),
            reduce(
                lambda left, right: Binary("*", left, right, self.span_from(start)),
                [*factors[:-1], self.apply_scripts(last_factor, scripts, start)],
            ),
        ]
        return OneOf(tuple(readings), self.span_from(start))

    def name_or_call(self, name: str, start: int) -> Node:
        """A name that was just taken, with its scripts; before a bracket it may be a function."""
        name = RENAMED.get(name, name)
        if name == "grad" and not self.is_sign("_"):
            self.at = start
            return FORMS["∇"](self)
        if name in WORD_FORMS:
            raise self.complaint(f"an index, as in {name}_i")
        is_sign = name == "Sigma" and self.tokens[start].end - self.tokens[start].start == 1
        if is_sign and self.is_sign("_"):
            return FORMS["Σ"](self)
        if name == "Pi" and self.tokens[start].end - self.tokens[start].start == 1 and self.is_indexed_product():
            self.at, self.tokens[start] = start, self.tokens[start]._replace(value="prod")
            return FORMS["prod"](self)
        if is_sign and self.starts_factor() and not self.is_sign("(", "["):
            return self.bare_sum_or_covariance(start)
        return call_before_bracket(self, name, start) or self.with_scripts(
            Symbol(name, (), self.span_from(start)), start
        )

    def is_indexed_product(self) -> bool:
        """Whether the letter Π that was just taken is a product: Π_i p_i, Π_{j≠i} p_j; Π_A x is a matrix times x."""
        place = 2 if self.ahead(1).value == "{" else 1
        return self.is_sign("_") and self.ahead(place).value[:1] in INDICES

    def bare_sum_or_covariance(self, start: int) -> Node:
        """Σ α_i: a sum over the evident index, or a matrix Σ before something; Σ x is the matrix."""
        matrix = Symbol("Sigma", (), self.span_from(start))
        with self.deeper():
            body = self.term()
        index, span = evident_index(body), self.span_from(start)
        product = Binary("*", matrix, body, span)
        return product if index is None else OneOf((SumOver(index, (), body, span=span), product), span)

    def accented_name(self) -> Node:
        """\\hat y, \\hat{y_i}: the accent becomes part of the name."""
        start = self.at
        mark = self.take().value
        inner = self.argument()
        if not isinstance(inner, Symbol) or "_" in inner.name or inner.name in ("infinity", "ones"):
            raise self.complaint("one letter below the accent", self.tokens[start + 1])
        return Symbol(f"{inner.name}_{mark}", inner.subscripts, self.span_from(start))

    def argument(self) -> Node:
        """What a LaTeX command takes: a group in braces, or one letter, digit or command."""
        if self.is_sign("{"):
            return self.in_brackets()
        if self.token.kind in ("letters", "number"):
            self.split_first(1)
        start, token = self.at, self.token
        if token.kind in ("letters", "name", "word") and token.value not in FUNCTIONS.keys() | WORD_FORMS.keys():
            self.take()
            return Symbol(RENAMED.get(token.value, token.value), (), self.span_from(start))
        with self.deeper():
            return self.base()

    def binary(self, operator: str, left: Node, right: Node, start: int) -> Node:
        """Two operands, from the token number `start` to here."""
        return Binary(cast(Operator, operator), left, right, self.span_from(start))


def _is_word(run: str, pieces: list[str]) -> bool:
    """Whether small letters in a row are one name: many of them, or some after a function, as in `minus`."""
    if len(run) < MIN_WORD or not run[1:].islower():
        return False
    begins = pieces[0] in FUNCTIONS or pieces[0] in WORD_FORMS
    return all(len(piece) == 1 for piece in (pieces[1:] if begins else pieces))


_MATRIX_LETTERS = frozenset("ABCDGHJKLMPQRSTUVW")
"""Capital letters that nobody writes for a vector; X, Y and Z may be random ones."""


def _names_matrices(node: Node) -> bool:
    """Whether an expression is made of letters for matrices alone: A, AB, A − B, Aᵀ."""
    letters = [one for one in walk(node) if isinstance(one, Symbol)]
    is_plain = all(
        isinstance(one, Symbol | OneOf | Binary) or (isinstance(one, Call) and one.function in ("transpose", "inverse"))
        for one in walk(node)
    )
    return is_plain and bool(letters) and all(set(one.name) <= _MATRIX_LETTERS for one in letters)


def _spectral_norm(node: Node, span: Span) -> Node:
    """‖A‖_2 of a matrix: the square root of the largest eigenvalue of AᵀA."""
    gram = Binary("*", Call("transpose", (node,), span), node, span)
    return Call("sqrt", (Call("eigmax", (gram,), span),), span)
