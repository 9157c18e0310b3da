"""The lab's server: its routes, who may ask what, and the chapters as marimo apps."""
