// What the files in this folder hand to each other and to the kernel. For checks alone: no front end reads it.

declare global { const SCRIPT: string; const STYLES: string; const NAME: string } // of unpack.js alone

// Tables that a page without a kernel reads, as following.py fills them.

export type Automaton = { kinds: number[]; looks: number[]; next: number[][]; values: number[][]; depth: number; whole: boolean };
export interface Earning { // a row is an intent, or what is below one
  parts: Automaton[][]; below: Record<string, number[][]>; ranks: number; // over which a score is summed
}
export interface Followed extends Earning {
  problem?: undefined; lines: number;
  alone: number[][][]; // what documents earn alone at the top, by term and intent
  mixed: (boolean | IdealTable)[] | null; // does a term grow with an intent's probability? null: no table of other mixes
  best: { docs: string[]; score: string };
  told: { parts: Automaton[]; texts: [does: string, ...CellLine[]][]; forms: FactorForm[] } | null;
}
export interface IdealTable { docs: string[]; worth: number[][][] } // what each adds to the list's sum, by intent and rank
export interface FoundTable { of: string; value: number | null; within: number; relative: number; told: Record<string, string> }
export type Verdict = [verdict: string, reason: string];
export type Runs = [count: number, text: number][]; // over all answers of a form
export interface NumberForm { low: number; high: number; decimals: number }
export interface TriedTables { runs: Runs; texts: Verdict[] }
export type CheckTables = {
  expected: string; malformed: string; // what is expected, and the verdict on anything else
  right: Verdict; none: Verdict;
} & (ListsTables | ({ runs: Runs[]; texts: Verdict[]; each: NumberForm }) | (TriedTables & ({ options: string[][]; word: string } | NumberForm)));
export interface ListsTables extends RowTables {
  word: string; sizes: [least: number, most: number][]; together: "" | "same documents" | "one more";
  but: string[]; // the documents of a list that is none
  scores: Record<string, Earning>[]; // of each metric, by how many documents a list has
  rules: { left: ListScore; right: ListScore | number; times: number; more: number; holds: number[]; otherwise: string }[];
}
export type ListScore = [list: number, metric: number];
export interface GoalTable {
  metrics: string[]; start: Lists; mixed: string; // mixed: what is said where the readers are mixed otherwise
  before: ("" | Side)[]; most: number | null; // before: what each prefers there
  turned: [no: string, yes: string]; kept: [no: string, yes: string][]; edits: string[]; // by their number
}
export interface LabWords { // sentences with places in braces, as Python has them
  intents: string[]; // as sentences name them
  because: string[]; // by how many intents are named
  at: Record<"alone" | "even" | "best" | "other", string>; ranks: Record<"one" | "several" | "run", string>;
  cell: string; earns: Record<"costs" | "earns" | "nothing", string>;
  lines: Record<string, string>; // of straight lines over a share, by what is preferred at both ends
  ideal: Record<"mix" | "begins" | "from", string>; documents: number; // of an ideal list, as many as a sentence names
  beyond: Record<"mix" | "best" | "factors" | "walk" | "lines", string>; // what Python alone can tell
}
export interface RowTables { docs: string[]; values: number[]; tie: number }
export interface LabTables extends RowTables {
  words: LabWords;
  goal: GoalTable | null;
  standing: string[][][]; // of an intent, of a document, with so many relevant documents above it
  walks: Record<string, Partial<Record<Side, Walk>>>; // of a metric, down the lists as the page came with them
  metrics: Record<string, Followed | { problem: string }>;
}
export interface FormTable extends Earning { name: string; gifts: { parts: Automaton[]; texts: string[] } }
export interface LevelTables extends RowTables {
  problem?: undefined; flat: FormTable; square: FormTable; most: number; depth: number;
  forms: Record<"repeats" | "brings" | "one" | "several" | "there" | "none", string>; // with {blanks}
}

// A page, as page_checks.py describes it.

