"""The evidence on Zhou et al. (2013): results of experiments, printed numbers, judgments of FedWeb 2013."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pandas as pd

from divmetrics.aggregated import Query
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io.fedweb import FOLDER
from divmetrics.io.formats import InputFile, is_fedweb_folder
from divmetrics.io.page_loading import read_queries
from divmetrics.research.datasets import zhou2013_concordance, zhou2013_pages, zhou2013_power
from divmetrics.research.papers.data_folders import data_folder
from divmetrics.research.papers.zhou2013.experiments import FEDWEB, SEEDS, Experiments, run_experiments
from divmetrics.research.papers.zhou2013.printed import POWER, PRINTED


@dataclass(frozen=True, eq=False)
class Evidence:
    """Results of the experiments, what the paper prints, and the queries of FedWeb 2013, or None.

    `printed` is {name of a printed number: the number}. `power` is {name of a collection: groups of metrics},
    in ascending order of discriminative power: each group has more power than the one before it.
    """

    experiments: Experiments
    printed: Mapping[str, float] = field(default_factory=lambda: PRINTED)
    power: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=lambda: POWER)
    queries: Sequence[Query] | None = None

    @classmethod
    def embedded(cls) -> Evidence:
        """Load the results that come with the library."""
        return cls(Experiments(zhou2013_power(), zhou2013_concordance(), zhou2013_pages()))

    @classmethod
    def from_folder(
        cls, folder: str | os.PathLike[str], *, seeds: Sequence[int] = SEEDS, progress: bool = False
    ) -> Evidence:
        """Run the experiments on FedWeb 2013 from a folder of its files; load those on simulated collections.

        Raises DivmetricsError if the folder is missing, holds something else, or a file is invalid.
        """
        queries = read_fedweb(folder)
        fresh = run_experiments(queries, seeds=seeds, collections=(FEDWEB,), progress=progress)
        embedded = cls.embedded()
        merged = (
            pd.concat([table[table["collection"] != FEDWEB], new], ignore_index=True)
            for table, new in (
                (embedded.experiments.power, fresh.power),
                (embedded.experiments.concordance, fresh.concordance),
                (embedded.experiments.pages, fresh.pages),
            )
        )
        return replace(embedded, experiments=Experiments(*merged), queries=queries)


def read_fedweb(folder: str | os.PathLike[str]) -> list[Query]:
    """Read the queries of FedWeb 2013 from a folder of the track's files.

    Raises DivmetricsError if the folder is missing, holds something else, or a file is invalid.
    """
    data_folder(folder, FOLDER)
    if not is_fedweb_folder(InputFile(os.fspath(folder), FOLDER)):
        raise DivmetricsError(
            f"{os.fspath(folder)}: has no file of judged results of TREC FedWeb, expected {FOLDER}; name the "
            "folder that holds FW13-QRELS-RM.txt"
        )
    with warnings.catch_warnings():
        # The report itself states what stands for orientations; engines in several categories are known.
        warnings.simplefilter("ignore", DivmetricsWarning)
        return read_queries(os.fspath(folder))
