// @ts-check
// Formulas that the kernel has typeset: they come as text, and only what is a formula is put into a page.

export const MATHML = "http://www.w3.org/1998/Math/MathML";

/** MathML, if it is nothing but that. @param {string} mathml */
export function parsed(mathml) {
  const math = mathml ? new DOMParser().parseFromString(mathml, "application/xml").documentElement : null;
  /** @param {Element} element */
  const plain = (element) => element.namespaceURI === MATHML && [...element.attributes].every(({ localName }) => !localName.startsWith("on") && localName !== "href");
  return math && [math, ...math.querySelectorAll("*")].every(plain) ? math : null;
}
