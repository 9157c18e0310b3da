"""Queries that copy, average and mix; the scale they need; what no query can reach; queries that withstand noise."""

from __future__ import annotations

from regard.design.queries import Family, QueryDesign, average, copy, mix
from regard.design.reach import HullBound, Reach, Tie, hull_bound, reachability
from regard.design.robust_queries import RobustDesign, robust
from regard.design.scales import average_scale, copy_scale, logit_gap, outside_weight, smallest_scale

__all__ = [
    "Family",
    "HullBound",
    "QueryDesign",
    "Reach",
    "RobustDesign",
    "Tie",
    "average",
    "average_scale",
    "copy",
    "copy_scale",
    "hull_bound",
    "logit_gap",
    "mix",
    "outside_weight",
    "reachability",
    "robust",
    "smallest_scale",
]
