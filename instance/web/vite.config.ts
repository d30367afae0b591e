import { defineConfig } from "vite";

const service = process.env.SEQFACILITY_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  // No script in a page and no picture as text: the policy of the page refuses both.
  build: {
    outDir: "../src/seqfacility_instance/web/pages",
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  server: { proxy: { "/api": { target: service, changeOrigin: false } } },
});
