"""The rules of all modules, in the order in which they are tried."""

from __future__ import annotations

from functools import cache

from regard.claims.syntax.prose.algebra import (
    column_spaces,
    matrices,
    matrix_actions,
    projections,
    row_operations,
    spectra,
    subspaces,
    unnamed_subspaces,
)
from regard.claims.syntax.prose.attention import (
    attending,
    attention,
    choices,
    dominance,
    existence,
    heads,
    hulls,
    key_noise,
    key_value_pairs,
    keys,
    linearity,
    noisy_keys,
    outcomes,
    queries,
    same_heads,
    score_laws,
    single_keys,
    temperatures,
    weight_ranges,
    weights,
)
from regard.claims.syntax.prose.chart import Grammar
from regard.claims.syntax.prose.english import (
    appositions,
    asides,
    called_formulas,
    cases,
    change_effects,
    changes,
    clauses,
    comparatives,
    conditions,
    definites,
    dependence,
    entity_changes,
    implications,
    lead_ins,
    limits,
    nouns,
    pairs,
    predicates,
    sentences,
    tails,
)
from regard.claims.syntax.prose.information import (
    cross_entropies,
    distributions,
    divergences,
    joined_texts,
    log_bases,
    model_claims,
    perplexity,
    random_entropies,
    score_changes,
    score_orders,
    scores,
    token_averages,
    token_values,
    units,
)
from regard.claims.syntax.prose.leaves import LEAVES
from regard.claims.syntax.prose.networks import (
    class_losses,
    gradients,
    layer_claims,
    layers,
    logit_claims,
    networks,
    softmax,
    softmax_words,
)
from regard.claims.syntax.prose.probability import (
    averaging,
    changed_variables,
    convexity,
    events,
    linear_forms,
    means,
    moments,
    random_variables,
)


@cache
def grammar() -> Grammar:
    """The rules of all modules; what names a thing with a letter first, then the field's nouns."""
    of_models = (
        joined_texts,
        log_bases,
        units,
        class_losses,
        scores,
        score_orders,
        score_changes,
        token_averages,
        token_values,
        model_claims,
        perplexity,
    )
    first = (random_entropies, cross_entropies, divergences, distributions, *of_models)
    of_keys = (
        single_keys,
        key_value_pairs,
        existence,
        heads,
        same_heads,
        queries,
        key_noise,
        temperatures,
        keys,
        attending,
        choices,
        noisy_keys,
        hulls,
        weight_ranges,
        linearity,
        dominance,
        outcomes,
        weights,
    )
    of_matrices = (
        linear_forms,
        events,
        changed_variables,
        convexity,
        means,
        moments,
        projections,
        unnamed_subspaces,
        row_operations,
        matrix_actions,
    )
    own = (
        definites,
        *of_matrices,
        averaging,
        logit_claims,
        layers,
        layer_claims,
        entity_changes,
        changes,
        change_effects,
        softmax,
        softmax_words,
        networks,
        gradients,
        *of_keys,
    )
    modules = (comparatives, column_spaces, subspaces, pairs, dependence, predicates, limits, clauses, tails)
    around = (called_formulas, lead_ins, conditions, asides, implications, cases, sentences, appositions)
    rules = (
        *(
            rule
            for one in (*first, score_laws, attention, random_variables, *own, matrices, spectra)
            for rule in one.RULES
        ),
        *nouns.PHRASES,
        *(rule for one in (*modules, *around) for rule in one.RULES),
        *comparatives.SCALES,
        *entity_changes.CHANGES,
    )
    return Grammar(rules, {**LEAVES, **token_values.LEAVES, **called_formulas.LEAVES}, greedy=("reason", "commentary"))
