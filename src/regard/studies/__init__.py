"""One question a file, Config → StudyTable."""
