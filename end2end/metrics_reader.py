"""Reads metrics as Prometheus does (prometheus_client), from standard input, and prints them as JSON: the name of each
sample that there can be, with the labels that it was seen with.
"""

import json
import sys

from prometheus_client.parser import text_string_to_metric_families

ENDINGS = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_sum", "_count"]}

samples = {}
for family in text_string_to_metric_families(sys.stdin.read()):
    assert family.type in ENDINGS, f"{family.name} is of no type that we use"
    assert family.documentation, f"{family.name} says nothing of itself"
    for ending in ENDINGS[family.type]:
        assert family.name + ending not in samples, f"{family.name} is there twice"
        samples[family.name + ending] = []
    for sample in family.samples:
        labels = samples[sample.name]
        labels.extend(name for name in sample.labels if name not in labels)
json.dump(samples, sys.stdout)
