"""Profiles of heads against plain loops over the model's own eager attention."""

import math

import pytest
import torch
from tests.support.pretrained import SENTENCES, STORY, ids_of

from regard.errors import NothingScoredError
from regard.pretrained.load import token_blocks
from regard.pretrained.profile import (
    HeadProfile,
    equal_length_batches,
    find_relations,
    name_kind,
    profile_heads,
    repeated_tokens,
)

FLAT = dict.fromkeys(
    [field for field in HeadProfile.__dataclass_fields__ if field not in ("layer", "head", "kind")], 0.0
)


def head(**figures):
    return HeadProfile(**{"layer": 0, "head": 0, "kind": "", **FLAT, "outlier_channels": 0, "distance": 9.0, **figures})


def loop_figures(pretrained, ids, layer, number):
    """Figures of one head over one row of ids, by loops over queries and keys."""
    with torch.no_grad():
        weights = pretrained.model(input_ids=ids, output_attentions=True).attentions[layer][0, number].double()
    marks, tokens = set(pretrained.tokenizer.all_special_ids), ids[0].tolist()
    n = len(tokens)
    found = {name: [] for name in ("entropy", "first_token", "separator", "previous", "next", "duplicate", "induction")}
    found["distance"] = []
    for query in range(n):
        reach = range(query + 1 if pretrained.is_decoder else n)
        row = {key: float(weights[query, key]) for key in reach}
        found["entropy"].append(-sum(w * math.log(w) for w in row.values() if w > 0))
        found["distance"].append(sum(w * abs(query - key) for key, w in row.items()))
        sets = {
            "first_token": {0},
            "separator": {key for key in reach if key > 0 and tokens[key] in marks},
            "previous": {query - 1},
            "next": {query + 1},
            "duplicate": {key for key in reach if key != query and tokens[key] == tokens[query]},
            "induction": {key for key in reach if key > 0 and key - 1 != query and tokens[key - 1] == tokens[query]},
        }
        for name, keys in sets.items():
            if keys & set(reach):
                found[name].append(sum(row[key] for key in keys & set(reach)))
    return {name: sum(numbers) / len(numbers) if numbers else 0.0 for name, numbers in found.items()}


def test_figures_are_those_of_plain_loops(pretrained):
    ids = ids_of(pretrained)[:, :60]
    profiles = profile_heads(pretrained, ids.tolist())
    assert [(each.layer, each.head) for each in profiles[:2]] == [(0, 0), (0, 1)]
    assert len(profiles) == pretrained.n_layers * pretrained.n_heads
    for profile in (profiles[0], profiles[-1]):
        for name, expected in loop_figures(pretrained, ids, profile.layer, profile.head).items():
            assert getattr(profile, name) == pytest.approx(expected, abs=1e-5), name


def test_norms_and_spreads_are_those_of_the_captured_arrays(minilm):
    from regard.pretrained.capture import watch_pass

    ids, seen = ids_of(minilm), []
    with torch.no_grad(), watch_pass(minilm.model, seen.append):
        minilm.model(input_ids=ids)
    number, width = 7, minilm.head_width
    profile = profile_heads(minilm, ids.tolist())[2 * minilm.n_heads + number]
    layer, weight = seen[2], minilm.attentions[2].output_weight.detach()[:, number * width : (number + 1) * width]
    keys, values = layer.keys[0, number], layer.values[0, number]
    logits = layer.queries[0, number] @ keys.T * layer.scale
    added = (values @ weight.T).norm(dim=-1) * layer.weights[0, number]
    shares = added / added.sum(-1, keepdim=True)
    assert profile.key_norm == pytest.approx(float(keys.norm(dim=-1).mean()), rel=1e-5)
    spread = keys.norm(dim=-1).std(correction=0) / keys.norm(dim=-1).mean()
    assert profile.key_norm_spread == pytest.approx(float(spread), rel=1e-4)
    assert profile.logit_spread == pytest.approx(float(logits.std(dim=-1, correction=0).mean()), rel=1e-4)
    assert profile.output_norm == pytest.approx(
        float((layer.outputs[0, number] @ weight.T).norm(dim=-1).mean()), rel=1e-4
    )
    assert profile.sink_by_norm == pytest.approx(float((shares[:, 0] + shares[:, -1]).mean()), rel=1e-4)


def test_texts_of_different_lengths_weigh_by_their_queries(gpt2):
    blocks = token_blocks(gpt2, SENTENCES)
    together = profile_heads(gpt2, blocks)
    alone = [profile_heads(gpt2, [block]) for block in blocks]
    mean = sum(each[1].entropy * len(block) for each, block in zip(alone, blocks, strict=True)) / sum(map(len, blocks))
    assert together[1].entropy == pytest.approx(mean, rel=1e-6)


def test_induction_is_found_on_random_tokens(gpt2):
    """A head that reads the key after the earlier occurrence of its token has the score one."""
    ids = torch.tensor([[5, 6, 7, 5, 6, 7]])
    relations = find_relations(ids, marks=torch.tensor([0]), is_decoder=True)
    place = relations.names.index("induction")
    expected = torch.zeros(6, 6)
    expected[3, 1] = expected[4, 2] = expected[5, 3] = 1
    assert torch.equal(relations.table[place, 0], expected)
    assert relations.n_queries[place] == 3
    for block in repeated_tokens(gpt2):
        assert len(block) == 64
        assert block[:32] == block[32:]
        assert not set(block) & set(gpt2.tokenizer.all_special_ids)


def test_batches_are_rectangles_of_a_bounded_size():
    blocks = [[1] * 512] * 3 + [[2] * 20] * 500
    batches = list(equal_length_batches(blocks))
    assert sum(len(batch) for batch in batches) == 503
    assert all(batch.numel() <= 4096 and len(batch) * batch.shape[1] ** 2 <= 512**2 for batch in batches)


@pytest.mark.parametrize(
    ("figures", "kind"),
    [
        ({"induction_random": 0.4, "previous": 0.9}, "induction"),
        ({"previous": 0.4}, "previous token"),
        ({"next": 0.4}, "next token"),
        ({"same": 0.4}, "same token"),
        ({"duplicate": 0.4}, "duplicate token"),
        ({"first_token": 0.3, "separator": 0.2}, "sink"),
        ({"largest_weight": 0.6}, "one token"),
        ({"distance": 3.0}, "near tokens"),
        ({"previous": 0.39}, "broad"),
    ],
)
def test_kinds(figures, kind):
    assert name_kind(head(**figures)) == kind


def test_nothing_to_read(gpt2):
    with pytest.raises(NothingScoredError, match="there is no token to look at"):
        profile_heads(gpt2, [])


def test_trained_heads_do_what_trained_heads_do(minilm, stories):
    """MiniLM has heads that read the next token, stories260k heads that read the previous one."""
    encoder = profile_heads(minilm, token_blocks(minilm, SENTENCES))
    decoder = profile_heads(stories, token_blocks(stories, [STORY]))
    assert "next token" in {each.kind for each in encoder}
    assert sum(each.kind == "previous token" for each in decoder) >= 4
    assert max(each.next for each in decoder) == 0
