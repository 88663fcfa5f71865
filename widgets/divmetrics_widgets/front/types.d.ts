// What the files in this folder hand to each other and to the kernel. For checks alone: no front end reads it.

// A page, as page.py describes it.

export type Side = "A" | "B";
export type Grades = Record<string, number>;
export interface Doc {
  id: string;
  about: string;
  grades: Grades | null; // null: never judged
}
export interface Subtopic {
  id: string;
  label: string;
  probability: number;
}
export interface Intent extends Subtopic {
  kind: "informational" | "navigational";
  children: Subtopic[];
}
export interface Topic {
  id: string;
  title: string;
  scale: number;
  adhoc: number;
  intents: Intent[];
}
export type Lists = Record<Side, string[]>; // a bench with one list has A alone, and asks for no other
export interface Page {
  topic: Topic;
  docs: Doc[];
  lists: Lists;
  metrics: string[];
}
export interface Named extends Page {
  name: string;
}
export type Edit = Partial<Named> & { on?: string };

// What the kernel measures.

export interface Earned {
  cells: number[][]; // intent x rank
  score: string;
}
export interface Scored {
  metric: string;
  scores?: string[];
  difference?: string;
  prefers?: "" | Side;
  problem?: string;
  waiting?: boolean; // for the kernel
}
export interface Results {
  of?: string; // the name of a page
  rows: Scored[];
  chosen?: string;
  earned?: Partial<Record<Side, Earned>> | null;
  most?: number;
  best?: { docs: string[]; score: string } | null;
  words?: string[] | null;
  square?: string;
  below?: Earned & { leaves: number[][] };
}
export interface Ahead {
  of?: string;
  pages?: { lists: Lists; results: Results }[];
}
export interface Label {
  cells: number[];
  sum: number;
}
export interface Measured {
  score: string;
  intents: number[];
  after: number[];
  docs: Map<string, Label>;
}
export interface Columns {
  column: number;
  decimals: number;
  upright: boolean;
  narrow: boolean;
  levels: boolean;
}
export interface Layout extends Columns {
  stacked?: boolean;
  wide?: boolean;
}

// The traits of each widget.

export type Mark = [colour: string, path: string];
export interface Traits {
  _marks: Mark[];
  _problem: string;
  _place: string;
}
export interface BenchTraits extends Traits {
  _shown: Named;
  _edit: Edit;
  _results: Results;
  _hand: { side?: Side; doc?: string };
  _ahead: Ahead;
}
export interface LabTraits extends BenchTraits {
  _names: string[];
  _presets: string[];
  _chosen: string;
  _show_best: boolean;
}
export interface HierarchyTraits extends BenchTraits {
  _squared: string[];
}
export type Column = "N" | "f" | "w" | "M";
export type Value = number | string;
export interface Formula {
  text: string;
  mathml: string;
}
export interface Parameter {
  name: string;
  value: Value;
  slider: [low: number, high: number, step: number] | null;
  choices: string[];
  says: string;
}
export interface Card {
  place: number;
  words: string[];
  formula: Formula;
  parameters: Parameter[];
}
export interface Composed {
  name: string;
  known: string[];
  near: [name: string, column: string][];
  stop: boolean;
  cutoff: number | null;
  formula: Formula;
  columns: Record<Column, Card>;
  score: string;
  cells: number[][];
  remarks: string[];
  list: { name: string; title: string; docs: string[]; intents: { id: string; label: string }[] };
  answered: string;
}
export interface Change {
  start?: string;
  stop?: boolean;
  cutoff?: Value | null;
  column?: Column;
  part?: number;
  parameter?: string;
  value?: Value;
}
export interface ComposerTraits extends Traits {
  _menus: Record<Column, string[]>;
  _starts: Record<string, string[]>;
  _shown: Composed;
  state: string;
}
export interface Row {
  id: string;
  name: string;
  group: string;
  place: number;
  label: string;
  cells: number[];
  rest: number;
  sum: number;
  words: string[];
}
export interface Picture {
  metric: string;
  list: string;
  title: string;
  docs: string[];
  rows: Row[];
  after: string;
  totals: number[];
  rest: number;
  score: string;
}
export interface ContributionsTraits extends Traits {
  _names: string[];
  _chosen: string;
  _picture: Picture;
  selected: [intent: string, rank: number];
}
export interface Question {
  m1: string;
  m2: string;
  pool: string;
  find: string;
  length: number;
}
export interface Disagreement {
  lists: Lists;
  what: string;
  places: Record<string, number>;
  docs: Record<string, Doc & { grades: Grades }>;
  rows: Required<Scored>[];
  reasons: string[];
}
export interface FinderTraits extends Traits {
  _names: string[];
  _pools: string[];
  _choice: Question;
  _found: { title: string } & (Disagreement | { rows?: undefined });
  _asked: number;
  _opened: boolean;
  _lab: string | null;
}
export type Answer = "left" | "same" | "right";
export interface Pair {
  title: string;
  intents: [label: string, share: number][];
  sides: [id: string, about: string, labels: string][][];
}
export interface Agreement {
  decided: number;
  same: number;
  rows: [metric: string, ...cells: Value[]][];
}
export interface JudgeTraits extends Traits {
  _pairs: Pair[];
  _questions: string[];
  _found: Agreement[];
  _ends: number;
  _compared: number;
  answers: ("" | Answer)[];
}
export interface PredictTraits extends Traits {
  _question: string;
  _choices: string[];
  _kind: string;
  _unit: string;
  answer: Value | null;
}
export interface FoundTraits extends Traits {
  _words: string;
  _why: string;
  _predicted: boolean;
}

