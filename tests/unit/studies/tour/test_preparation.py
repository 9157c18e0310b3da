"""The last question of part E: what preparation does, seemingly and really, on tiny models."""


def test_the_answer_keeps_the_rules(keeps_the_rules):
    keeps_the_rules("E3")


def test_a_seeming_improvement_is_told_from_a_real_one(answer):
    found = answer("E3")
    for row in found.tables[0].rows:
        *_, perplexity_before, perplexity_after, bits_before, bits_after, verdict = row
        if verdict == "real":
            assert perplexity_after < perplexity_before
            assert bits_after < bits_before
        if verdict == "seeming only":
            assert perplexity_after < perplexity_before
            assert bits_after >= bits_before
    assert {"seeming only", "real"} <= {row[-1] for row in found.tables[0].rows}