export type Side = "A" | "B";
export type Grades = Record<string, number>;
export type Doc = { id: string; about: string; grades: Grades | null }; // null: never judged
export type Subtopic = { id: string; label: string; probability: number };
export type Intent = Subtopic & { kind: "informational" | "navigational"; children: Subtopic[]; mark?: string };
export type Topic = { id: string; title: string; scale: number; adhoc: number; intents: Intent[] };
export type Lists = Record<Side, string[]>; // a bench with one list has A alone, and asks for no other
export type Page = { topic: Topic; docs: Doc[]; lists: Lists; metrics: string[]; example: string };
type Named = Page & { name: string };

// What the kernel measures.

type Earned = { cells: number[][]; score: string }; // intent x rank
export interface Scored {
  metric: string;
  scores?: string[]; difference?: string; prefers?: "" | Side;
  problem?: string;
  correction?: string; // the name that was meant, where one is near
  waiting?: boolean; // for the kernel
}
export interface Results {
  of?: string; // the name of a page
  rows: Scored[];
  chosen?: string;
  usual?: number | null; // the cutoff of most metrics
  earned?: Partial<Record<Side, Earned>> | null;
  most?: number;
  lines?: number; // that a cell needs, told factor by factor
  best?: { docs: string[]; score: string; problem?: string } | null;
  words?: string[] | null;
  walk?: Walk | null;
  unwalked?: string; // why a walk that is asked for cannot be shown
  goal?: { marks?: [done: boolean, words: string][]; reached?: boolean; problem?: string };
  parts?: string; // why two metrics prefer different lists
  moved?: string; // why the score of a list moved that was not touched
  square?: string;
  below?: Earned & { leaves: number[][] };
}
export type Label = { cells: number[]; sum: number };
export type Measured = { score: string; intents: number[]; after: number[]; docs: Map<string, Label> };

// The traits of each widget.

export type Mark = [colour: string, path: string];
export type Traits = { _marks: Mark[]; _problem: string; _place: string };
export interface BenchTraits extends Traits {
  _shown: Named;
  _edit: Partial<Named> & { on?: string };
  _results: Results;
  _hand: { side?: Side; doc?: string };
  _ahead: { of?: string; pages?: { lists: Lists; results: Results }[] };
}
export interface LabTraits extends BenchTraits {
  _examples: Example[]; _readers: Record<string, string>; _chosen: string; _show_best: boolean; _walk: "" | Side;
  _goal: { says?: string; start?: Page }; _book: { address: string; name: string };
}

// What the kernel answers to a request; see requests.js.

export type Reply<Result> = { result?: Result; error?: string };
export interface Answers { // by kind
  grades: Foreseen; factors: Factors; ranks: Ranks; flip: Flip; lines: Lines; families: Family[]; preset: object;
}
export type Foreseen = { grades: Grades; results: Results };
export type RankLine = { metric: string; scores: string[]; heights: number[]; words: string };
export interface Ranks { first: number; at: number; rows: RankLine[]; words: string }
export type FactorForm = { heading: string; steps: [word: string, mathml: string, divides: boolean][] };
export type CellLine = [form: number, factors: string[], left: number[], value: string, below: string];
export interface Factors {
  forms: FactorForm[]; instead?: string; // instead: said where no factors can be told
  lists: Record<string, Record<string, [words: string, ...CellLine[]][]>>; // of a list, of a document, intent by intent
}
export interface Lines {
  of?: string; metric?: string; intent?: string; words?: string;
  points?: [share: number, a: number, b: number][]; ends?: Record<Side, [none: string, every: string]>;
  now?: [share: number, told: string]; crossings?: [share: number, told: string][];
}
export type Listed = { name: string; line: string; source: string; others: string[]; words: string };
export type Family = { title: string; about: string; metrics: Listed[] };
export type Example = { name: string; group: string; question: string; source: string; first: string };
export interface Flip {
  words?: string; rows?: Scored[];
  edit?: string; lists?: Lists; moves?: { side: Side; doc: string }[]; grades?: { doc: string; intent: string; grade: number }[];
}
export type Found = Required<Flip>;
export interface HierarchyTraits extends BenchTraits { _squared: string[] }

