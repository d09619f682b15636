import { builtinModules } from "node:module";
import { readFileSync } from "node:fs";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

const { version } = JSON.parse(
  readFileSync(new URL("./package.json", import.meta.url), "utf8"),
) as { version: string };
const isLocal = process.env.CORETO_LOCAL === "true";
const WORKERD_CONDITIONS = ["workerd", "worker", "browser", "module", "import", "production"];
const WORKERD_BUILTINS = [...builtinModules, /^node:/, /^cloudflare:/];
/** Leaves alone what a package re-exports and nobody imports: two thousand icons in each build. */
const ONLY_IMPORTED_MODULES = { lazyBarrel: true };

/**
 * What every page loads is one file, and what every member's page loads another: forty small files
 * compress worse by 7 kB. The first also has what pages with and without the frame share, so that
 * sign-in and checkout do not load the frame. Earlier groups take first, dependencies included.
 */
const SHARED_FILES = [
  {
    name: "page",
    priority: 3,
    test: /\/app\/(root|domain\/money|components\/(ui\/(avatar|card|money|skeleton|toast)|shell\/(bare-shell|flash-toast|printed-address|use-hydrated)|messages\/forget-outboxes|events\/door\/forget-doors))\.tsx?$/,
  },
  { name: "frame", priority: 2, test: /\/app\/components\/shell\/member-frame\.tsx$/ },
  { name: "shared", priority: 1, minShareCount: 100 },
];

/**
 * Two environments: what browsers get, by hash, and one worker for workerd. Both as for production;
 * only `__LOCAL__` differs.
 */
export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  define: {
    __LOCAL__: JSON.stringify(isLocal),
    __VERSION__: JSON.stringify(version),
  },
  build: { target: "es2022", assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        sourcemap: false,
        // React Router preloads the scripts of a route. For an import on demand the list of its
        // files would be in the script that every page starts with.
        modulePreload: false,
        rollupOptions: {
          experimental: ONLY_IMPORTED_MODULES,
          treeshake: { manualPureFunctions: ["z"] },
          output: { codeSplitting: { groups: SHARED_FILES } },
        },
      },
    },
    ssr: {
      define: { "process.env.NODE_ENV": '"production"' },
      resolve: { noExternal: true, conditions: WORKERD_CONDITIONS, builtins: WORKERD_BUILTINS },
      build: {
        minify: true,
        sourcemap: isLocal,
        target: "es2024",
        rollupOptions: {
          input: "./workers/app.ts",
          external: [/^node:/, /^cloudflare:/],
          experimental: ONLY_IMPORTED_MODULES,
        },
      },
    },
  },
});
