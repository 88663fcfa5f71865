// Bundle the widgets' JavaScript: node bundle.mjs writes widgets/divmetrics_widgets/bundles/, with --check it only compares.

import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { build } from "esbuild";

const HOME = new URL("../../widgets/divmetrics_widgets/", import.meta.url);
const [FRONT, BUNDLES] = ["front/", "bundles/"].map((name) => new URL(name, HOME));
const WIDGETS = ["composer", "contributions", "finder", "found", "hierarchy", "judge", "lab", "predict", "unpack", "walk"];

/** The bundles by name. A page of the book loads all widgets in one script that is no module: a browser reads none from a disk. */
async function bundled() {
  const files = {};
  for (const [format, names] of [["esm", WIDGETS], ["iife", ["book"]]]) {
    const { outputFiles } = await build({
      absWorkingDir: new URL(".", FRONT).pathname,
      entryPoints: names.map((name) => `${name}.js`),
      bundle: true, charset: "utf8", format, minify: true, outdir: ".", target: "es2022", write: false,
    });
    for (const { path, text } of outputFiles) files[path.split("/").at(-1)] = text;
  }
  return { ...files, "front.sha256": `${await digest()}\n` };
}

/** Of all sources: bundles.py compares it, so that nobody sees a bundle of what they have changed since. */
async function digest() {
  const hash = createHash("sha256");
  const names = (await readdir(FRONT)).filter((name) => name.endsWith(".js")).sort();
  for (const name of names) hash.update(`${name}\n${await readFile(new URL(name, FRONT), "utf8")}`);
  return hash.digest("hex");
}

const files = await bundled();
if (process.argv.includes("--check")) {
  const there = await readdir(BUNDLES);
  const stale = there.filter((name) => !(name in files));
  for (const [name, text] of Object.entries(files)) {
    if (!there.includes(name) || (await readFile(new URL(name, BUNDLES), "utf8")) !== text) stale.push(name);
  }
  if (stale.length) {
    console.error(`widgets/divmetrics_widgets/bundles: not those of front/: ${stale.join(", ")}; run make bundles`);
    process.exit(1);
  }
} else {
  await rm(BUNDLES, { recursive: true, force: true });
  await mkdir(BUNDLES);
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, BUNDLES), text);
}
