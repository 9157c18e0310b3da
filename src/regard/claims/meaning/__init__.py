"""Tree → typed statements in a setting: what each symbol stands for, which shape it has, what is claimed."""
