"""Sentences: declarations, and claims with what stands before them and under which conditions they are made."""

from __future__ import annotations

import re
from dataclasses import replace

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import declare, describe, state
from regard.claims.syntax.prose.english.conditions import RESTRICTED, inequality
from regard.claims.syntax.prose.english.tails import even_if, with_tails
from regard.claims.syntax.prose.leaves import SYMBOL
from regard.claims.syntax.prose.phrases import (
    Clause,
    Thing,
    bind,
    both,
    claim,
    given_by,
    is_open,
    name_things,
    put_it,
)
from regard.claims.syntax.prose.probability.random_variables import conclude, is_of_model, tells_of_model
from regard.claims.syntax.prose.signs import is_limit, symbols_in, together
from regard.claims.syntax.prose.tokens import ARROW


def _if(condition: Clause, main: Clause) -> Clause:
    """Under a condition; `it` of the main clause is what the condition was about."""
    main = bind(main, condition.subject)
    return Clause(main.claims, (*given_by(condition), *main.given), main.subject, main.unread)


def bound_to(thing: Thing, condition: Clause) -> Thing:
    """The thing with what the condition is about for `its` and `their`."""
    return replace(thing, signs=put_it(thing.signs, condition.subject)) if condition.subject is not None else thing


def _so_is(condition: Clause, things: tuple[Thing, ...], *, is_negated: bool = False) -> Clause:
    """If P is a projection, so is I − P: all that the condition claims of its things is claimed of another.

    Raises: Unreadable where the condition is about nothing, or says more than of these things.
    """
    if condition.subject is None or condition.unread or any("⟨" in one for one in condition.claims):
        raise Unreadable
    names = condition.subject.signs.split(", ")
    alike = [{_of_letter(one, name) for one in condition.claims if _is_about(one, name)} for name in names]
    about_all = {one for one in condition.claims for name in names if _is_about(one, name)}
    if not alike[0] or any(one != alike[0] for one in alike) or about_all != set(condition.claims):
        raise Unreadable
    said = [one for one in condition.claims if _is_about(one, names[0])]
    claims = tuple(_of_letter(one, names[0]).replace("⟨here⟩", thing.factor) for thing in things for one in said)
    if is_negated:
        if len(claims) != 1:
            raise Unreadable
        claims = (f"{claims[0]} does not hold",)
    given = tuple(one for thing in things for one in thing.given)
    return Clause(claims, (*given_by(condition), *given), things[0])


_ABOUT = re.compile(r"(?P<name>\S+) (?:is [a-z][a-z ]*|> 0|≥ 0|< 0)")


def _is_about(relation: str, name: str) -> bool:
    found = _ABOUT.fullmatch(relation)
    return found is not None and found["name"] == name


def _of_letter(relation: str, name: str) -> str:
    return "⟨here⟩" + relation.removeprefix(name)


def _leading_for(thing: Thing, main: Clause) -> Clause:
    return bind(main, thing if thing.kind else None).under(*thing.given)


_LETTER = re.compile(rf"(?:{SYMBOL.pattern})(?:\s*\([^()]*\))?")


def _announced(given: Clause, main: Clause) -> Clause:
    """p = softmax(z): …, of which the first part says what letters are.

    Raises: Unreadable where it says anything else.
    """
    for one in given.claims:
        left, equals, _ = one.partition("=")
        if equals and (left[-1:] in "<>≤≥≠!:" or not _LETTER.fullmatch(left.strip())):
            raise Unreadable
        if not equals and not re.search(r"∈|\\in\b|~|∼| is |[<>≥≤]|→|\\to\b", one):
            raise Unreadable
    return _if(given, main)


def _comparative(by: Thing, more: bool, thing: Thing, *, up: bool) -> Clause:
    """The larger x, the smaller f: the derivative is nowhere positive."""
    letter = symbols_in(by.signs)
    if len(letter) != 1 or letter[0] not in symbols_in(thing.signs):
        raise Unreadable
    sign = "≥" if more == up else "≤"
    return claim(f"∂/∂{letter[0]} ({thing.signs}) {sign} 0", of=thing, given=by.given)


def _in_signs(main: Clause, rel: str) -> Clause:
    """The rank of AᵀA is that of A, rank(AᵀA) = rank(A): the relation says in signs what the words say.

    Raises: Unreadable where it may say what a letter is.
    """
    said = state(rel)
    if is_limit(rel) or not main.claims or said.subject is None or SYMBOL.fullmatch(said.subject.signs):
        raise Unreadable
    return both(name_things(main, rel), replace(said, subject=main.subject))


def _each_limit(first: Clause, to: str, second: Clause, other: str) -> Clause:
    """A as x → ∞, and B as x → −∞: each with a limit of its own."""
    if first.unread or second.unread or len({to, other}) == 1:
        raise Unreadable
    claims = (*(f"{one} as {to}" for one in first.claims), *(f"{one} as {other}" for one in second.claims))
    return Clause(claims, (*first.given, *second.given), first.subject)