export type Column = "N" | "f" | "w" | "M";
export type Term = Column | "stop"; // of a formula
export type Value = number | string;
export type Formula = { text: string; mathml: string };
export interface Parameter {
  name: string; value: Value; says: string; choices: string[];
  slider: [low: number, high: number, step: number] | null;
}
export type Card = { place: number; words: string[]; formula: Formula; parameters: Parameter[] };
export interface Composed {
  name: string; known: string[]; near: [name: string, column: string][];
  stop: boolean; cutoff: number | null; reader: [term: Term, sentence: string][];
  formula: { text: string; terms: ["" | Term, mathml: string][] }; columns: Record<Column, Card>;
  score: string; cells: number[][]; remarks: string[];
  list: { name: string; title: string; docs: { id: string; about: string }[]; intents: { id: string; label: string; mark: number }[] };
  answered: string;
}
export interface Change {
  start?: string; stop?: boolean; cutoff?: Value | null;
  column?: Column; part?: number; parameter?: string; value?: Value;
}
export interface ComposerTraits extends Traits {
  _menus: Record<Column, string[]>; _starts: Record<string, string[]>; _shown: Composed; state: string;
}

export interface Row {
  id: string; name: string; group: string; mark: number; label: string; about: string; folded: boolean;
  cells: number[]; rest: number; sum: number; words: string[];
}
export interface Picture {
  metric: string; list: string; title: string; docs: string[]; rows: Row[];
  after: string; totals: number[]; rest: number; score: string;
  fold: { words: string } | null;
}
export interface ContributionsTraits extends Traits {
  _names: string[]; _chosen: string; _picture: Picture; selected: [intent: string, rank: number];
}

export interface Track {
  picture: string; heading: string; groups: { name: string; short: string; place: number | null; box: number | null; start: number }[];
  here: number[][]; interest: number[][]; satisfied: number[][]; earned: number[][]; counted: number[][];
  found: number[][]; ideal: number[][]; stops: number[][]; gains: number[][]; ideals: number[][][];
  best: { doc: string; value: number; text: string }[]; costs: string[]; effort: number[];
  labels: string[][]; state: string[];
  blocks?: [place: number, effort: number][]; // of a page
}
export type TradeOff = { ends: number[][]; names: string[]; at: number };
export interface Walk {
  metric: string; reader: string; list: string; title: string; ranks: number; score: string;
  docs: { id: string; about: string; grades: number[] }[]; intents: { id: string; label: string; mark: number }[];
  filled: number[][]; costs: number[]; baskets: string[]; running: string[]; totals: number[]; words: string[];
  rule: string; worth: string[]; tracks: Track[]; closed: boolean[][]; gamma: TradeOff | null;
}
export interface WalkTraits extends Traits { _names: string[]; _chosen: string; _picture: Walk; rank: number }

export type Question = { m1: string; m2: string; pool: string; find: string; length: number; budget: number; seed: number };
export interface Disagreement {
  lists: Lists; docs: Record<string, Doc & { grades: Grades }>; marks: Record<string, number>;
  what: string; rows: Required<Scored>[]; reasons: string[];
}
export interface FinderTables extends Pick<Disagreement, "docs" | "marks"> { // by what is wanted, metric 1 and metric 2
  answers: Record<string, Record<string, Record<string, { title: string }>>>;
}
export interface LabBelowTraits extends Traits { _asked: number; _opened: boolean; _lab: string | null }
export interface FinderTraits extends LabBelowTraits {
  _names: string[]; _pools: string[]; _choice: Question;
  _found: { title: string } & (Disagreement | { rows?: undefined }); _progress: [scored: number, of: number];
}

