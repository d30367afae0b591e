import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const service = process.env.SEQFACILITY_URL ?? "http://127.0.0.1:8080";

/** What every page wants: frameworks, the frame, the client, and the parts that most screens are made of. */
const STARTS =
  /\/node_modules\/(preact|preact-iso|@preact\/\S+|openapi-fetch)\/|\/src\/(\w+\.tsx?|api\/|frame\/|text\/(format|en\/(code|common|frame))\.|parts\/(button|chip|code-field|copy|dialog|empty|error-summary|field|icons?|loading|menu|out-of-reach|page-head|popover|problem|provider-links|time|toast)\.)/;

/** Writes `.br` and `.gz` beside each asset that they make smaller; the service sends them as they are. */
function precompressed(): Plugin {
  return {
    name: "precompressed",
    apply: "build",
    async writeBundle({ dir }, files) {
      if (!dir) return;
      const texts = Object.keys(files).filter((name) => /^assets\/.*\.(js|css|svg|json)$/.test(name));
      await Promise.all(
        texts.map(async (name) => {
          const content = await readFile(join(dir, name));
          const brotli = brotliCompressSync(content, {
            params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
          });
          const gzip = gzipSync(content, { level: 9 });
          if (brotli.length < content.length) await writeFile(join(dir, `${name}.br`), brotli);
          if (gzip.length < content.length) await writeFile(join(dir, `${name}.gz`), gzip);
        }),
      );
    },
  };
}

export default defineConfig({
  plugins: [precompressed()],
  // No script in a page and no picture as text: the policy of the page refuses both.
  build: {
    outDir: "../src/seqfacility_instance/web/pages",
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // One file for the start: a dozen small ones would be a dozen requests before anybody sees anything.
          // The grid is kept apart: orders and studies share it, and it has a budget of its own.
          groups: [
            { name: "start", test: STARTS, priority: 1 },
            { name: "grid", test: /\/src\/(grid|text\/en\/grid)[/.]/ },
            // What sends files is shared by the dock of every page and the order's tab, to which the plan belongs.
            {
              name: "uploader",
              test: /\/src\/(uploads\/(?!add-reads|plan\/\w+\.tsx)|style\/parts\/uploads\.|text\/en\/uploads\.)/,
              includeDependenciesRecursively: false,
            },
            // What the page of an order shares with a tab of it, and that with what it opens: each is fetched by itself.
            {
              name: "order-shared",
              test: /\/src\/(screens\/order\/(state|run-chip)|parts\/(plate|pager|report)|text\/en\/order)\.tsx?/,
              includeDependenciesRecursively: false,
            },
            {
              name: "reads",
              test: /\/src\/(screens\/order\/reads\/(state|files|subjects|md5)|text\/en\/reads)\.tsx?/,
              includeDependenciesRecursively: false,
            },
            // Plots too: whoever looks at no stream loads none of it.
            { name: "plots", test: /\/node_modules\/uplot\/|\/src\/(style\/)?parts\/plot[-.]/ },
          ],
        },
      },
    },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  // The tokens of the look lie outside, where both services have them.
  server: { fs: { allow: ["../.."] }, proxy: { "/api": { target: service, changeOrigin: false } } },
});
