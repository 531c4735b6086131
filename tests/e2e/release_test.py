#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Black-box test of samples/release: memory is free again while the kernel runs. usage: release_test.py RELEASE"""
import re, subprocess, sys

out = subprocess.run([sys.argv[1], "128"], capture_output=True, text=True, timeout=60)
before, used, given, after = figures = [int(text) for text in re.findall(r"(\d+) MiB", out.stdout)]
near = lambda one, other: abs(one - other) <= 16  # other programs use the device, too
right = [out.returncode == 0, near(used, before - 128), near(given, before - 2), near(after, before)]
print(figures, out.stderr, f"\n{sum(right)} passed, {len(right) - sum(right)} failed")
sys.exit(not all(right))