def _restated(_: None, condition: Clause, __: None, body: Clause) -> Clause:
    """With soft labels, that is y_i ≥ 0 and Σ_i y_i = 1, A: under the condition in signs."""
    return _if(condition, body)


def _denoted(name: Thing, of: Thing) -> Clause:
    """Denote by p the softmax of z.

    Raises: Unreadable where the letter is in what it denotes, or nothing is known of that.
    """
    if is_open(of.signs) or name.signs == of.signs or name.signs in symbols_in(of.signs):
        raise Unreadable
    return claim(f"{name.signs} = {of.signs}", of=name, given=of.given)


def _given_only(clause: Clause) -> Clause:
    return Clause((), given_by(clause), clause.subject)


def _otherwise(condition: Clause, first: Clause, second: Clause) -> Clause:
    """If i = j then A, otherwise B: two statements, each with its own condition."""
    said = given_by(condition)
    if len(said) != 1 or len(first.claims) != 1 or len(second.claims) != 1 or said[0].count("=") != 1:
        raise Unreadable
    other = said[0].replace("=", "≠")
    return Clause(
        (f"{first.claims[0]} for {said[0]}", f"{second.claims[0]} for {other}"), (*first.given, *second.given)
    )


def _joined(first: Clause, second: Clause) -> Clause:
    """The trace of a projection is its rank, i.e. tr(P) = rank(P): the signs name the projection.

    Raises: Unreadable where it is not plain which letter the matrix or vector has.
    """
    if tells_of_model(first) and second.claims and not is_of_model(second):
        return conclude(first, second)
    is_nameless = any(re.search(r"⟨(?:matrix|vector):", one) for one in first.given)
    if is_nameless and second.claims and not any("⟨" in one for one in second.claims):
        first = name_things(first, ", ".join(second.claims))
    return both(first, second)


_BARE_LIMIT = re.compile(
    r"\s*(?!(?:PPL?|CE)\b)\\?[A-Za-zα-ω]+\s*(?:→|->|\\to|\\rightarrow)\s*\+?(?:∞|\\infty|inf(?:inity|ty)?)\s*"
)


def _no_bare_limit(main: Clause) -> Clause:
    """C → ∞ is nothing that anybody claims.

    Raises: Unreadable.
    """
    if any(_BARE_LIMIT.fullmatch(one) for one in main.claims):
        raise Unreadable
    return main


