// @ts-check
// For JupyterLab 4 and Notebook 7: a widget that is not alive shows its still form instead of an error, figures are
// dark where the theme is, a link to a heading of another notebook reaches it, and a lesson's texts keep their words
// whole, their closed answers apart from what follows, and their folded cells within the window.
//
// A widget's output holds its view, which only its own kernel can fill, and the same as plain HTML. A trusted
// notebook shows the view; where the kernel is gone, the widget manager writes "Error displaying widget: model not
// found" there and never looks at the HTML. This does. (A notebook that is not trusted shows the HTML anyway.)

const VIEW = "application/vnd.jupyter.widget-view+json";
const STILL = "text/html";
// A figure is an image, which hears of the page only what colour scheme its own element has (divmetrics/notebook/charts/dark_mode.py).
const FIGURE = `img[src^="data:image/svg+xml"][src*="${encodeURIComponent('data-figure="divmetrics"')}"]`;
const SCHEMES = `${FIGURE} { color-scheme: light; } [data-jp-theme-light="false"] ${FIGURE} { color-scheme: dark; }`;
// JupyterLab ends the lines of a printed text within words, leaves no room below what can be opened, and never breaks
// the line that a folded cell shows: in a narrow window the whole notebook would scroll sideways for it.
const LESSON = '.jp-NotebookPanel[data-lesson="divmetrics"]';
const TEXTS = `${LESSON} .jp-OutputArea-output pre { word-break: normal; overflow-wrap: anywhere; }
${LESSON} .jp-RenderedMarkdown details { margin: 0 0 1em; }
${LESSON} .jp-RenderedMarkdown details[open] > summary { margin: 0 0 0.5em; }
${LESSON} .jp-Placeholder-content { min-width: 0; }
${LESSON} .jp-PlaceholderText { white-space: pre-wrap; overflow-wrap: anywhere; }`;
const [SHORTLY, PATIENCE] = [200, 20_000]; // milliseconds between two looks at a notebook that opens, and in all
const SOON = 400; // milliseconds: a widget that comes alive by then is not preceded by its still form

/** What of JupyterLab is used here.
 * @typedef {{ data: Record<string, unknown> }} Output
 * @typedef {{
 *   node: HTMLElement, show(): void, dispose(): void, renderModel(model: Output): Promise<void>,
 *   disposed: { connect(slot: () => void): void },
 * }} Renderer
 * @typedef {{ createRenderer(mimeType: string, ...more: unknown[]): Renderer }} Registry
 * @typedef {{
 *   content: { rendermime: Registry }, node: HTMLElement, isDisposed: boolean, setFragment(fragment: string): void,
 *   context: { ready: Promise<void>, model: { getMetadata(key: string): unknown } },
 * }} Panel
 * @typedef {{ docRegistry: { addWidgetExtension(name: string, extension: { createNew(panel: Panel): void }): void } }} App
 */

/** Let the renderers of views that `registry` makes fall back on the still form.
 * @param {Registry} registry */
function withStillForms(registry) {
  const create = registry.createRenderer.bind(registry);
  registry.createRenderer = (mimeType, ...more) => {
    const renderer = create(mimeType, ...more);
    if (mimeType === VIEW) fallBack(renderer, () => create(STILL));
    return renderer;
  };
}

/** @param {Renderer} renderer @param {() => Renderer} createStill */
function fallBack(renderer, createStill) {
  const { node } = renderer;
  const render = renderer.renderModel.bind(renderer);
  /** @type {Renderer | null} */
  let still = null;
  const showStill = () => {
    if (!still || node.firstElementChild) return; // it is alive; else there are only words: "Loading ...", "Error ..."
    node.replaceChildren(still.node);
    renderer.show(); // it may be hidden, for it was closed before it was saved
  };
  // Called again when the manager has looked for the widgets of a running kernel.
  renderer.renderModel = async (model) => {
    const rendered = render(model);
    if (model.data[STILL] === undefined) return rendered;
    if (still) {
      showStill();
    } else {
      const made = createStill();
      still = made;
      await made.renderModel(model);
      renderer.disposed.connect(() => made.dispose());
    }
    const late = setTimeout(showStill, SOON);
    await rendered;
    clearTimeout(late);
    showStill();
  };
}

/** JupyterLab looks for the heading of a notebook that it has just opened before its cells are drawn; so look again
 * once they are.
 * @param {Panel} panel */
function reachHeadings(panel) {
  const goTo = panel.setFragment.bind(panel);
  panel.setFragment = async (fragment) => {
    goTo(fragment);
    const name = CSS.escape(decodeURIComponent(fragment.replace(/^#/, "")));
    const isDrawn = () => panel.node.querySelector(`[data-jupyter-id="${name}"], [id="${name}"]`) !== null;
    if (isDrawn()) return;
    let isRead = false; // whoever has begun to read stays where she is
    for (const sign of ["keydown", "pointerdown", "wheel"]) {
      panel.node.addEventListener(sign, () => (isRead = true), { once: true, passive: true });
    }
    for (let waited = 0; waited < PATIENCE && !panel.isDisposed && !isRead; waited += SHORTLY) {
      await new Promise((resolve) => setTimeout(resolve, SHORTLY));
      if (isDrawn()) return goTo(fragment);
    }
  };
}

/** A notebook of the course is marked, for the styles that are for no other.
 * @param {Panel} panel */
async function markLesson(panel) {
  await panel.context.ready;
  if (panel.context.model.getMetadata("divmetrics")) panel.node.dataset.lesson = "divmetrics";
}

const plugin = {
  id: "divmetrics:still-forms",
  description:
    "Shows the still form of a widget that is not alive, figures in the colours of the theme, headings that are linked, and the texts of lessons in whole words.",
  autoStart: true,
  /** @param {App} app */
  activate: (app) => {
    document.head.append(Object.assign(document.createElement("style"), { textContent: SCHEMES + TEXTS }));
    app.docRegistry.addWidgetExtension("Notebook", {
      createNew: (panel) => {
        withStillForms(panel.content.rendermime);
        reachHeadings(panel);
        void markLesson(panel);
      },
    });
  },
};

// What a bundler would write around it: JupyterLab asks this container for "./extension".
const container = {
  init: () => {},
  get: async () => () => ({ __esModule: true, default: plugin }),
};
const page = /** @type {{ _JUPYTERLAB?: Record<string, typeof container> }} */ (window);
page._JUPYTERLAB ??= {};
page._JUPYTERLAB.divmetrics = container;
