"""A small setting for tests: any numbers, and one standard normal."""

from regard.claims.meaning.setting import setting_from_text

NUMBERS = setting_from_text(
    """
    name = "numbers"
    counts = "n"
    sizes = [{ n = 2 }, { n = 4 }]
    [[symbols]]
    name = "x"
    shape = ["n", 1]
    law = "normal"
    meaning = "any numbers"
    [[symbols]]
    name = "t"
    shape = [1, 1]
    law = "normal"
    meaning = "any number"
    [[symbols]]
    name = "z"
    shape = [1, 1]
    law = "noise"
    random = true
    meaning = "standard normal"
    """,
    source="numbers",
)
