// Bundles the page's programs and styles: `node build.mjs` into `page`, which `bid serve` and `bid export` embed; `node build.mjs dist` those
// of the static page, with its worker.
import { build } from "esbuild";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? "page";
const out = join(here, folder);
await mkdir(out, { recursive: true });
const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  loader: { ".bid": "text" },
};
const isStatic = folder !== "page";
const programs = isStatic ? ["app", "worker"] : ["app", "export"];
for (const name of programs) {
  const define = { STATIC_PAGE: JSON.stringify(isStatic) };
  await build({ ...common, define, entryPoints: [`src/${name}.ts`], outfile: join(out, `${name}.js`) });
}
for (const name of isStatic ? ["app"] : ["app", "export"]) await build({ ...common, entryPoints: [`src/${name}.css`], outfile: join(out, `${name}.css`) });
for (const file of ["index.html", "icon.svg"]) await copyFile(join(here, "src", file), join(out, file));
