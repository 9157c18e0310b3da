"""Preparation: each step by hand, and where every character came from."""

import numpy as np
import pytest

from regard.errors import ValueRangeError
from regard.text.normalise.prepare import STEPS, prepare

CASES = {
    "lower": [("ABc Δ", "abc δ"), ("İX", "i̇x"), ("ΟΔΟΣ", "οδος")],
    "fold-unicode": [
        ("naïve Māori", "naive Maori"),
        ("“It’s” – no… — ﬁne œuvre ½", '"It\'s" - no... -- fine oeuvre 1/2'),
        ("e\u0301 é\u0301 \u00a0x", "e e  x"),
        ("\u0301a", "a"),
        ("и\u0306 слово 中", "и\u0306 слово 中"),
        ("so\u00adft\u200b", "soft"),
        ("¨", "¨"),
    ],
    "digits": [("1,250 men in 1990s, 3.5%", "DGDGDGDG men in 1990s, DG.DG%"), ("(12)", "(DGDG)"), (",1,", ",DG,")],
    "digits-n": [("1,250 men in 1990s, 3.5%", "N men in 1990s, N%"), ("(12–13) 12:30", "(N–N) N"), (".5", "N")],
    "join-lines": [("a\nb \r\n c\n\nd\n", "a b c\n\nd\n"), ("\na", "\na"), ("a\n \nb", "a\n \nb")],
    "split-lines": [
        ("He went. She came!  Who? 'I.' Mr. J. Doe of the U.S. army.", None),
        ("no. 5 is it. it is", "no. 5 is it.\nit is"),
        ("He said. it goes", "He said. it goes"),
        ('"Go." (Then) he... Went', '"Go."\n(Then) he...\nWent'),
    ],
    "split-words": [
        ('He said, "I can\'t."', 'He said , " I ca n\'t . "'),
        ("the dogs' $1,250; it's 12:30 (Mr. Smith's) cannot...", None),
        ("'Tis the '80s 'quoted' <unk>. So am I.", "'Tis the '80s ' quoted ' <unk> . So am I ."),
        ("it ended. it began, again.", "it ended . it began , again ."),
        ("Ended.$5", "Ended . $ 5"),
        ("don’t", "do n’t"),
    ],
    "drop-punctuation": [("a , b . $ & ' -- c.", "a b $ & ' c."), ("( x )", "x ")],
    "squeeze-spaces": [("  a \t b\u00a0c  \n\n d", "a b c\n\nd"), ("   ", "")],
}
LONGER = {
    ("split-lines", 0): "He went.\nShe came!\nWho?\n'I.'\nMr. J. Doe of the U.S. army.",
    ("split-words", 1): "the dogs ' $ 1,250 ; it 's 12:30 ( Mr. Smith 's ) can not ...",
}


@pytest.mark.parametrize(
    ("step", "text", "expected"),
    [
        (step, text, LONGER[step, i] if expected is None else expected)
        for step, cases in CASES.items()
        for i, (text, expected) in enumerate(cases)
    ],
)
def test_each_step_by_hand(step, text, expected):
    prepared = prepare(text, [step])
    assert prepared.text == expected
    assert prepared.original == text
    assert prepared.steps == (step,)
    assert prepare(expected, [step]).text == expected


def test_every_step_has_a_case_and_help():
    assert set(CASES) == set(STEPS)
    assert all(step.help for step in STEPS.values())


def test_segments_say_what_became_of_what():
    prepared = prepare("It’s 1,250.", ["fold-unicode", "split-words", "lower", "digits"])
    assert prepared.text == "it 's DGDGDGDG ."
    assert list(prepared.segments()) == [
        *[("I", "i"), ("t", "t"), ("", " "), ("’", "'"), ("s ", "s ")],
        *[("1", "DG"), (",", ""), ("2", "DG"), ("5", "DG"), ("0", "DG")],
        *[("", " "), (".", ".")],
    ]


def test_nothing_to_do_leaves_one_segment():
    prepared = prepare("abc", ["lower", "squeeze-spaces"])
    assert prepared.original_bounds.tolist() == prepared.text_bounds.tolist() == [0, 3]
    empty = prepare("", list(STEPS))
    assert empty.text_bounds.tolist() == empty.original_bounds.tolist() == [0]


def test_places_lead_back_to_the_original():
    prepared = prepare("ab 12 c", ["digits"])
    assert prepared.text == "ab DGDG c"
    assert prepared.original_places(np.arange(10)).tolist() == [0, 1, 2, 3, 4, 4, 5, 5, 6, 7]


def test_an_unknown_step_is_named_with_those_that_exist():
    with pytest.raises(ValueRangeError) as caught:
        prepare("a", ["lower", "uper"])
    assert str(caught.value) == f"there is no preparation step 'uper'; choose from {', '.join(STEPS)}"
