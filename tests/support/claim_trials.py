"""A claim made ready to be tried: what the tests of verdicts share."""

from regard.claims.meaning.definitions import compile_setting
from regard.claims.meaning.setting import find_setting
from regard.claims.meaning.statements import interpret_claim
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import ReadingPath
from regard.claims.trial.trials import Trials


def ready(text, setting="attention"):
    """The trials of a claim in a setting, and its first statement."""
    compiled = compile_setting(find_setting(setting))
    trials = Trials(interpret_claim(parse(text), compiled, None, ReadingPath()))
    return trials, trials.task.statements[0]
