// @ts-check
// How a widget is answered without a kernel that shows one list under a metric from a menu: every picture is there.

/** @import { PageModel } from "./page_model.js" */

/** @param {PageModel} model @param {{ pictures: Record<string, object> }} tables by the metric's name */
export function listAlone(model, { pictures }) {
  model.answer = (_, written) => {
    if (!written.has("_chosen")) return;
    const picture = /** @type {{ ranks?: number }} */ (pictures[model.get("_chosen")]);
    model.tell("_picture", picture);
    if (picture.ranks !== undefined) model.tell("rank", Math.min(model.get("rank"), picture.ranks));
  };
}