// What a front end brings.

export interface Model<T> {
  get<Name extends keyof T & string>(name: Name): T[Name];
  set<Name extends keyof T & string>(name: Name, value: T[Name]): void;
  save_changes(): void;
  send(content: object): void;
  on(names: Changes<T>, hear: () => void): void;
  off(names: Changes<T>, hear: () => void): void;
  widget_manager?: Manager;
}
type Changed<T> = `change:${keyof T & string}`;
export type Changes<T> = Changed<T> | `${Changed<T>} ${Changed<T>}` | `${Changed<T>} ${Changed<T>} ${Changed<T>}`;
export interface Manager {
  kernel?: Connection;
  context?: { path?: string };
  get_model(id: string): Promise<unknown>;
  create_view(model: unknown): Promise<{ el: HTMLElement; remove(): void }>;
}
export interface Connection {
  status?: string;
  statusChanged?: Signal<string>;
  disposed?: Signal<void>;
  connectionStatusChanged?: Signal<string>;
  anyMessage?: Signal<{ msg: Message; direction: string }>;
}
export interface Signal<Told> {
  connect(slot: (sender: unknown, told: Told) => void): void;
  disconnect(slot: (sender: unknown, told: Told) => void): void;
}
export interface Message {
  channel: string;
  header: { msg_type: string; session: string };
  parent_header?: { msg_id?: string; msg_type?: string };
  content: { execution_state?: string };
}

// Elements: see h() in common.js.

export type Child = Node | string | number | false | null | undefined | Child[];
type Tags = HTMLElementTagNameMap;
/** `Target` is what an event happens to: a control itself, or whatever is within an element. */
type Handler<Happened, Target, Current> = (event: Happened & { target: Target; currentTarget: Current }) => unknown;
export interface Attributes<Tag extends keyof Tags> {
  onblur?: Handler<FocusEvent, Tags[Tag], Tags[Tag]>;
  onchange?: Handler<Event, Tags[Tag], Tags[Tag]>;
  onclick?: Handler<MouseEvent, HTMLElement, Tags[Tag]>;
  onfocus?: Handler<FocusEvent, Tags[Tag], Tags[Tag]>;
  onfocusin?: Handler<FocusEvent, HTMLElement, Tags[Tag]>;
  oninput?: Handler<Event, Tags[Tag], Tags[Tag]>;
  onkeydown?: Handler<KeyboardEvent, HTMLElement, Tags[Tag]>;
  onpointerdown?: Handler<PointerEvent, HTMLElement, Tags[Tag]>;
  onpointerenter?: Handler<PointerEvent, HTMLElement, Tags[Tag]>;
  onpointerleave?: Handler<PointerEvent, HTMLElement, Tags[Tag]>;
  onsubmit?: Handler<SubmitEvent, HTMLFormElement, HTMLFormElement>;
  ontoggle?: Handler<Event, Tags[Tag], Tags[Tag]>;
  [name: string]: string | number | boolean | null | undefined | Handler<never, never, never>;
}
export type On<Happened extends Event> = Happened & { target: HTMLElement; currentTarget: HTMLElement };
