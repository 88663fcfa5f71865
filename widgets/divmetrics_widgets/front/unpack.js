// @ts-check
// A widget arrives packed, so that a lab costs the line to a distant server a quarter of what its files hold. The kernel
// puts before this module SCRIPT and STYLES, compressed and in base64, and the NAME of the first file: see bundles.py.
// anywidget gives up a module whose model is not begun within two seconds, which a busy machine needs for this: so the
// widget is promised at once, and drawn when it is unpacked.

const unpacked = unpack();

async function unpack() {
  const [source, css] = await Promise.all([SCRIPT, STYLES].map(textOf));
  const id = `divmetrics-${NAME}`;
  const style = document.getElementById(id) ?? document.head.appendChild(Object.assign(document.createElement("style"), { id }));
  if (style.textContent !== css) style.textContent = css;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: widget } = await import(address).finally(() => URL.revokeObjectURL(address));
  return widget;
}

/** @param {string} packed */
function textOf(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

export default () => {
  const kind = unpacked.then((widget) => widget());
  return {
    /** @param {object} props */
    initialize(props) {
      const end = kind.then(({ initialize }) => initialize(props));
      return async () => (await end)();
    },
    /** @param {object} props */
    async render(props) {
      return (await kind).render(props);
    },
  };
};
