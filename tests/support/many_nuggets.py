"""A topic of retrieval-augmented generation as nuggetizer writes it: 57 nuggets of seven sub-narratives.

The words are our own. Two lists of ten passages serve 28 of the nuggets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import divmetrics as dm
from divmetrics.conventions.convention import convention
from divmetrics.io.loading import load_for_convention
from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics.notebook.textformat.lab_text import write_page

TITLE = "is a heat pump worth it in an old house with radiators"
NARRATIVES: Mapping[str, tuple[str, ...]] = {
    "How warm can an old house be kept by a heat pump?": (
        "Most heat pumps still deliver their rated output at 7 degrees below freezing",
        "Output falls as it gets colder outside, just when the house loses most heat",
        "A room-by-room heat loss survey comes before the choice of a pump",
        "Pumps made for cold climates work down to 25 degrees below freezing",
        "Hot water for showers is stored in a cylinder, since the pump is too small to heat it at once",
        "An undersized pump falls back on an electric heater, which costs three times as much to run",
        "Oversized pumps switch on and off too often and wear out early",
        "Ground source pumps see nearly the same temperature all year",
        "Weather compensation lowers the flow temperature on mild days by itself",
    ),
    "Do the old radiators have to go?": (
        "Many old radiators are large enough at a flow temperature of 50 degrees",
        "Usually two or three radiators of a house have to be replaced by larger ones",
        "Lowering the boiler's flow temperature for a winter week shows whether radiators suffice",
        "Fan convectors give more heat from the same width of wall",
        "Narrow microbore pipes may not carry the larger flow that a heat pump needs",
        "Underfloor heating lets the pump run at 35 degrees and saves about a quarter of the electricity",
        "Dirt in old pipes is to be flushed out before the pump is connected",
        "Thermostatic valves in every room work against a heat pump's steady flow",
    ),
    "What does it cost to buy and to install?": (
        "An air source pump costs between 8,000 and 15,000 with its installation",
        "A borehole for a ground source pump adds 6,000 to 12,000",
        "Public grants pay 7,500 or more in several countries",
        "Grants ask for a certified installer",
        "A new electricity supply of 100 amperes may be needed",
        "Prices of installers for the same house differ by a factor of two",
        "The old boiler's removal and disposal is seldom part of the quote",
        "Interest-free loans are offered by some regions",
    ),
    "What does it cost to run?": (
        "A seasonal performance of 3 means that one unit of electricity gives three of heat",
        "Electricity costs three to four times as much as gas for the same energy in many countries",
        "Running costs are those of gas when the seasonal performance equals the price ratio",
        "Tariffs with cheap hours at night cut the bill by a fifth",
        "Each degree of flow temperature that can be spared saves some 2.5 percent",
        "Standing charges for gas fall away when the meter is removed",
        "Solar panels cover little of the demand in winter",
        "Heating all day at a low level is cheaper than two bursts a day",
        "A yearly service costs 100 to 200",
    ),
    "Must the house be insulated first?": (
        "Loft insulation is the cheapest step and pays for itself in a few years",
        "A pump works in a house without insulation, but a larger one is needed",
        "Solid walls can be insulated from inside, at the price of some floor space",
        "Sealing draughts costs little and lowers the size of the pump",
        "Insulation without ventilation leads to damp and mould",
        "Double glazing seldom pays by the energy it saves alone",
        "Listed buildings often may not change their facades or windows",
        "Insulating later leaves a pump that is too large",
    ),
    "What do neighbours and planners say?": (
        "The outdoor unit is about as loud as a refrigerator at a distance of five metres",
        "Units have to stand a metre from the boundary in some countries",
        "Night mode lowers the sound by three to six decibels",
        "Rubber feet keep vibrations out of the wall",
        "No planning permission is needed for one unit of up to 0.6 cubic metres",
        "In flats the owners of the building have to agree",
        "A unit in a corner of two walls sounds louder",
    ),
    "What is gained for the climate?": (
        "A heat pump emits a third of the carbon dioxide of a gas boiler with today's electricity",
        "Emissions go on falling while the grid gets cleaner",
        "Older refrigerants warm the climate two thousand times as much as carbon dioxide",
        "Propane as a refrigerant is nearly harmless to the climate",
        "Making the pump causes a few percent of the emissions of its lifetime",
        "A pump lasts 15 to 20 years, somewhat longer than a boiler",
        "Leaks of refrigerant are small when systems are sealed in the factory",
        "Hybrid systems keep the boiler for the coldest days and save less carbon dioxide",
    ),
}
ABOUT = (
    "Keeping a Victorian terrace warm: five owners a year after their boilers left",
    "Flow temperature explained, with a test that anybody can do in winter",
    "What installers quoted for the same semi-detached house",
    "Grants and loans for renewable heat, by region",
    "Field trial of 740 pumps: seasonal performance and what spoils it",
    "Noise of outdoor units: rules, measurements and remedies",
    "Insulate first? A calculation for four kinds of wall",
    "Refrigerants from R410A to propane",
    "Letters: my radiators are lukewarm and so am I",
    "Hybrid heating, or how to keep a boiler for the cold week",
    "Heat pumps in listed buildings",
    "Running costs of gas and electricity compared over ten winters",
)
DOCS = tuple(
    f"msmarco_v2.1_doc_{7 + 4 * d:02d}_{411_086_352 + 7_919_113 * d}#{d % 7}" for d in range(len(ABOUT))
)
# Which nuggets each passage tells, from 1 to 57 in the order of the topic; * told in part.
COVERAGE = (
    "1 2* 10 18 26 42",
    "10 11 12 30 26*",
    "18 23 3 20*",
    "20 21 18* 25",
    "26 1 30 27 28 2",
    "42 44 45*",
    "35 36 38 3*",
    "50 52 53",
    "10* 11* 2",
    "6 57 50*",
    "41 35* 36*",
    "27 28 26* 29*",
)
LISTS = {"A": (0, 4, 1, 2, 11, 8, 9, 3, 5, 10), "B": (4, 6, 7, 0, 3, 5, 1, 9, 11, 2)}
COUNT = sum(map(len, NARRATIVES.values()))
SERVED = {int(nugget.rstrip("*")) for of_doc in COVERAGE for nugget in of_doc.split()}


def write_files(folder: Path, grouped: bool) -> tuple[Path, Path, list[Path]]:
    """Nuggets assigned to passages, the bank of nuggets, and the two runs."""
    flat = [(text, group) for group, texts in NARRATIVES.items() for text in texts]
    nuggets = [
        {"text": text, "importance": "vital", **({"mapped_sub_narrative": group} if grouped else {})}
        for text, group in flat
    ]
    topic = {"qid": "31", "query": TITLE}
    bank, assigned = folder / "bank.jsonl", folder / "assigned.jsonl"
    bank.write_text(json.dumps({**topic, "nuggets": nuggets}) + "\n")
    lines = []
    for doc, nuggets_text in zip(DOCS, COVERAGE, strict=True):
        grades = {int(each.rstrip("*")): each[-1] for each in nuggets_text.split()}
        words = [
            {None: "not_support", "*": "partial_support"}.get(grades.get(n), "support")
            for n in range(1, COUNT + 1)
        ]
        of_doc = [{**nugget, "assignment": word} for nugget, word in zip(nuggets, words, strict=True)]
        lines.append(json.dumps({**topic, "docid": doc, "nuggets": of_doc}))
    assigned.write_text("\n".join(lines) + "\n")
    runs = []
    for name, places in LISTS.items():
        runs.append(folder / f"{name}.run")
        lines = [f"31 Q0 {DOCS[d]} {k} {20 - k} {name}\n" for k, d in enumerate(places, 1)]
        runs[-1].write_text("".join(lines))
    return assigned, bank, runs


def ranked_lists(folder: Path, grouped: bool = False) -> tuple[dm.RankedList, dm.RankedList]:
    """The two lists."""
    assigned, bank, runs = write_files(folder, grouped)
    a, b = load_for_convention(convention("paper"), assigned, runs, bank).lists("31")
    return a, b


def lab_text(folder: Path, grouped: bool = False) -> str:
    """The page of a lab with the two lists."""
    a, b = ranked_lists(folder, grouped)
    metrics = ["ERR-IA@10", "alpha-nDCG@10", "S-recall@10", *(["ERR-IS@10"] if grouped else [])]
    return write_page(LabState.of(a, b, metrics, dict(zip(DOCS, ABOUT, strict=True))))
