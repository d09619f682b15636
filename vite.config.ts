import { builtinModules } from "node:module";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

/** What every page loads, and what pages with and without the frame share. */
const OF_EVERY_PAGE = [
  "app/root.tsx",
  "app/domain/money.ts",
  "app/components/ui/avatar.tsx",
  "app/components/ui/card.tsx",
  "app/components/ui/money.tsx",
  "app/components/ui/skeleton.tsx",
  "app/components/ui/toasts/toast.ts",
  "app/components/shell/bare-shell.tsx",
  "app/components/shell/flash-toast.tsx",
  "app/components/shell/printed-address.tsx",
  "app/components/shell/browser/use-hydrated.ts",
  "app/components/messages/outbox/forget-outboxes.ts",
  "app/components/events/door/forget-doors.ts",
];
const OF_THE_FRAME = ["app/components/shell/member-frame.tsx"];

/**
 * What every page loads is one file, and what every member's page loads another: forty small files
 * compress worse by 7 kB. The first also has what pages with and without the frame share, so that
 * sign-in and checkout do not load the frame. Earlier groups take first, dependencies included.
 */
const SHARED_FILES = [
  { name: "page", priority: 3, test: isOneOf(OF_EVERY_PAGE) },
  { name: "frame", priority: 2, test: isOneOf(OF_THE_FRAME) },
  { name: "shared", priority: 1, minShareCount: 100 },
];

/** Whether a module is one of `paths`. A path that no longer exists stops the build. */
function isOneOf(paths: readonly string[]): (module: string) => boolean {
  const files = paths.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  for (const file of files) if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  return (module) => files.includes(module);
}

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
