"""Small texts to train on, written for the tests."""

_SUBJECTS = ["the sea", "the ship", "the old sailor", "a gull", "the wind", "the captain"]
_VERBS = ["is", "sings to", "knows", "waits for", "turns from", "follows"]
_OBJECTS = ["the shore", "the deep", "the stars", "an island", "the storm", "the morning", "him"]

VERSE = "".join(
    f"{_SUBJECTS[(i * i + 1) % 6]} {_VERBS[(i + i // 5) % 6]} {_OBJECTS[(3 * i + i // 4) % 7]}{'.' if i % 3 else ','}\n"
    for i in range(60)
)
