"""The bibliography of the project; code and docstrings cite its keys."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """A published source. The arguments are not checked.

    Parameters
    ----------
    authors : str
        Surnames, separated by ", ".
    year : int
        Year of publication.
    title : str
        Title of the paper or program.
    venue : str
        Journal or conference with volume and pages, or what kind of program it is.
    doi : str
        DOI without the resolver, such as "10.1145/1498759.1498766"; "" for none.

    Examples
    --------
    >>> REFERENCES["sakaisong2011"].short
    'Sakai & Song 2011'
    """

    authors: str
    year: int
    title: str
    venue: str
    doi: str = ""

    @property
    def short(self) -> str:
        """The in-text citation: Chapelle et al. 2011, Sakai & Song 2011, Sakai 2012."""
        first, *others = self.authors.split(", ")
        by = f"{first} et al." if len(others) > 1 else " & ".join((first, *others))
        return f"{by} {self.year}"

    def __str__(self) -> str:
        link = f" https://doi.org/{self.doi}" if self.doi else ""
        return f"{self.authors} ({self.year}). {self.title}. {self.venue}.{link}"


# fmt: off
# The sources that metrics, formulas and lessons cite, by key.
REFERENCES: dict[str, Reference] = {
    "agrawal2009": Reference("Agrawal, Gollapudi, Halverson, Ieong", 2009,
        "Diversifying search results", "WSDM 2009, 5-14", "10.1145/1498759.1498766"),
    "amigo2018": Reference("Amigó, Spina, Carrillo-de-Albornoz", 2018,
        "An axiomatic analysis of diversity evaluation metrics: introducing the rank-biased utility metric",
        "SIGIR 2018, 625-634", "10.1145/3209978.3210024"),
    "autojudge": Reference("TREC Auto-Judge", 2026,
        "auto-judge-code (rubric) and trec26-auto-judge (webis)", "Programs of the track's judges"),
    "broder2002": Reference("Broder", 2002,
        "A taxonomy of web search", "SIGIR Forum 36(2), 3-10", "10.1145/792550.792552"),
    "carbonell1998": Reference("Carbonell, Goldstein", 1998,
        "The use of MMR, diversity-based reranking for reordering documents and producing summaries",
        "SIGIR 1998, 335-336", "10.1145/290941.291025"),
    "carterettechandar2009": Reference("Carterette, Chandar", 2009,
        "Probabilistic models of ranking novel documents for faceted topic retrieval",
        "CIKM 2009, 1287-1296"),
    "carterette2009": Reference("Carterette", 2009,
        "An analysis of NP-completeness in novelty and diversity ranking", "ICTIR 2009, 200-211"),
    "carterette2012": Reference("Carterette", 2012,
        "Multiple testing in statistical analysis of systems-based information retrieval experiments",
        "ACM Transactions on Information Systems 30(1), 4:1-4:34"),
    "chapelle2009": Reference("Chapelle, Metzler, Zhang, Grinspan", 2009,
        "Expected reciprocal rank for graded relevance", "CIKM 2009, 621-630", "10.1145/1645953.1646033"),
    "chapelle2011": Reference("Chapelle, Ji, Liao, Velipasaoglu, Lai, Wu", 2011,
        "Intent-based diversification of web search results: metrics and algorithms",
        "Information Retrieval 14(6), 572-592", "10.1007/s10791-011-9167-7"),
    "clarke2008": Reference("Clarke, Kolla, Cormack, Vechtomova, Ashkan, Buettcher, MacKinnon", 2008,
        "Novelty and diversity in information retrieval evaluation",
        "SIGIR 2008, 659-666", "10.1145/1390334.1390446"),
    "clarke2009": Reference("Clarke, Kolla, Vechtomova", 2009,
        "An effectiveness measure for ambiguous and underspecified queries",
        "ICTIR 2009, 188-199", "10.1007/978-3-642-04417-5_17"),
    "fieller1957": Reference("Fieller, Hartley, Pearson", 1957,
        "Tests for rank correlation coefficients. I", "Biometrika 44(3/4), 470-481"),
    "holm1979": Reference("Holm", 1979,
        "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics 6(2), 65-70"),
    "jarvelin2002": Reference("Järvelin, Kekäläinen", 2002,
        "Cumulated gain-based evaluation of IR techniques",
        "ACM Transactions on Information Systems 20(4), 422-446", "10.1145/582415.582418"),
    "ju2025": Reference("Ju, Verberne, de Rijke, Yates", 2025,
        "Controlled retrieval-augmented context evaluation for long-form RAG",
        "arXiv:2506.20051", "10.48550/arXiv.2506.20051"),
    "krippendorff2018": Reference("Krippendorff", 2018,
        "Content analysis: an introduction to its methodology", "4th edition, Sage"),
    "long1997": Reference("Long, Cliff", 1997,
        "Confidence intervals for Kendall's tau",
        "British Journal of Mathematical and Statistical Psychology 50, 31-41"),
    "moffat2008": Reference("Moffat, Zobel", 2008,
        "Rank-biased precision for measurement of retrieval effectiveness",
        "ACM Transactions on Information Systems 27(1), 2:1-2:27", "10.1145/1416950.1416952"),
    "ndeval": Reference("Clarke", 2013,
        "ndeval, version 4.5", "Program of the TREC Web track"),
    "nemhauser1978": Reference("Nemhauser, Wolsey, Fisher", 1978,
        "An analysis of approximations for maximizing submodular set functions - I",
        "Mathematical Programming 14, 265-294", "10.1007/BF01588971"),
    "ntcireval": Reference("Sakai", 2023,
        "NTCIREVAL, versions 190111 and 230128", "Program of NTCIR"),
    "piepho2004": Reference("Piepho", 2004,
        "An algorithm for a letter-based representation of all-pairwise comparisons",
        "Journal of Computational and Graphical Statistics 13(2), 456-466"),
    "pradeep2025": Reference("Pradeep, Thakur, Upadhyay, Campos, Craswell, Lin", 2025,
        "The great nugget recall: automating fact extraction and RAG evaluation with large language models",
        "arXiv:2504.15068", "10.48550/arXiv.2504.15068"),
    "sakai2004": Reference("Sakai", 2004,
        "New performance metrics based on multigrade relevance: their application to question answering",
        "NTCIR-4"),
    "sakai2006": Reference("Sakai", 2006,
        "Evaluating evaluation metrics based on the bootstrap", "SIGIR 2006, 525-532"),
    "sakai2006one": Reference("Sakai", 2006,
        "Bootstrap-based comparisons of IR metrics for finding one relevant document", "AIRS 2006"),
    "sakai2007": Reference("Sakai", 2007,
        "Alternatives to Bpref", "SIGIR 2007, 71-78"),
    "sakai2010": Reference("Sakai, Craswell, Song, Robertson, Dou, Lin", 2010,
        "Simple evaluation metrics for diversified search results", "EVIA 2010, 42-50"),
    "sakai2012": Reference("Sakai", 2012,
        "Evaluation with informational and navigational intents",
        "WWW 2012, 499-508", "10.1145/2187836.2187904"),
    "sakairobertson2008": Reference("Sakai, Robertson", 2008,
        "Modelling a user population for designing information retrieval metrics", "EVIA 2008, 30-41"),
    "sakaisong2011": Reference("Sakai, Song", 2011,
        "Evaluating diversified search results using per-intent graded relevance",
        "SIGIR 2011, 1043-1052", "10.1145/2009916.2010055"),
    "sakaizeng2019": Reference("Sakai, Zeng", 2019,
        "Which diversity evaluation measures are 'good'?", "SIGIR 2019, 595-604", "10.1145/3331184.3331215"),
    "santos2010": Reference("Santos, Macdonald, Ounis", 2010,
        "Exploiting query reformulations for web search result diversification",
        "WWW 2010, 881-890", "10.1145/1772690.1772780"),
    "thakur2025": Reference("Thakur, Lin, Havens, Carbin, Khattab, Drozdov", 2025,
        "FreshStack: building realistic benchmarks for evaluating retrieval on technical documents",
        "arXiv:2504.13128", "10.48550/arXiv.2504.13128"),
    "voorhees1999": Reference("Voorhees", 1999,
        "The TREC-8 question answering track report", "TREC-8, 77-82"),
    "yilmaz2008": Reference("Yilmaz, Aslam, Robertson", 2008,
        "A new rank correlation coefficient for information retrieval", "SIGIR 2008, 587-594"),
    "yu2017": Reference("Yu, Jatowt, Blanco, Joho, Jose", 2017,
        "An in-depth study on diversity evaluation: the importance of intrinsic diversity",
        "Information Processing & Management 53(4), 799-813", "10.1016/j.ipm.2017.03.001"),
    "chen2006": Reference("Chen, Karger", 2006,
        "Less is more: probabilistic models for retrieving fewer relevant documents", "SIGIR 2006, 429-436"),
    "zhai2003": Reference("Zhai, Cohen, Lafferty", 2003,
        "Beyond independent relevance: methods and evaluation metrics for subtopic retrieval",
        "SIGIR 2003, 10-17", "10.1145/860435.860440"),
    "zhou2013": Reference("Zhou, Lalmas, Sakai, Cummins, Jose", 2013,
        "On the reliability and intuitiveness of aggregated search metrics",
        "CIKM 2013, 689-698", "10.1145/2505515.2505691"),
}
# fmt: on
