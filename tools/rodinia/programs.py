# SPDX-License-Identifier: Apache-2.0
"""Rodinia's programs in CUDA: their sources, as in a folder of the suite, and what they are run with. Input files are
made here, the same each time, because the suite's own data are a download apart. Used by __main__.py."""

import random
from dataclasses import dataclass, field

TIMES = r"(?i)time|second|took|execution|back:|\d (?:us|ms|s)\b|elapsed"  # lines of output that differ from run to run


@dataclass
class Program:
    name: str
    folder: str  # below cuda/
    sources: tuple
    arguments: tuple = ()
    flags: tuple = ()
    inputs: dict = field(default_factory=dict)  # file in the folder where it runs: function that returns its content
    why_not_run: str = ""


def graph(nodes=65536, degree=6):
    """bfs: nodes with the start and number of their edges, the source, edges with their costs."""
    chance = random.Random(7)
    lines = [str(nodes), *(f"{degree * node} {degree}" for node in range(nodes)), "", "0", "", str(nodes * degree)]
    lines += [f"{chance.randrange(nodes)} {chance.randrange(1, 10)}" for _ in range(nodes * degree)]
    return "\n".join(lines) + "\n"


def numbers(count, low, high):
    def made():
        chance = random.Random(7)
        return "".join(f"{chance.uniform(low, high):.6f}\n" for _ in range(count))
    return made


def storms(count=10000):
    """nn: records of 49 bytes, with the latitude and longitude at fixed places."""
    chance = random.Random(7)
    return "".join(f"{chance.randrange(1950, 2005):4} {chance.randrange(1, 13):2} {chance.randrange(1, 29):2} "
                   f"{6 * chance.randrange(4):2} {chance.randrange(1, 29):2} {'STORM':<9} "
                   f"{chance.uniform(7, 70):5.1f} {chance.uniform(0, 358):5.1f} {chance.randrange(10, 165):4} "
                   f"{chance.randrange(900):4}\n" for _ in range(count))


def image(rows=458, columns=502):
    chance = random.Random(7)
    lines = ["P2", f"{columns} {rows}", "255"]
    lines += [" ".join(str(chance.randrange(1, 256)) for _ in range(columns)) for _ in range(rows)]
    return "\n".join(lines) + "\n"


def text(bytes_in_all=1 << 20):
    chance = random.Random(7)
    return "".join(chance.choices("abcdefgh", (64, 32, 16, 8, 4, 2, 1, 1), k=bytes_in_all))


def keys(count=10000):
    return "\n".join([str(count), *map(str, range(count))]) + "\n"


def pixels(side=1024):
    """dwt2d: three bytes a pixel."""
    return random.Random(7).randbytes(3 * side * side)


