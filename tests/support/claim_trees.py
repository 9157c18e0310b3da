"""Random claims as trees: everything the grammar can say without ambiguity.

Strategies give nested tuples, (class, arguments…), and `built` makes a tree of them inside the test: checked
constructors draw random numbers of their own, which a strategy may not.
"""

from fractions import Fraction

from hypothesis import strategies as st

from regard.claims.syntax.tree import Binary, Call, Claim, Derivative, Number, Relation, SumOver, Symbol

NAMES = [
    "c",
    "q",
    "C",
    "A",
    "v",
    "x",
    "y_hat",
    "alpha",
    "mu",
    "sigma",
    "Sigma",
    "theta",
    "J",
    "E",
    "N",
    "CE",
    "PPL",
    "Phi",
    "d",
]
SUBSCRIPTS = ["a", "b", "i", "j", "1", "2", "12", "-a", "alpha", "true"]
FUNCTIONS = ["exp", "log", "sqrt", "softmax", "sigmoid", "trace", "norm", "abs", "Var", "E", "diag", "sum", "relu"]
FUNCTIONS += ["softplus"]
SHORT = ["negative", "transpose", "inverse", "sigmoid_derivative"]
COMPARISONS = ["=", "≈", "→", "<", "≤", ">", "≥", "≪", "≫", "≠"]


def built(data):
    """The tree of nested tuples."""
    kind, *parts = data
    made = [built(part) if is_node(part) else part for part in parts]
    if kind is Call:
        return Call(made[0], tuple(made[1:]))
    return kind(*made)


def is_node(part):
    return isinstance(part, tuple) and bool(part) and isinstance(part[0], type)


def symbols():
    subscripts = st.lists(st.sampled_from(SUBSCRIPTS), max_size=2).map(tuple)
    return st.tuples(st.just(Symbol), st.sampled_from(NAMES), subscripts)


def numbers():
    decimals = st.decimals(0, 1000, places=3).map(Fraction)
    return number(st.integers(0, 10**6).map(Fraction) | decimals | st.just(Fraction(1, 10**30)))


def number(values):
    return st.tuples(st.just(Number), values)


def call(names, *arguments):
    return st.tuples(st.just(Call), st.sampled_from(names), *arguments)


def larger(inner):
    product = st.tuples(st.just(Binary), st.sampled_from(["+", "*"]), inner, inner)
    return st.one_of(
        st.tuples(st.just(Binary), st.sampled_from(["+", "-", "*", "·", "∘", "/"]), inner, inner),
        st.tuples(st.just(Binary), st.just("^"), inner, symbols() | number(st.integers(1, 9).map(Fraction))),
        call(FUNCTIONS + SHORT, inner),
        call(["Cov", "N", "CE", "KL"], inner, inner),
        call(["log"], inner, st.just((Number, Fraction(2)))),
        call(["entry"], product, st.just((Symbol, "i"))),
        st.tuples(
            st.just(SumOver),
            st.sampled_from(["i", "j", "t"]),
            st.sampled_from([(), ("a",), ("a", "b")]),
            inner,
            st.sampled_from([None, (Number, Fraction(1))]),
            st.sampled_from([None, (Symbol, "n")]),
            st.sampled_from(["+", "*"]),
        ),
        st.tuples(st.just(Derivative), inner, symbols()),
    )


def claims():
    nodes = st.recursive(symbols() | numbers(), larger, max_leaves=7)
    relation = st.tuples(st.just(Relation), st.sampled_from(COMPARISONS), nodes, nodes)
    return st.lists(relation, min_size=1, max_size=2)


def built_claim(relations):
    """The claim of these relations; nobody wrote its text."""
    return Claim("", tuple(map(built, relations)))
