"""A few sentences about a king and a prince, whose words are easily counted."""

SENTENCES = ["The king is old.", "The prince is young.", "A king was here.", "A *prince* was there!", "Who is old?"]