def mesh(columns=256, rows=192):
    """cfd: squares of side 1. Of each its area, and for each neighbour the number, from 1, and the normal outward; -1
    for a neighbour far away, 0 for a wing, which stands in the middle."""
    wing = range(rows // 3 * columns + columns // 3, rows // 3 * columns + columns // 2)
    lines = [str(columns * rows)]
    for at in range(columns * rows):
        row, column = divmod(at, columns)
        sides = (("1 0 0", at + 2 if column + 1 < columns else -1), ("-1 0 0", at if column > 0 else -1),
                 ("0 1 0", at + 1 + columns if row + 1 < rows else -1), ("0 -1 0", at + 1 - columns if row > 0 else -1))
        words = [f"{0 if at in wing and normal == '0 1 0' else neighbour} {normal}" for normal, neighbour in sides]
        lines.append(" ".join(["1", *words]))
    return "\n".join(lines) + "\n"


PROGRAMS = (
    Program("backprop", "backprop", ("backprop.c", "facetrain.c", "imagenet.c", "backprop_cuda.cu"), ("65536",)),
    Program("bfs", "bfs", ("bfs.cu",), ("graph.txt",), inputs={"graph.txt": graph}),
    Program("b+tree", "b+tree", ("main.c", "kernel/kernel_gpu_cuda_wrapper.cu", "kernel/kernel_gpu_cuda_wrapper_2.cu",
                                 "util/timer/timer.c", "util/num/num.c", "util/cuda/cuda.cu"),
            ("file", "keys.txt", "command", "command.txt"),
            inputs={"keys.txt": keys, "command.txt": lambda: "j 6000 3000\nk 10000\n"}),
    Program("cfd", "cfd", ("euler3d.cu",), ("mesh",), ("-I../hybridsort",), {"mesh": mesh}),
    Program("dwt2d", "dwt2d", ("main.cu", "dwt.cu", "components.cu", "dwt_cuda/common.cu", "dwt_cuda/fdwt53.cu",
                               "dwt_cuda/fdwt97.cu", "dwt_cuda/rdwt53.cu", "dwt_cuda/rdwt97.cu"),
            ("pixels", "-d", "1024x1024", "-f", "-5", "-l", "3"), ("-I.", "-Idwt_cuda", "-DOUTPUT"),
            {"../../data/dwt2d/pixels": pixels}),
    Program("gaussian", "gaussian", ("gaussian.cu",), ("-s", "256")),
    Program("heartwall", "heartwall", ("main.cu", "AVI/avilib.c", "AVI/avimod.c"), flags=("-IAVI",),
            why_not_run="it needs the suite's film"),
    Program("hotspot", "hotspot", ("hotspot.cu",), ("512", "2", "40", "temp", "power", "out"),
            inputs={"temp": numbers(512 * 512, 320, 340), "power": numbers(512 * 512, 0, 0.01)}),
    Program("hotspot3D", "hotspot3D", ("3D.cu",), ("512", "8", "100", "power", "temp", "out"),
            inputs={"temp": numbers(512 * 512 * 8, 320, 340), "power": numbers(512 * 512 * 8, 0, 0.01)}),
    Program("hybridsort", "hybridsort", ("main.cu", "bucketsort.cu", "mergesort.cu"), ("r",)),
    Program("huffman", "huffman", ("main_test_cu.cu", "vlc_kernel_sm64huff.cu", "scan.cu", "pack_kernels.cu",
                                   "cpuencode.cpp", "stats_logger.cpp"), ("text",),
            ("-DTESTING", "-DCACHECWLUT"), {"text": text}),
    Program("kmeans", "kmeans", ("kmeans_cuda.cu", "kmeans.c", "cluster.c", "getopt.c", "kmeans_clustering.c",
                                 "rmse.c")),
    Program("lavaMD", "lavaMD", ("main.c", "kernel/kernel_gpu_cuda_wrapper.cu", "util/num/num.c", "util/timer/timer.c",
                                 "util/device/device.cu"), ("-boxes1d", "10"), ("-DOUTPUT",)),
    Program("leukocyte", "leukocyte/CUDA", ("find_ellipse_kernel.cu", "track_ellipse_kernel.cu")),
    Program("lud", "lud/cuda", ("lud.cu", "lud_kernel.cu", "../common/common.c"), ("-s", "512", "-v"),
            ("-I../common",)),
    Program("mummergpu", "mummergpu/src", ("mummergpu.cu",), flags=("-I.",)),
    Program("myocyte", "myocyte", ("main.cu",),
            why_not_run="its results differ from run to run: it computes with memory that it does not initialize"),
    Program("nn", "nn", ("nn_cuda.cu",), ("list", "-r", "5", "-lat", "30", "-lng", "90"),
            inputs={"list": lambda: "storms.db\n", "storms.db": storms}),
    Program("nw", "nw", ("needle.cu",), ("2048", "10"), ("-DTRACEBACK",)),
    Program("particlefilter_naive", "particlefilter", ("ex_particle_CUDA_naive_seq.cu",),
            ("-x", "128", "-y", "128", "-z", "10", "-np", "1000")),
    Program("particlefilter_float", "particlefilter", ("ex_particle_CUDA_float_seq.cu",),
            ("-x", "128", "-y", "128", "-z", "10", "-np", "1000")),
    Program("pathfinder", "pathfinder", ("pathfinder.cu",), ("100000", "100", "20"), ("-DBENCH_PRINT",)),
    Program("srad_v1", "srad/srad_v1", ("main.cu",), ("100", "0.5", "502", "458"),
            inputs={"../../../data/srad/image.pgm": image}),
    Program("srad_v2", "srad/srad_v2", ("srad.cu",), ("512", "512", "0", "127", "0", "127", "0.5", "20"),
            ("-DOUTPUT",)),
    Program("streamcluster", "streamcluster", ("streamcluster_cuda_cpu.cpp", "streamcluster_cuda.cu",
                                               "streamcluster_header.cu"),
            ("10", "20", "256", "8192", "8192", "1000", "none", "output.txt", "1")),
)
