"""`regard train`: language models, classifiers and word vectors from texts; one file for each family."""

from __future__ import annotations

from regard.cli.app import example, new_app
from regard.cli.train import averaging, bigram, glove, mixture, network, ngram

app = new_app(
    "Train a model on a text and write it to a folder.",
    epilog=example(
        "regard train ngram --text python-manual --out manual",
        "regard train bigram --text book.txt --out book --vocabulary 2000",
    ),
)
app.command(
    "ngram",
    short_help="A model that counts: Kneser–Ney, or a mixture of all orders.",
    epilog=example(
        "regard train ngram --text python-manual --out manual",
        "regard train ngram --text ptb/train --valid ptb/valid --out ptb5 --unit word --method kneser-ney --order 5",
    ),
)(ngram.train_ngram)
app.command(
    "bigram",
    short_help="A network that reads one word and predicts the next.",
    epilog=example(
        "regard train bigram --text python-manual --out manual2 --figure loss.png",
        "regard train bigram --text ptb --valid ptb/valid --out ptb2 --vectors glove --trainer sgd --resume",
        "regard train bigram --check-gradients",
    ),
)(bigram.train_bigram)
app.command(
    "recurrent",
    short_help="A network with a state that is carried from character to character.",
    epilog=example(
        "regard train recurrent --text python-manual --out manual-rnn --preset course",
        "regard train recurrent --text book.txt --out book-rnn --minutes 10 --figure loss.png",
        "regard train recurrent --text book.txt --out book-rnn --minutes 10 --resume",
    ),
)(network.train_recurrent)
app.command(
    "transformer",
    short_help="A network that attends to earlier characters.",
    epilog=example(
        "regard train transformer --text python-manual --out manual-tf --preset small",
        "regard train transformer --text book.txt --out book-tf --minutes 10 --figure loss.png",
        "torchrun --nproc-per-node 2 -m regard train transformer --text book.txt --out book-tf",
    ),
)(network.train_transformer)
app.command(
    "mixture",
    short_help="Several models at once, weighed by what each is good at.",
    epilog=example(
        "regard train ngram --text book.txt --out book-ngram",
        "regard train recurrent --text book.txt --out book-rnn",
        "regard train mixture book-ngram book-rnn --text book.txt --out book-mixed",
    ),
)(mixture.train_mixture)
app.command(
    "averaging",
    short_help="A classifier that averages the words of a text.",
    epilog=example(
        "regard train averaging --out films",
        "regard train averaging --data reviews.csv --out mine --form classic --layers 2 --dropout 0.3",
        "regard train averaging --data imdb --test 0.1 --out imdb-model --vectors glove",
        "torchrun --nproc-per-node 2 -m regard train averaging --data imdb --out imdb-model",
    ),
)(averaging.train_averaging)
app.command(
    "glove",
    short_help="Word vectors, learnt from which words stand near each other.",
    epilog=example("regard train glove --text python-manual --out vectors.txt --width 50"),
)(glove.train_glove)
