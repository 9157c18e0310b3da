"""`regard` with a preset `tiny` for both families of networks; run as a script, it is the command itself."""

import sys

from regard.cli.main import main
from regard.training.network.recurrent import RECURRENT_PRESETS, RecurrentPreset, RecurrentRecipe
from regard.training.network.schedule import ScheduleConfig
from regard.training.network.transformer import TRANSFORMER_PRESETS, TransformerPreset, TransformerRecipe

RECURRENT = RecurrentPreset(
    RecurrentRecipe(cell="gru", width=16, embedding=8, contexts=3, context_width=8, n_rows=5, length=20),
    ScheduleConfig(learning_rate=0.01, steps=40, checkpoints=4),
)
TRANSFORMER = TransformerPreset(
    TransformerRecipe(width=16, layers=1, heads=2, hidden=24, context=16, stride=8, n_rows=4, dropout=0.1),
    ScheduleConfig(learning_rate=0.01, steps=40, checkpoints=4, average=0.9),
)
RECURRENT_PRESETS["tiny"] = RECURRENT
TRANSFORMER_PRESETS["tiny"] = TRANSFORMER

if __name__ == "__main__":
    sys.exit(main())
