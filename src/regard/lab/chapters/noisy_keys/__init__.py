"""Chapter 3: a key whose length varies, and what that does to the output."""
