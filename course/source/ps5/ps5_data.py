"""The data of assignment 5: each student's own documents to judge, a second judge, and two lists.

Leave this file as it is: the notebook is graded with the file that was released. The grades of the second
judge are in it, too, so look at it only when you have judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import divmetrics as dm
from divmetrics_widgets.own_data import StableRandom, student_number

COURSE = ""
TERM = ""
DRAWS: tuple[int, ...] = ()  # `make course` fills these in

TOP_GRADE = 2
JUDGED = 12  # documents of a student
LISTED = 5  # documents of a list
QUERY = "bass for beginners"
READERS = {
    "play": "has bought a bass guitar and never played one",
    "fish": "wants to catch a bass with a rod and has never fished",
    "cook": "has a fresh bass in the fridge and has never cooked fish",
}
SHARES = ((0.5, 0.3, 0.2), (0.45, 0.35, 0.2), (0.6, 0.25, 0.15), (0.4, 0.35, 0.25), (0.5, 0.35, 0.15))
TEXTS = {
    "d01": (
        "Your first ten minutes on the bass guitar",
        "Sit down, rest the bass on your right thigh, let the thumb lie on the pickup. Pluck the thickest "
        "string with two fingers in turn, slowly, until both sound alike. That is enough for today. "
        "Tomorrow you add the left hand: part two has a video and the first four notes.",
    ),
    "d02": (
        "Four strings or five?",
        "A five-string goes lower and costs more. Three of our customers tell why they changed over. All of "
        "our basses come with a strap and a free lesson in the shop. Beginners are usually happy with four "
        "strings. See the models of this season, from 199.",
    ),
    "d03": (
        "A first evening of bass from the beach",
        "You need a rod of about three metres, a spinning reel and two or three small lures. Come an hour "
        "before high tide, cast along the edge of the breaking waves, wind in slowly, and take a step after "
        "every cast. Bass hunt close in: do not wade. Put back what is too small.",
    ),
    "d04": (
        "Pan-fried bass in eight minutes",
        "Dry the fillets well and salt them. Lay them skin side down in hot oil and press for half a "
        "minute, so that they stay flat. Five minutes on the skin, one on the other side, butter and lemon "
        "at the end. If the skin sticks, it is not ready to be turned.",
    ),
    "d05": (
        "From the tide to the table",
        "My first bass took a lure of sand-eel shape at dusk, ten steps from the steps of the harbour. I "
        "carried it home in a wet towel, scaled it in the sink and roasted it whole with fennel, 25 minutes "
        "at 200 degrees. Nothing that I have bought tasted like it.",
    ),
    "d06": (
        "Forum: cannot hear myself",
        "I started bass in May. At home all is fine, but with the band I hear only the drums. New "
        "amplifier? -- Turn up the mids, not the lows. -- Stand further away from it. -- Nonsense, get a "
        "bigger one. -- Has anybody an answer that works? I have the same problem.",
    ),
    "d07": (
        "Bass tackle: sale ends on Sunday",
        "Starter set Shoreline: rod, reel, line, three lures and a box, now 59 instead of 89. Waders from "
        "45. Free leaflet 'Bass in seven steps' with every order. Members of an angling club get five per "
        "cent more. Returns within 30 days, lures excepted.",
    ),
    "d08": (
        "Bass: how many, how large, and when",
        "Anglers may keep two bass a day from April to November, none below 42 cm, measured from the nose "
        "to the end of the tail. In other months every bass goes back. Whoever sells one needs a licence. "
        "The rules are those of last year; the new ones come in January.",
    ),
    "d09": (
        "At the fish counter: wild or farmed?",
        "Farmed bass are all of one size and have more fat; wild ones are larger and dearer. Press beside "
        "the backbone: the flesh has to spring back. Clear eyes, red gills, no smell. A fish of 800 grams "
        "is enough for two. Ask to have it scaled; it saves you the mess at home.",
    ),
    "d10": (
        "Reading bass clef if you know treble",
        "The two dots stand around F. All else follows: the lowest line is G, the highest A. Say the names "
        "aloud for a week, five minutes a day. Pianists, cellists, singers and players of the bass guitar "
        "read the same clef, although the guitar sounds an octave lower.",
    ),
    "d11": (
        "Double bass: holding the bow",
        "There are two schools. With the German bow the hand lies under the stick, with the French one "
        "above. Try both for a month. Let the weight of the arm do the work; a pressed string whispers. The "
        "left hand is for next term. Rosin is not soap: two strokes are enough.",
    ),
    "d12": (
        "Five knots that hold",
        "A fish is lost at the knot. Learn the clinch knot for hooks, the uni knot for everything, the loop "
        "for lures, the surgeon's knot for two lines and the arbor knot for the reel. Wet each before you "
        "pull it tight. The pictures show every turn. Practise with a shoelace.",
    ),
    "d13": (
        "Scaling and gutting round fish",
        "Hold the tail with a cloth and scrape towards the head with the back of a knife, under water. Cut "
        "from the vent to the gills, not deep. Pull out what is inside, scratch out the dark line along the "
        "backbone and rinse. Works for trout, bass and bream.",
    ),
    "d14": (
        "A practice plan for the first month on bass",
        "Week 1: open strings with a metronome, ten minutes a day. Week 2: the first four frets, one finger "
        "for each. Week 3: [for members, 9.90 a month]. Week 4: [for members]. What readers say: 'After "
        "four weeks I played my first song.'",
    ),
    "d15": (
        "Log of the boat Marlene, 14 June",
        "Sounder showed bait at 18 m above the wreck. Drifted with 20 g heads, white, retrieve with long "
        "pauses. Eleven bass, best 68 cm, all on the up-tide side. Changed leaders to 0.33 after two break- "
        "offs. Wind SW 4, home at ten. Next time: smaller heads on the neap.",
    ),
    "d16": (
        "More bass in a small car",
        "A beginner's mistake is to buy the largest subwoofer. Begin with the doors: foam against rattling "
        "costs ten and brings more. Then a flat box under the seat. Set the crossover to 80 hertz, the gain "
        "at half. Your neighbours will tell you when to stop.",
    ),
    "d17": (
        "Where to eat bass by the harbour",
        "The Net has it grilled over vine wood, the Old Crane steams it with ginger. At Rosa's the cook "
        "comes to the table and shows how a whole fish is taken off the bone; children love it. Book at "
        "weekends. Prices are for two with wine.",
    ),
    "d18": (
        "I learned bass with an app: a test of 60 days",
        "It listens through the telephone and marks every wrong note. My timing got better, my hand did "
        "not: it cannot see how I sit. After a month I took one real lesson, and the teacher had to undo my "
        "thumb. Good as a second teacher, bad as the first. Eight a month.",
    ),
    "d19": (
        "Whole bass in a crust of salt",
        "For guests: two kilos of coarse salt, four egg whites, a bass of a kilo, not scaled. Pack it up, "
        "bake it for 30 minutes at 220, break the crust at the table. You cannot look whether it is done, "
        "so you need a thermometer: 52 degrees behind the head.",
    ),
    "d20": (
        "One name, many fish",
        "What is bass? In Europe a silver fish of the sea. In America mostly the largemouth of warm lakes, "
        "no relation of the first. On menus also Chilean 'sea bass', which is neither. Gear and recipes for "
        "one do not fit the other, so look at the picture first.",
    ),
    "d21": (
        "A weekend for beginners: catch it, cook it",
        "Saturday on the shore with a guide, rods are lent. Sunday in the kitchen: fillet, fry, eat. For "
        "eight people who have done neither. 240 each, in May and September. What you learn: to cast, to "
        "read the tide, to keep a knife sharp. Bookings are open.",
    ),
    "d22": (
        "Slap without pain",
        "You have played for a year or two and your thumb hurts. Strike from the wrist, not from the elbow, "
        "and let the thumb bounce off the last fret. Lower the bass by a hand. Three exercises at 60, 80 "
        "and 100 beats, with sound. Stop at once if it stings.",
    ),
    "d23": (
        "Bass from the pier (written in 2003)",
        "The best place is the old ferry steps. Float and live prawn, two metres deep, on the turn of the "
        "tide. Bait from Harry's hut, open from six. Keep what you like, there is no limit here. The last "
        "bus leaves at eleven, so bring a torch for the way.",
    ),
    "d24": (
        "Which bass do I need? Questions of beginners, answered",
        "Long or short neck? Short, if your hand is small. New or used? Used, if somebody goes with you who "
        "plays. Which strings? Those that are on it. How much? About 250 with a small amplifier. How long "
        "until the first song? Two weeks, if it has three notes.",
    ),
}
# What two people gave (play, fish, cook). One of them is the second judge of a student.
JUDGES = {
    "strict": {
        "d01": (2, 0, 0), "d02": (0, 0, 0), "d03": (0, 2, 0), "d04": (0, 0, 2), "d05": (0, 0, 1),
        "d06": (0, 0, 0), "d07": (0, 0, 0), "d08": (0, 1, 0), "d09": (0, 0, 1), "d10": (0, 0, 0),
        "d11": (0, 0, 0), "d12": (0, 1, 0), "d13": (0, 0, 2), "d14": (1, 0, 0), "d15": (0, 0, 0),
        "d16": (0, 0, 0), "d17": (0, 0, 0), "d18": (1, 0, 0), "d19": (0, 0, 1), "d20": (0, 0, 0),
        "d21": (0, 0, 0), "d22": (0, 0, 0), "d23": (0, 0, 0), "d24": (1, 0, 0),
    },
    "generous": {
        "d01": (2, 0, 0), "d02": (1, 0, 0), "d03": (0, 2, 0), "d04": (0, 0, 2), "d05": (0, 2, 2),
        "d06": (1, 0, 0), "d07": (0, 1, 0), "d08": (0, 2, 1), "d09": (0, 0, 2), "d10": (2, 0, 0),
        "d11": (1, 0, 0), "d12": (0, 2, 0), "d13": (0, 1, 2), "d14": (2, 0, 0), "d15": (0, 1, 0),
        "d16": (0, 0, 0), "d17": (0, 0, 1), "d18": (2, 0, 0), "d19": (0, 0, 2), "d20": (0, 1, 1),
        "d21": (0, 2, 1), "d22": (1, 0, 0), "d23": (0, 2, 0), "d24": (2, 0, 0),
    },
}  # fmt: skip

Grades = dict[str, dict[str, int]]  # the grade of each document for each reader


@dataclass(frozen=True)
class Mine:
    """What belongs to one student.

    `docs` are the documents to judge, `second` has the second judge's grades of them, `a` and `b` are two
    lists of five of them, and `topic` has the readers as intents, with their probabilities. `example` has the
    grades of two other judges, a list for each, of ten documents. `own` is for the grader: the grades that
    the student has handed in.
    """

    number: int
    topic: dm.Topic
    docs: tuple[str, ...]
    second: Grades
    a: tuple[str, ...]
    b: tuple[str, ...]
    example: tuple[tuple[int, ...], tuple[int, ...]]
    own: Grades | None = None

    def lists(self, grades: Grades, scale: int) -> tuple[dm.RankedList, dm.RankedList]:
        """The lists A and B under these grades, of which `scale` is the highest that a judge can give."""
        pool = dm.Judgments.of(self.topic, grades, scale=scale)
        return dm.RankedList(self.topic, self.a, pool, run="A"), dm.RankedList(
            self.topic, self.b, pool, run="B"
        )

    def form(self) -> str:
        """A table of grades to fill in."""
        rows = [f'    "{doc}": {dict.fromkeys(READERS, 0)},'.replace("'", '"') for doc in self.docs]
        return "\n".join(["judgments = {", *rows, "}"])

    def _repr_html_(self) -> str:
        texts = ((doc, *map(escape, TEXTS[doc])) for doc in self.docs)
        return "".join(
            f"<h4>{doc}: {title}</h4><p style='max-width: 40em'>{text}</p>" for doc, title, text in texts
        )


def of(student: str) -> Mine:
    """The data of the student with that id; capitals, blanks and signs in the id do not count."""
    return drawn(student_number(student, DRAWS, COURSE, TERM, "ps5"))


def drawn(number: int) -> Mine:
    """The data of that number: the same everywhere, whatever the version of Python."""
    chance = StableRandom(number)
    shares = SHARES[chance.below(len(SHARES))]
    topic = dm.Topic(QUERY, tuple(map(dm.Intent, READERS, shares)), title=QUERY)
    docs = chance.some(sorted(TEXTS), JUDGED)
    judge = JUDGES[sorted(JUDGES)[chance.below(len(JUDGES))]]
    second = {doc: dict(zip(READERS, judge[doc], strict=True)) for doc in docs}
    a, b = (tuple(chance.some(docs, LISTED)) for _ in "AB")
    first = [chance.below(TOP_GRADE + 1) for _ in range(10)]
    other = [grade if chance.random() < 0.7 else chance.below(TOP_GRADE + 1) for grade in first]
    return Mine(number, topic, tuple(docs), second, a, b, (tuple(first), tuple(other)))
