"""Rewriting of a file without a change of meaning, and mutation of a file."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable

# What a field may be, by kind: each kind is as likely, however much it holds.
ODD: tuple[tuple[str, ...], ...] = (
    ("", "0", "00", "-1", "+3", "007", "-0", "4", "70", "1030", "L1", "L", "L-1"),
    ("1.0", "2.5", "1e2", "nan", "inf", "1e-13", "3e-13", "1e400", "-1e400"),
    ("1e308", "1.7e308"),  # two of them are too large together
    ("9" * 19, str(2**63 - 1), str(2**63), str(2**53), "9" * 5000, "L" + "9" * 30, "wt09-" + "7" * 5000),
    ("\u00b2", "\u0663", "1\u00b2", "0x10", "1_0"),  # digits of a kind
    ("\x1b[2J", "\u00e9", "\u6f22", "\u2028", "\x85", "\x1c", "x" * 300),
    ("a,b", "a|b", "a\u00a0b", '"q"', '"', "-", "#", "<x>", "&amp;", "&", ";"),
    ("NA", "null", "wt09-1", "WT09-01", "nav", "inf", "inv", "topic"),
)
HIGH = ("61", "1023", "1024", "1100", str(2**53))  # grades; 2^1024 is beyond a float
ODD_BYTES = [b"\xff", b"\0", b"\xed\xa0\x80", b"\xc3", b"\r", b"\v", b"\f", b"\x1a"]


def rewritten(rng: random.Random, name: str, data: bytes, order: str) -> tuple[str, bytes]:
    """Rewrite a file without changing its meaning."""
    text = data.decode()
    lines = text.splitlines()
    ways: dict[str, Callable[[], bytes]] = {
        "gz": lambda: gzip.compress(data, 1),
        "two gz": lambda: gzip.compress(data[:9], 1) + gzip.compress(data[9:], 1),
        "byte order mark": lambda: b"\xef\xbb\xbf" + data,
        "two byte order marks": lambda: 2 * b"\xef\xbb\xbf" + data,
        "CRLF": lambda: text.replace("\n", "\r\n").encode(),
        "CR": lambda: text.replace("\n", "\r").encode(),
        "no last line end": lambda: text.rstrip("\n").encode(),
        "blank lines at the end": lambda: data + b"\n \n\n",
        "UTF-16": lambda: text.encode("utf-16"),
        "UTF-32": lambda: text.encode("utf-32"),
    }
    kind = text.lstrip()[:1]
    described = text.startswith("<SYSDESC>")
    if kind == "<" and not described:
        encoding = rng.choice(["utf-8", "utf8", "gb18030", "gbk", "big5", "euc-jp", "shift_jis", "utf-7"])
        declared = f'<?xml version="1.0" encoding="{encoding}"?>\n'
        ways |= {
            f"in {encoding}": lambda: (declared + text).encode(encoding),
            "declared": lambda: b"<?xml version='1.0'?>" + data,
            "comments": lambda: text.replace("<topic ", "<!-- <topic> & --><topic ").encode(),
            "capitals": lambda: re.sub(r"</?\w+|\b[a-z]+(?==)", lambda m: m[0].upper(), text).encode(),
            "below an empty line": lambda: b"\n<?xml version='1.0'?>" + data,
            "without a root": lambda: re.sub("</?(webtrack2012|topics)>", "", text).encode(),
            "DOCTYPE": lambda: b'<!DOCTYPE root SYSTEM "some.dtd">\n' + data,
        }
    elif kind in "[{":
        ways |= {
            "indented": lambda: json.dumps(json.loads(text), indent=3).encode(),
            "unescaped": lambda: json.dumps(json.loads(text), ensure_ascii=False).encode(),
            "other order of names": lambda: json.dumps(json.loads(text), sort_keys=True).encode(),
        }
    elif not described:
        start = 1 if text.startswith("topic ") else 0
        ways |= {
            "tabs": lambda: re.sub("[ \t]", "\t", text).encode(),
            "double blanks": lambda: text.replace(" ", "  ").encode(),
            "mixed blanks": lambda: re.sub(
                " ", lambda _: rng.choice([" ", "\t", " \v", "\f "]), text
            ).encode(),
            "blanks around": lambda: text.replace("\n", " \n ").strip(" ").encode(),
            "comments": lambda: f"# 1 2 3\n{text} # 1 2 3 4 5\n".replace("\n", "\n#\n").encode(),
            "blank lines": lambda: ("\n" * (1 - start) + text.replace("\n", "\n\n")).encode(),
        }
        rows = [line.split() for line in lines]
        if name != "topics" and not re.search(r" L\d+$", lines[-1]):
            sign = rng.choice(";,\t|\u00a0\u3000")
            ways[f"{sign!r} between columns"] = lambda: text.replace(" ", sign).encode()
            if sign.isascii():
                ways["Excel's separator"] = lambda: f"sep={sign}\n{text.replace(' ', sign)}".encode()
        if name == "topics" and ";" not in text and {len(row) for row in rows} <= {3, 4}:
            headed = [["qid", "subtopic", "probability", "kind"][: len(rows[0])], *rows]
            ways |= {
                "a csv": lambda: joined([[f'"{field}"' for field in row] for row in rows], ","),
                "a csv below a heading": lambda: joined(headed, ","),
            }
        if name == "qrels" and re.fullmatch(r"-?\d+", rows[-1][-1]):
            headed = rows if start else [["query_id", "iteration", "doc_id", "relevance"], *rows]
            ways |= {
                "grades 1.0": lambda: re.sub(r"(?<= )-?\d+$", r"\g<0>.0", text, flags=re.MULTILINE).encode(),
                "grades 1e0": lambda: re.sub(r"(?<= )-?\d+$", r"\g<0>e0", text, flags=re.MULTILINE).encode(),
                "a heading": lambda: joined(headed),
                "columns in another order": lambda: joined(permuted(rng, headed)),
                "a csv": lambda: joined([[f'"{field}"' for field in row] for row in headed], ","),
                "JSON, a row a line": lambda: json_rows(headed),
            }
            if len(rows[-1]) == 4:
                ways["JSON by topic"] = lambda: nested(rows[start:])
        if name.startswith("run"):
            headed = [["qid", "q0", "docno", "rank", "score", "name"], *rows]
            ways |= {
                "decimal commas": lambda: joined([[*r[:4], r[4].replace(".", ","), r[5]] for r in rows]),
                "ranks 1.0": lambda: joined([[*r[:3], f"{r[3]}.0", *r[4:]] for r in rows]),
                "a heading": lambda: joined(headed),
                "columns in another order": lambda: joined(permuted(rng, headed)),
            }
            if len(rows) > 1:
                ways["words behind the tag"] = lambda: joined(
                    [[*r, f"x{k}", "y"] for k, r in enumerate(rows)]
                )
            if rows[0][5] == name:
                ways["no tag"] = lambda: joined([r[:5] for r in rows])
                if len(rows) > 1:
                    ways["a tag a line"] = lambda: joined([[*r[:5], f"x{k}"] for k, r in enumerate(rows)])
        if not name.startswith("run") or order == "score":
            shuffled = rng.sample(lines[start:], len(lines) - start)
            ways["other order"] = lambda: "\n".join([*lines[:start], *shuffled, ""]).encode()
        if name == "qrels":
            ways["said twice"] = lambda: "\n".join([*lines, lines[-1], ""]).encode()
    way = rng.choice(list(ways))
    return f"{name}: {way}", ways[way]()


def joined(rows: list[list[str]], sign: str = " ") -> bytes:
    return "".join(f"{sign.join(row)}\n" for row in rows).encode()


def permuted(rng: random.Random, rows: list[list[str]]) -> list[list[str]]:
    """Put the columns into another order."""
    order = rng.sample(range(len(rows[0])), len(rows[0]))
    return [[row[place] for place in order] for row in rows]


def json_rows(rows: list[list[str]]) -> bytes:
    """Write rows below a heading as JSON lines; the last column has whole numbers."""
    heading, *below = [
        [{"fls": "intent", "sls": "subtopic"}.get(field, field) for field in row] for row in rows
    ]
    objects = (dict(zip(heading, [*row[:-1], int(row[-1])], strict=True)) for row in below)
    return "".join(f"{json.dumps(each)}\n" for each in objects).encode()


def nested(rows: list[list[str]]) -> bytes:
    """Write judgments as {topic: {document: {intent: grade}}}."""
    by_topic: dict[str, dict[str, dict[str, int]]] = {}
    for topic, intent, doc, grade in rows:
        by_topic.setdefault(topic, {}).setdefault(doc, {})[intent] = int(grade)
    return json.dumps(by_topic).encode()


def mutate_file(rng: random.Random, name: str, data: bytes, others: dict[str, bytes]) -> tuple[str, bytes]:
    """Mutate a file; by chance it may still be valid."""
    text = data.decode()
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    odd = rng.choice(rng.choice(ODD))

    structured = text.lstrip()[:1] in "<[{" and not text.startswith("<SYSDESC>")

    def field(value: str) -> bytes:
        pieces = list(re.finditer(r'"[^"]*"|[\d.]+' if structured else r"[^\s;]+", lines[at]))
        if not pieces:
            return (text + value).encode()
        piece = rng.choice(pieces)
        quote = '"' if piece[0].startswith('"') and structured else ""
        changed = lines[at][: piece.start()] + quote + value + quote + lines[at][piece.end() :]
        return "".join([*lines[:at], changed, *lines[at + 1 :]]).encode(errors="surrogatepass")

    def column(value: str) -> bytes:
        """Change the same field in some or all lines; in XML and JSON what has the same name."""
        some = rng.choice([0.3, 1.0])
        names = sorted(set(re.findall(r'\b(\w+)(?:=|": )(?=["\d])', text))) if structured else []
        if names:
            there = re.compile(rf'(\b{rng.choice(names)}(?:=|": ))("[^"]*"|[\d.e-]+)')

            def other(match: re.Match[str]) -> str:
                quote = match[2][0] if match[2][0] == '"' else ""
                return f"{match[1]}{quote}{value}{quote}" if rng.random() < some else match[0]

            return there.sub(other, text).encode(errors="surrogatepass")
        place = rng.randrange(len(re.findall(r"[^\s;]+", lines[-1])))
        fields = re.compile(rf"^((?:[^\s;]+[ \t;]+){{{place}}})[^\s;]+", re.MULTILINE)
        changed = fields.sub(lambda match: match[1] + value if rng.random() < some else match[0], text)
        return changed.encode(errors="surrogatepass")

    def inside(value: bytes) -> bytes:
        place = rng.randrange(len(data) + 1)
        return data[:place] + value + data[place:]

    packed = gzip.compress(data, 1)
    place = rng.randrange(len(packed))
    ways: dict[str, Callable[[], bytes]] = {
        f"{odd[:12]!r} inside": lambda: inside(odd.encode()),
        "an odd byte inside": lambda: inside(rng.choice(ODD_BYTES)),
        "a line is missing": lambda: "".join(lines[:at] + lines[at + 1 :]).encode(),
        "a line twice": lambda: "".join([*lines, lines[at]]).encode(),
        "two lines in one": lambda: "".join(
            [*lines[:at], lines[at].rstrip("\n") + " ", *lines[at + 1 :]]
        ).encode(),
        "cut": lambda: data[: rng.randrange(len(data) + 1)],
        "another file": lambda: rng.choice(list(others.values())),
        "damaged gz": lambda: (
            packed[:place] + bytes([packed[place] ^ 1 << rng.randrange(8)]) + packed[place + 1 :]
        ),
        "cut gz": lambda: packed[:place],
        "UTF-16": lambda: text.encode("utf-16"),
        "UTF-32": lambda: text.encode("utf-32"),
    }
    if text.lstrip().startswith("<") and not text.startswith("<SYSDESC>"):
        encoding = rng.choice(["klingon", "utf-16", "rot13", "unicode_escape", "ascii", "utf-32", "idna", ""])
        outside = rng.choice(
            ["<!DOCTYPE root SYSTEM 'some.dtd'>\n", "<!DOCTYPE root [<!ENTITY one '1'>]>\n", ""]
        )
        deep = rng.choice([3, 90, 900])
        ways |= {
            f"declares {encoding}": lambda: f"<?xml version='1.0' encoding='{encoding}'?>\n{text}".encode(),
            "an entity in text": lambda: (outside + text.replace("</query>", "&one;</query>", 1)).encode(),
            "an entity in a value": lambda: (
                outside + re.sub(r'="(?=\w)', '="&one;', text, count=1)
            ).encode(),
            "deep": lambda: text.replace("<fls", "<x>" * deep + "</x>" * deep + "<fls", 1).encode(),
            "a third level": lambda: re.sub(r"<(sls [^>]*)/>", r"<\1><\1/></sls>", text, count=1).encode(),
        }
    elif text.lstrip().startswith("["):
        value = rng.choice(
            ["null", "true", "[]", "{}", '""', "-1", "1e999", "NaN", r'"\ud800"', "9" * 5000, "9" * 400]
        )
        deep = rng.choice([3, 300, 900, 100_000])
        ways |= {
            f"a value is {value[:9]}": lambda: json_value(rng, text, value),
            f"one more value is {value[:9]}": lambda: json_value(rng, text, value),
            "deep": lambda: text.replace('"sls": []', '"sls": ' + "[" * deep + "]" * deep, 1).encode(),
            "a name twice": lambda: text.replace('"id"', '"id": "2", "id"', 1).encode(),
        }
    elif name.startswith("run"):
        ways |= {
            "a document twice": lambda: "".join(
                [*lines, re.sub(r" \S+ (\S+)\n?$", r" 0 \1", lines[-1])]
            ).encode(),
            "beside a description": lambda: ("<SYSDESC>x</SYSDESC> " + text).encode(),
            "beside an end": lambda: text.replace("</SYSDESC>\n", "</SYSDESC>", 1).encode(),
        }
    chance = rng.random()
    if chance < 0.4:  # there are so many odd fields
        return f"{name}: a field is {odd[:12]!r}", field(odd)
    if chance < 0.6:
        return f"{name}: a column has {odd[:12]!r}", column(odd)
    if name == "qrels" and chance > 0.9:
        high = rng.choice(HIGH)
        return f"qrels: grades are {high}", with_grades(rng, text, high)
    way = rng.choice(list(ways))
    return f"{name}: {way}", ways[way]()


def with_grades(rng: random.Random, text: str, grade: str) -> bytes:
    """Give about half of the judgments this grade, whatever their format."""
    written = re.compile(r'(?<=relevance=")\d+|(?<=[\s;]L)\d+$|(?<=[\s;])\d+$', re.MULTILINE)
    return written.sub(lambda match: rng.choice([match[0], grade]), text).encode()


def json_value(rng: random.Random, text: str, value: str) -> bytes:
    pieces = list(re.finditer(r'(?<=": )("[^"]*"|[\d.]+)', text))
    if not pieces:
        return (text + value).encode()
    piece = rng.choice(pieces)
    return (text[: piece.start()] + value + text[piece.end() :]).encode()
