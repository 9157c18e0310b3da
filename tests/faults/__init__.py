"""Faults on purpose: what becomes of hostile input, damaged files and processes that are ended anywhere."""