RULES: tuple[Rule, ...] = (
    Rule("sentence", "<opener> <declarations>", lambda _, found: _given_only(found)),
    Rule("sentence", "<body>", lambda body: body),
    Rule("sentence", "<lead> <body>", lambda _, body: body),
    Rule(
        "sentence",
        "for a/one/each batch/minibatch/example/input/sample <syms> , <opener> <declarations>",
        lambda _, __, found: _given_only(found),
    ),
    Rule("sentence", "<lead>? <with>? <condition> : <lead>? <body>", lambda *a: _announced(a[2], a[4])),
    Rule(
        "opener",
        "let/suppose/assume/consider/take/fix/choose/pick/define/denote/say/write/set/put us? "
        "further/also/moreover/additionally/in? addition? ,? that?",
        lambda: None,
    ),
    Rule(
        "sentence",
        "draw/sample <syms> independently? from <law>",
        lambda names, law: Clause((), tuple(f"{name} ~ {law}" for name in names), Thing(", ".join(names))),
    ),
    Rule("opener", "let us consider/take/fix/write/set/put/choose/pick/assume/suppose/say/denote that?", lambda: None),
    Rule("declaration", "by <sym> <np>", _denoted),
    Rule("declaration", "<sym> denote/denotes/mean/means <np>", _denoted),
    Rule("sentence", "by <sym> we/i/one denote/denotes/mean/means <np>", lambda x, of: _given_only(_denoted(x, of))),
    Rule("body", "in the? case/situation/setting of/that? <condition> ,? <lead>? <body>", lambda c, _, b: _if(c, b)),
    Rule("opener", "use/using/with row/column vectors :", lambda: None),
    Rule(
        "declarations",
        "<declaration> ,? and/, let/suppose/take/assume/set/put/choose/pick/fix/use/that? that? <declarations>",
        both,
    ),
    Rule("declarations", "<declaration>", lambda a: a),
    Rule("declaration", "the? <label> be/are <syms>", lambda *_: Clause()),
    Rule("declaration", "<main>", lambda a: a),
    Rule("declaration", "<main> for one/a/some key/index/position/class <sym>", lambda a, _: a),
    Rule("declaration", "<rel> be independent/random keys/vectors/variables", state),
    Rule("declaration", "<syms> be two/the/any? fixed/given? queries/query with <rel>", lambda _, rel: state(rel)),
    Rule("declaration", "<layer_is> , so/ie? <rel>", lambda _, rel: state(rel)),
    Rule(
        "layer_is", "the? hidden? layer/activation/units/unit/nonlinearity uses/is/are/use/has <expr>", lambda _: None
    ),
    Rule(
        "layer_is",
        "the? hidden? layer/activation/units/unit/nonlinearity uses/is/are/use/has tanh/relu/sigmoid/sigmoids",
        lambda: None,
    ),
    Rule("condition", "<layer_is> , <rel>", lambda _, rel: state(rel)),
    Rule("declaration", "<main> for some <rel>", lambda a, rel: both(a, claim(inequality(rel)))),
    Rule(
        "declaration",
        f"<main> for/with {RESTRICTED} <rel>",
        lambda a, rel: both(a, claim(inequality(rel))),
    ),
    Rule("declaration", "<sym> for <expr>", lambda x, of: claim(f"{x.signs} = {of.signs}", of=x)),
    Rule("sentence", "here <declarations>", _given_only),
    Rule("declaration", "<syms> be <entity>", describe),
    Rule(
        "declaration",
        "<syms> be <entity> and <syms> <entity>",
        lambda names, thing, others, other: both(describe(names, thing), describe(others, other)),
    ),
    Rule("declaration", "the? <label> <syms> be <props>", lambda _, names, p: declare(names, p)),
    Rule("declaration", "the? <label> be <rel>", lambda _, rel: state(rel)),
    Rule("declaration", "the? <label> are/is <rel>", lambda _, rel: state(rel)),
    Rule("declaration", "<rel> be a/an/the? <label>", lambda rel, _: state(rel)),
    Rule("declaration", "<rel> be a/an/the? <label> <tails>", lambda rel, _, tails: with_tails(state(rel), tails)),
    Rule("declaration", "<rel> be/are independent/random", state),
    Rule("declaration", "<declaration1> be/are independent/random", lambda a: a),
    Rule("declaration1", "<rel> and <rel>", lambda a, b: both(state(a), state(b))),
    Rule("declaration1", "the? <label> <rel>", lambda _, rel: state(rel)),
    Rule("declaration", "<syms> be a/an/the/some? <label>", lambda *_: Clause()),
    Rule("declaration", "an/one/some/the index/position/key <sym>", lambda _: Clause()),
    Rule("declaration", "<entity>", lambda thing: claim(*thing.given, of=thing)),
    Rule("label", "<qualifiers>? <name>", lambda *_: None),
    Rule("body", "if/when/whenever/given/provided/assuming/suppose that? <condition> ,? then <body>", _if),
    Rule(
        "body",
        "if/when/whenever/given/provided/assuming/for/with/where that? <condition> ,/:? <lead>? <body>",
        lambda c, _, b: _if(c, b),
    ),
    Rule("body", "as/so long/soon as <condition> , <lead>? <body>", lambda c, _, b: _if(c, b)),
    Rule("body", f"<condition> {ARROW} <lead>? <body>", lambda c, _, b: _if(c, b)),
    Rule(
        "body",
        "if/when/whenever/for/given <condition> ,? then? so is/are/does <np>",
        lambda condition, things: _so_is(condition, (bound_to(things, condition),)),
    ),
    Rule(
        "body",
        "if/when/whenever/for/given <condition> ,? then? <np> is/are one/so/such? too/as/also? well?",
        lambda condition, thing: _so_is(condition, (bound_to(thing, condition),)),
    ),
    Rule(
        "body",
        "if/when/whenever/for/given <condition> ,? then? <np> is/are in? general? not one/so/such? in? general?",
        lambda condition, thing: _so_is(condition, (bound_to(thing, condition),), is_negated=True),
    ),
    Rule("body", "if/when <condition> ,? then? <main> ,? and? otherwise/else <main>", _otherwise),
    Rule("body", "even if/when/though <condition> , <lead>? <body>", lambda c, _, b: even_if(b, c)),
    Rule("body", "since/because <condition> , <lead>? <body>", lambda c, _, b: _if(c, b)),
    Rule(
        "body",
        "the smaller/lower/less <np> , the <more> <np> <tails>?",
        lambda x, more, y, tails: with_tails(_comparative(x, more, y, up=False), tails or ()),
    ),
    Rule(
        "body",
        "the larger/higher/greater/bigger <np> , the <more> <np> <tails>?",
        lambda x, more, y, tails: with_tails(_comparative(x, more, y, up=True), tails or ()),
    ),
    Rule("more", "larger/higher/greater/bigger", lambda: True),
    Rule("more", "smaller/lower/less", lambda: False),
    Rule("body", "for the? <label> <rel> ,? <lead>? <body>", lambda _, rel, __, body: body.under(rel)),
    Rule(
        "body",
        "for the/a/an? <label> <rel> <tails>? ,? <lead>? <body>",
        lambda _, rel, tails, __, body: _if(with_tails(state(rel), tails or ()), body),
    ),
    Rule(
        "body", "for a/one/each/every batch/minibatch/example/input/sample <syms> ,? <lead>? <body>", lambda *a: a[-1]
    ),
    Rule(
        "body",
        "<limit> ,? <lead>? <main> ,? and/while/but/whereas <limit> ,? <lead>? <main>",
        lambda to, _, a, other, __, b: _each_limit(a, to, bind(b, a.subject), other),
    ),
    Rule(
        "body",
        "<main> ,? <limit> ,? and/while/but/whereas <main> ,? <limit>",
        lambda a, to, b, other: _each_limit(a, to, bind(b, a.subject), other),
    ),
    Rule("body", "<limit> ,? <lead>? <body>", lambda limit, _, body: body.under(limit)),
    Rule("body", "<limit> and <rel> ,? <lead>? <body>", lambda limit, rel, _, body: body.under(*together(limit, rel))),
    Rule("body", "<limit> with <condition> , <lead>? <body>", lambda limit, c, _, body: _if(c, body).under(limit)),
    Rule(
        "body",
        "<limit> and <rel> with <condition> , <lead>? <body>",
        lambda limit, rel, c, _, body: _if(c, body).under(*together(limit, rel)),
    ),
    Rule("body", "if/when/whenever/given/with/for that? <condition> <lead>? <unled>", lambda c, _, b: _if(c, b)),
    Rule("unled", "<main>", _no_bare_limit),
    Rule(
        "body",
        "for/with all/every/each/any? <entity> ,? <lead>? <body>",
        lambda thing, _, body: _leading_for(thing, body),
    ),
    Rule(
        "body",
        "for/with/given all/every/each/any? <entity> and/, all/every/each/any? <others> ,? <lead>? <body>",
        lambda thing, others, _, body: _leading_for(thing, body).under(*others),
    ),
    Rule("others", "real? <syms>", lambda _: ()),
    Rule("others", "<entity>", lambda thing: thing.given),
    Rule("others", "<rel> and/, any/all? <others>", lambda rel, more: (rel, *more)),
    Rule("others", "values/keys <syms>", lambda _: ()),
    Rule("others", "<rel>", lambda rel: (rel,)),
    Rule(
        "body",
        "for/with/given all/every/each/any <rel> and any/all/every values/keys <syms> ,? <lead>? <body>",
        lambda rel, _, __, body: body.under(rel),
    ),
    Rule(
        "body",
        "for a/any/all/fixed/given/every/each? fixed/given/real? <named_only> vector? <syms> ,? <lead>? <body>",
        lambda *a: a[-1],
    ),
    Rule(
        "body",
        "for/with all/any? <rel> real? numbers/classes/logits/scores/entries/keys/outcomes <syms>? ,? <lead>? <body>",
        lambda rel, _, __, body: body.under(rel),
    ),
    Rule("body", "for all/every/each/any? <rel> ,? <lead>? <body>", lambda rel, _, body: body.under(rel)),
    Rule("body", "for all/every/each/any real? <syms> ,? <lead>? <body>", lambda _, __, body: body),
    Rule("body", "<main>", _no_bare_limit),
    Rule("body", "<main> ,? so/hence/thus/therefore/then <lead>? <body>", lambda a, _, b: conclude(a, b)),
    Rule("body", "<main> ,? <joint> <lead>? <body>", lambda a, _, __, b: _joined(a, b)),
    Rule("body", "<main> , <lead> <body>", lambda a, _, b: _joined(a, b)),
    Rule("body", "<worded> : <lead>? <body>", lambda a, _, b: both(a, b)),
    Rule("worded", "<np> <vps> <tails>?", lambda x, vps, tails: with_tails(vps(x), tails or ())),
    Rule("body", "<main> ,? <rel>", _in_signs),
    Rule("body", "<main> ,? in the sense that <body>", lambda loose, body: body.under(*loose.given)),
    Rule("body", "for/with/if/when <plain_words> , ie/namely/that is? ,? <condition> , <lead>? <body>", _restated),
    Rule("plain_words", "<plain_word> <plain_words>", lambda *_: None),
    Rule("plain_words", "<plain_word>", lambda _: None),
    Rule(
        "plain_word",
        "soft/hard/smoothed/general/arbitrary/given/fixed/real/any/all/every/each/the/a/an/labels/label/targets/target/"
        "weights/logits/scores/keys/values/queries/query/vectors/vector/inputs/input/outputs/output/probabilities/"
        "distribution/distributions/parameters/numbers",
        lambda: None,
    ),
    Rule("joint", "and/but/so/hence/thus/therefore/although/while/whereas", lambda: None),
)
