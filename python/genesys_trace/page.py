# SPDX-License-Identifier: Apache-2.0
"""Plots as a page that stands alone: plotly's script is inside, and the page's policy forbids the browser to load
anything else. A reader can zoom, hover, and choose calls.
"""

import html
from itertools import cycle

import plotly.graph_objects as go
import plotly.offline
from plotly.subplots import make_subplots

from .compare_text import shown
from .curves import CALL_COLOURS, CASE_COLOURS, KIND_COLOURS, by_class, curve, left_out_note

BARS_MAX = 40
# The script of plotly makes styles, and pictures of what it has drawn.
_POLICY = ("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
           "font-src data:")
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 1250px; padding: 0 1rem; color: #222; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 0; }
p { max-width: 60rem; margin: 0.4rem 0; } pre { font-size: 13px; overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
td:last-child { white-space: normal; min-width: 16rem; }
th:first-child, td:first-child, .text, th:nth-child(2), th:nth-child(3), th:last-child { text-align: left; }
"""
_HOVER = "<b>%{fullData.name}</b>: %{customdata}<extra></extra>"
_CONFIG = {"displaylogo": False, "responsive": True}


def _ticks(low_ns, high_ns):
    """Of an axis with times, which is logarithmic."""
    steps = (1, 2, 5) if high_ns < 300 * low_ns else (1,)
    values = [step * 10.0 ** power for power in range(13) for step in steps]
    return {"type": "log", "tickvals": values, "ticktext": [shown(ns) for ns in values],
            "minor": {"dtick": "D1", "showgrid": True, "gridcolor": "#f4f4f4"}}


def plot(case, notes, path):
    """Bars and histograms of one case."""
    parts = [_paragraphs(notes), "<h2>How often, and how long</h2>",
             "<p>Colours say what a call works on; a click on one in the legend hides its calls.</p>", _bars(case)]
    parts.append("<p>The histograms end at the 99th percentile; the curve beside each is the tail beyond it: which "
                 "share of the calls is longer. Triangles are peaks. A click on a call in a legend hides it, a double "
                 "click shows it alone.</p>")
    for of_class, calls, left_out in by_class(case.by_name):
        parts += [f"<h2>{html.escape(of_class + left_out_note(left_out))}</h2>", _class(calls)]
    parts += ["<h2>All calls</h2>", _table(case.by_name)]
    _write(path, case.name, parts)


def plot_comparison(cases, found, report, path):
    """The distributions of calls above each other. `found`: names of calls, each with its heading."""
    parts = ["<p>A row a case; lighter bars are the tail beyond the 99th percentile, triangles are peaks.</p>"]
    for name, heading in found.items():
        parts += [f"<h2>{html.escape(heading)}</h2>", _rows(cases, name)]
    parts += ["<h2>Report</h2>", f"<pre>{html.escape(report)}</pre>"]
    _write(path, " and ".join(case.name for case in cases), parts)


def _write(path, title, parts):
    title = html.escape(title)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
                   f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
                   f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
                   f"<style>{_STYLE}</style>\n<script>{plotly.offline.get_plotlyjs()}</script></head>\n"
                   f"<body><h1>{title}</h1>\n" + "\n".join(parts) + "\n</body></html>\n")


def _paragraphs(notes):
    return "".join(f"<p>{html.escape(note)}</p>" for note in notes)


def _html(figure, height):
    figure.update_layout(template="plotly_white", height=height, margin={"l": 10, "r": 10, "t": 80, "b": 10})
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    return figure.to_html(full_html=False, include_plotlyjs=False, config=_CONFIG)


def _bars(case):
    figure = make_subplots(1, 2, horizontal_spacing=0.14,
                           subplot_titles=("Calls", "Time in Linux"))
    for column, value in ((1, lambda of: of.calls), (2, lambda of: of.total_ns / 1e9)):
        all_of = sorted((of for of in case.by_name.values() if value(of)), key=value, reverse=True)
        total = sum(value(of) for of in all_of)
        shown_of = all_of[:BARS_MAX]
        for kind, colour in KIND_COLOURS.items():
            of_kind = [of for of in shown_of if of.kind == kind]
            texts = [f"{of.calls:,} calls, {of.failed:,} failed<br>{shown(of.total_ns)} in Linux<br>"
                     f"{100 * value(of) / total:.2f} % of all<br>{_quantiles(of)}" for of in of_kind]
            figure.add_bar(y=[of.name for of in of_kind], x=[value(of) for of in of_kind], orientation="h", name=kind,
                           legendgroup=kind, showlegend=column == 1, marker_color=colour, row=1, col=column,
                           customdata=texts, hovertemplate="<b>%{y}</b><br>%{customdata}<extra></extra>")
        figure.update_yaxes(categoryorder="array", categoryarray=[of.name for of in reversed(shown_of)], row=1,
                            col=column)
    figure.update_xaxes(tickformat=",", row=1, col=1)
    figure.update_xaxes(tickformat="~s", ticksuffix="s", row=1, col=2)
    axes = [{"xaxis.type": kind, "xaxis2.type": kind} for kind in ("linear", "log")]
    figure.update_layout(barmode="stack", legend={"orientation": "h", "x": 0.3, "y": 1, "yanchor": "bottom"},
                         updatemenus=[_buttons(("linear", [{}, axes[0]]), ("logarithmic", [{}, axes[1]]))])
    return _html(figure, 150 + 19 * min(BARS_MAX, len(case.by_name)))


def _buttons(*named):
    return {"type": "buttons", "direction": "right", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom",
            "pad": {"b": 20}, "showactive": True,
            "buttons": [{"label": label, "method": "update", "args": args} for label, args in named]}


def _quantiles(of):
    if not of.timed:
        return "times are not known"
    values = of.quantiles([0.5, 0.99, 0.999])
    return ", ".join(f"{name} {shown(ns)}" for name, ns in zip(("p50", "p99", "p99.9"), values))


def _class(calls):
    figure = make_subplots(1, 2, column_widths=[0.72, 0.28], horizontal_spacing=0.07,
                           subplot_titles=("", "beyond the 99th percentile"))
    drawn = [curve(of) for of in calls]
    for colour, of, one in zip(CALL_COLOURS, calls, drawn):
        spans = [f"{shown(begin)} to {shown(end)}: {percent:.2f} %"
                 for begin, end, percent in zip(one.edges_ns, one.edges_ns[1:], one.percent)]
        common = {"legendgroup": of.name, "line_color": colour, "name": of.name}
        figure.add_scatter(x=one.edges_ns, y=[*one.percent, 0], line_shape="hv", mode="lines", row=1, col=1,
                           customdata=[*spans, ""], hovertemplate=_HOVER, **common)
        figure.add_scatter(x=[ns for ns, *_ in one.peaks], y=[height for *_, height in one.peaks], mode="markers",
                           legendgroup=of.name, showlegend=False, name=of.name, row=1, col=1,
                           marker={"symbol": "triangle-down", "size": 11, "color": colour,
                                   "line": {"color": "white", "width": 1}},
                           customdata=[f"peak at {shown(ns)}, with {share:.0%} of the calls"
                                       for ns, share, _ in one.peaks], hovertemplate=_HOVER)
        if len(one.tail_ns):
            figure.add_scatter(x=one.tail_ns, y=one.beyond, line_shape="hv", mode="lines+markers", showlegend=False,
                               marker_size=3, row=1, col=2, customdata=[shown(ns) for ns in one.tail_ns],
                               hovertemplate="<b>%{fullData.name}</b>: %{y:.4g} % are longer than %{customdata}"
                                             "<extra></extra>",
                               **common)
    figure.update_xaxes(row=1, col=1, **_ticks(min(one.edges_ns[0] for one in drawn),
                                               max(one.edges_ns[-1] for one in drawn)))
    tails = [one.tail_ns for one in drawn if len(one.tail_ns)]
    if tails:
        figure.update_xaxes(row=1, col=2, **_ticks(min(tail[0] for tail in tails), max(tail[-1] for tail in tails)))
    else:
        figure.layout.annotations[0].text = "too few calls to show a tail"
        figure.update_xaxes(visible=False, row=1, col=2)
        figure.update_yaxes(visible=False, row=1, col=2)
    figure.update_yaxes(title="% of the calls", rangemode="tozero", row=1, col=1)
    figure.update_yaxes(title="% longer", type="log", exponentformat="none", dtick=1, row=1, col=2)
    figure.update_layout(legend={"orientation": "h", "y": -0.12}, hoverdistance=-1, updatemenus=[_buttons(
        ("all", [{"visible": True}, {}]), ("none", [{"visible": "legendonly"}, {}]))])
    return _html(figure, 420)


def _rows(cases, name):
    figure = make_subplots(len(cases), 1, shared_xaxes=True, vertical_spacing=0.06)
    edges = []
    for row, (case, colour) in enumerate(zip(cases, cycle(CASE_COLOURS)), 1):
        of = case.by_name.get(name)
        if of is None or not of.timed:
            continue
        one = curve(of, whole=True)
        edges += [one.edges_ns[0], one.edges_ns[-1]]
        for label, opacity, chosen in (("", 1, one.edges_ns[1:] <= one.p99_ns),
                                       (", tail", 0.35, one.edges_ns[1:] > one.p99_ns)):
            begin, end = one.edges_ns[:-1][chosen], one.edges_ns[1:][chosen]
            texts = [f"{shown(a)} to {shown(b)}: {percent:.3g} %"
                     for a, b, percent in zip(begin, end, one.percent[chosen])]
            figure.add_bar(x=(begin * end) ** 0.5, width=end - begin, y=one.percent[chosen], marker_color=colour,
                           marker_line_width=0, opacity=opacity, name=case.name + label, row=row, col=1,
                           customdata=texts, hovertemplate=_HOVER)
        figure.add_scatter(x=[ns for ns, *_ in one.peaks], y=[height for *_, height in one.peaks],
                           mode="markers+text", text=[shown(ns) for ns, *_ in one.peaks], textposition="top center",
                           marker={"symbol": "triangle-down", "size": 11, "color": colour,
                                   "line": {"color": "black", "width": 1}}, cliponaxis=False,
                           name=f"{case.name}, peaks", showlegend=False, row=row, col=1,
                           customdata=[f"peak, with {share:.0%} of the calls" for _, share, _ in one.peaks],
                           hovertemplate="%{text}: %{customdata}")
    if edges:
        figure.update_xaxes(**_ticks(min(edges), max(edges)))
    figure.update_yaxes(title="% of the calls", rangemode="tozero")
    figure.update_layout(barmode="overlay", legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"})
    return _html(figure, 110 + 150 * len(cases))


def _table(by_name):
    heads = ("call", "works on", "class", "calls", "failed", "in Linux", "p50", "p99", "p99.9", "longest", "peaks")
    rows = "".join(_table_row(of) for of in sorted(by_name.values(), key=lambda of: -of.total_ns))
    return f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{rows}</table>"


def _table_row(of):
    times = [shown(ns) for ns in (*of.quantiles([0.5, 0.99, 0.999]), of.longest_ns)] if of.timed else [""] * 4
    peaks = ", ".join(f"{shown(ns)} ({share:.0%})" for ns, share in of.modes())
    words = (of.name, of.kind, of.latency_class, f"{of.calls:,}", f"{of.failed:,}", shown(of.total_ns), *times, peaks)
    texts = (1, 2, 10)
    return "<tr>" + "".join(f'<td{" class=text" if place in texts else ""}>{html.escape(word)}</td>'
                            for place, word in enumerate(words)) + "</tr>\n"