export type Answer = "left" | "same" | "right";
export interface Pair {
  title: string; intents: [label: string, share: number][]; sides: [id: string, about: string, labels: string][][];
}
export interface Outcome {
  metric: string; words: string; interval: [share: number, low: number, high: number] | null;
  pairs: number[]; cells: Value[];
}
export type Agreement = { name: string; decided: number; same: number; rows: Outcome[] };
export interface JudgeTables {
  names: string[]; metrics: string[]; chosen: number[][]; outcomes: Record<string, Pick<Outcome, "words" | "interval" | "cells">>;
}
export interface JudgeTraits extends LabBelowTraits {
  _pairs: Pair[]; _questions: string[]; answers: ("" | Answer)[];
  _found: Agreement[]; _ends: number; _compared: number;
}
export interface PredictTraits extends Traits {
  _question: string; _choices: string[]; _kind: string; _unit: string; answer: Value | null;
}
export interface CheckTraits extends Traits { _asks: string; _fields: { name: string; options?: string[] }[]; answer: string; _told: Verdict }
export interface FoundTraits extends Traits { _words: string; _why: string; _shown: string; _predicted: boolean }

// What a front end brings.

export interface Model<T> {
  get<Name extends keyof T & string>(name: Name): T[Name];
  set<Name extends keyof T & string>(name: Name, value: T[Name]): void;
  save_changes(): void;
  send(content: object): void;
  on(names: Changes<T> | "change", hear: (synced: Synced) => void): void;
  on(names: "msg:custom", hear: (reply: Reply<never> & { id: string }) => void): void;
  off(names: Changes<T>, hear: () => void): void;
  widget_manager?: Manager;
  alone?: boolean; // no kernel stands behind the page: see page_model.js
  refuses?(page: Page): string;
  address?(): string; // of what a reader has made of the page
}
type Changed<T> = `change:${keyof T & string}`;
export type Changes<T> = Changed<T> | `${Changed<T>} ${Changed<T>}` | `${Changed<T>} ${Changed<T>} ${Changed<T>}`;
// A model of ipywidgets: what front/unheard.js needs of it.
export interface Synced { comm?: { comm_id: string }; _handle_status?(answer: object): void }
export interface Manager {
  kernel?: {
    interrupt?(): Promise<void>; status?: string; statusChanged?: Signal<string>;
    connectionStatus?: string; connectionStatusChanged?: Signal<string>;
    disposed?: Signal<void>; anyMessage?: Signal<{ msg: Message; direction: string }>;
  };
  context?: { path?: string };
  restored?: Signal<void>;
  get_model(id: string): Promise<unknown>;
  create_view(model: unknown): Promise<{ el: HTMLElement; remove(): void }>;
}
type Slot<Told> = (sender: unknown, told: Told) => void;
export type Signal<Told> = { connect(slot: Slot<Told>): void; disconnect(slot: Slot<Told>): void };
export interface Message {
  channel: string; header: { msg_id: string; msg_type: string; session: string };
  parent_header?: { msg_id?: string; msg_type?: string }; content: { comm_id?: string; execution_state?: string };
}

// Elements: see h() in common.js.

export type Field = HTMLInputElement | HTMLTextAreaElement;
export type Child = Node | string | number | false | null | undefined | Child[];
export type On<Happened extends Event, Target = HTMLElement, Current = HTMLElement> =
  Happened & { target: Target; currentTarget: Current };
/** An event of the control itself. */
type Own<Happened extends Event, Element> = (event: On<Happened, Element, Element>) => unknown;
/** An event of whatever is within an element. */
type Within<Happened extends Event, Element> = (event: On<Happened, HTMLElement, Element>) => unknown;
export interface Attributes<Tag extends keyof HTMLElementTagNameMap, Element = HTMLElementTagNameMap[Tag]> {
  onblur?: Own<FocusEvent, Element>; onchange?: Own<Event, Element>; onfocus?: Own<FocusEvent, Element>;
  oninput?: Own<Event, Element>; onsubmit?: Own<SubmitEvent, Element>; ontoggle?: Own<Event, Element>;
  onclick?: Within<MouseEvent, Element>; onfocusin?: Within<FocusEvent, Element>;
  onkeydown?: Within<KeyboardEvent, Element>; onpointerdown?: Within<PointerEvent, Element>;
  onpointerenter?: Within<PointerEvent, Element>; onpointerleave?: Within<PointerEvent, Element>;
  [name: string]: string | number | boolean | null | undefined | ((event: never) => unknown);
}
