# SPDX-License-Identifier: Apache-2.0
"""The layers of include/genesys/detail, one in each folder, and which layer may include which.

A header of a layer includes headers of its own and of lower layers. The public headers that layers include use only
the lowest layers. The host's side (src/) shares with the calling side only what crosses the link.
"""

import re

PUBLIC = "include/genesys/"
DETAIL = PUBLIC + "detail/"
# The lowest first.
LAYERS = ("target", "table", "wire", "lanes", "libc", "schedule", "service", "queue", "staging", "team", "uring", "ops")
HOST_MAX = "wire"  # the highest layer that src/ may include
# A file or a folder of src/: the higher layers that it may include as an exception, with the reason.
HOST_EXCEPTIONS = {"src/schedule/driver/raiser_kernel.cpp": {"schedule"},  # a kernel
                   "src/service/loaded_": {"service"}}  # files with services that are loaded: what they hold
# Public headers that include only the lowest layer: the lowest layer that may include them.
PUBLIC_BASE = {"error.h": "target", "options.h": "target", "linux_types.h": "target", "memory.h": "target",
               "service_buffer.h": "target", "service_member.h": "target", "kernel.h": "lanes"}
CPP = (".h", ".cpp", ".cu")

INCLUDE = re.compile(r'\s*#\s*include\s*[<"](genesys/[^>"]+)[>"]')


def height(layer):
    return LAYERS.index(layer)


def layer_of(path):
    """The layer of include/genesys/detail/LAYER/...; None for a file in detail/ itself or outside of it."""
    rest = path[len(DETAIL):].split("/") if path.startswith(DETAIL) else []
    return rest[0] if len(rest) > 1 else None


def is_layered(project):
    """Whether the project has headers in layers. (The projects of tests need not.)"""
    return any(layer_of(name) in LAYERS for name in project.files)


def from_layer(layer, included):
    """What is wrong with an include in a header of a layer, or None."""
    to, public = layer_of(PUBLIC + included), "/" not in included
    if to in LAYERS and height(to) > height(layer):
        return f"detail/{layer}/ includes detail/{to}/, which is a higher layer"
    if public and included not in PUBLIC_BASE:
        return f"detail/{layer}/ includes {included}, which stands above all layers"
    if public and height(PUBLIC_BASE[included]) > height(layer):
        return f"detail/{layer}/ includes {included}, which only {PUBLIC_BASE[included]} and higher layers may"
    return None


def from_public(header, included):
    to, public = layer_of(PUBLIC + included), "/" not in included
    if to in LAYERS and to != LAYERS[0]:
        return f"{header} may include no layer but {LAYERS[0]}, and includes detail/{to}/"
    if public and included not in PUBLIC_BASE:
        return f"{header} includes {included}, which stands above all layers"
    return None


def from_host(name, included):
    to = layer_of(PUBLIC + included)
    allowed = {layer for part, layers in HOST_EXCEPTIONS.items() for layer in layers if name.startswith(part)}
    if to in LAYERS and height(to) > height(HOST_MAX) and to not in allowed:
        return f"src/ includes detail/{to}/, which is above {HOST_MAX}: HOST_EXCEPTIONS in tools/tidy has none for it"
    return None


def complaints(project, name):
    """Yields (line number, complaint) for one file."""
    if not name.endswith(CPP) or not name.startswith((PUBLIC, "src/")):
        return
    layer = layer_of(name)
    if layer and layer not in LAYERS and (layer != "generated" or is_layered(project)):
        yield 1, f"detail/{layer}/ is no layer of tools/tidy/layers.py"
    if name.startswith(DETAIL) and not layer and is_layered(project):
        yield 1, f"a header of detail/ lies in a layer: {', '.join(LAYERS)}"
    for number, line in enumerate((project.text(name) or "").split("\n"), 1):
        include = INCLUDE.match(line)
        if not include:
            continue
        included = include[1].removeprefix("genesys/")
        wrong = None
        if layer in LAYERS:
            wrong = from_layer(layer, included)
        elif name.removeprefix(PUBLIC) in PUBLIC_BASE:
            wrong = from_public(name.removeprefix(PUBLIC), included)
        elif name.startswith("src/"):
            wrong = from_host(name, included)
        if wrong:
            yield number, wrong
