// @ts-check
// A widget arrives packed, so that a lab costs the line to a distant server a quarter of what its files hold. The kernel
// puts before this module SCRIPT and STYLES, compressed and in base64, and the NAME of the first file: see bundles.py.

const [source, css] = await Promise.all([SCRIPT, STYLES].map(textOf));
const id = `divmetrics-${NAME}`;
const style = document.getElementById(id) ?? document.head.appendChild(Object.assign(document.createElement("style"), { id }));
if (style.textContent !== css) style.textContent = css;
const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
const { default: widget } = await import(address).finally(() => URL.revokeObjectURL(address));

/** @param {string} packed */
function textOf(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

export default widget;
