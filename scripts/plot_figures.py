#!/usr/bin/python3
"""Draws the figures of `orrery report` again, from the CSV files of result folders.

    plot_figures.py DIR... [-o FOLDER] [--format pdf|svg|png]

DIR is the folder of a run or of a comparison, of which every run is drawn. Makes jct_cdf and wait_cdf (of the jobs that every
run finished), waiting_by_cause, and, where there is a timeline.csv, gpus_busy and jobs_waiting. Needs Debian's python3-pandas and
python3-matplotlib. Meant to be changed: a figure is a few lines.
"""

import argparse
import json
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import pandas as pd  # noqa: E402

DAY = 86_400
COLOURS = ["#0072b2", "#d55e00", "#007a5a", "#a0457f", "#8a6d00", "#333333"]  # Okabe and Ito, darkened
DASHES = ["-", "--", ":", "-.", (0, (8, 2)), (0, (1, 3))]


def runs_of(folder):
    """(label, folder) of each run."""
    manifest = json.loads((folder / "manifest.json").read_text())
    if manifest.get("kind") == "comparison":
        return [(run["policy"], folder / "runs" / Path(run["folder"]).name) for run in manifest["runs"]]
    return [(manifest["settings"]["policy"][0], folder)]


def figure(name, title_x, title_y, options):
    fig, axes = plt.subplots(figsize=(5, 3), layout="constrained")
    axes.set_xlabel(title_x)
    axes.set_ylabel(title_y)
    axes.grid(color="#dddddd", linewidth=0.5)

    def save():
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False)
        fig.savefig(options.out / f"{name}.{options.format}")
        plt.close(fig)

    return axes, save


def style(i):
    return {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)], "linewidth": 1.2}


def distributions(jobs, options):
    finished = pd.concat([table["status"].eq("finished") for _, table in jobs], axis=1).all(axis=1)
    for column, title in (("jct_s", "JCT (s)"), ("wait_s", "wait (s)")):
        axes, save = figure(column.replace("_s", "_cdf"), title, "fraction of jobs", options)
        for i, (label, table) in enumerate(jobs):
            values = table.loc[finished, column].clip(lower=1).sort_values()  # a log axis has no 0
            axes.step(values, [(k + 1) / len(values) for k in range(len(values))], where="post", label=label, **style(i))
        axes.set_xscale("log")
        save()


def waiting_by_cause(runs, options):
    axes, save = figure("waiting_by_cause", "mean wait (h)", "", options)
    causes = pd.DataFrame({label: json.loads((folder / "summary.json").read_text())["wait_by_cause_s"] for label, folder in runs})
    counts = pd.Series({label: json.loads((folder / "summary.json").read_text())["wait_s"]["n"] for label, folder in runs})
    means = (causes / counts / 3600).T
    means.loc[:, (means > 0).any()].plot.barh(stacked=True, ax=axes, width=0.6)
    axes.invert_yaxis()
    save()


def timelines(runs, options):
    tables = [(label, pd.read_csv(folder / "timeline.csv")) for label, folder in runs if (folder / "timeline.csv").exists()]
    for column, title in (("gpus_busy", "GPUs in use"), ("jobs_waiting", "jobs waiting")) if tables else ():
        axes, save = figure(column, "time (days)", title, options)
        for i, (label, table) in enumerate(tables):
            axes.step(table["time_s"] / DAY, table[column], where="post", label=label, **style(i))
        save()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("-o", "--out", type=Path, default=Path("figures"))
    parser.add_argument("--format", choices=("pdf", "svg", "png"), default="pdf")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    runs = [run for folder in options.folders for run in runs_of(folder)]
    jobs = [(label, pd.read_csv(folder / "jobs.csv", dtype={"job_id": str})) for label, folder in runs]
    distributions(jobs, options)
    waiting_by_cause(runs, options)
    timelines(runs, options)


if __name__ == "__main__":
    main()
