"""Chapter 6: text letter by letter, and the surprise of each."""
