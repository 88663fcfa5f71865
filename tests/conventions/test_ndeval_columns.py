"""The columns of `--format ndeval` are those of the program, whose files are not part of the project."""

from __future__ import annotations

from divmetrics.formats import NDEVAL_COLUMNS

HEADER = (
    "ERR-IA@5,ERR-IA@10,ERR-IA@20,nERR-IA@5,nERR-IA@10,nERR-IA@20,alpha-DCG@5,alpha-DCG@10,alpha-DCG@20,"
    "alpha-nDCG@5,alpha-nDCG@10,alpha-nDCG@20,NRBP,nNRBP,MAP-IA,P-IA@5,P-IA@10,P-IA@20,strec@5,strec@10,strec@20"
)


def test_the_columns_are_those_of_the_program() -> None:
    assert ",".join(NDEVAL_COLUMNS) == HEADER
