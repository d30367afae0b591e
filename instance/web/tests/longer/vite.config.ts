import { fileURLToPath } from "node:url";
import { mergeConfig, type Plugin } from "vite";
import pages from "../../vite.config";

const TEXT = /\/src\/text\/en\/[\w-]+\.ts$/;
const LANGUAGE = fileURLToPath(new URL("language.ts", import.meta.url));

/** Hands on every sentence of `src/text` in the made-up language. */
function madeUpLanguage(): Plugin {
  return {
    name: "made-up-language",
    enforce: "pre",
    transform(code, id) {
      if (!TEXT.test(id)) return null;
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      return [
        `import { longer } from ${JSON.stringify(LANGUAGE)};`,
        code.replaceAll(/^export (?=const|function)/gm, ""),
        ...names.map((name) => `const longer_${name} = longer(${name});`),
        `export { ${names.map((name) => `longer_${name} as ${name}`).join(", ")} };`,
      ].join("\n");
    },
  };
}

export default mergeConfig(pages, { plugins: [madeUpLanguage()] });
