// Runs on any Node 20+ without a dependency. Installs the locked packages if something is missing.
// Then runs the TypeScript script of that name with the Node 24 that npm installed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name, ...rest] = process.argv.slice(2);
const script = join(root, "scripts", `${name}.ts`);
const stamp = join(root, "node_modules", ".coreto-installed");
const node = join(
  root,
  "node_modules",
  "node",
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);

if (!/^[a-z-]+$/.test(name ?? "") || !existsSync(script)) {
  console.error(`There is no script called ${name}.`);
  process.exit(1);
}
if (!installed()) install();
run();

function installed() {
  if (!existsSync(node) || !existsSync(stamp)) return false;
  const newest = Math.max(
    statSync(join(root, "package-lock.json")).mtimeMs,
    statSync(join(root, "package.json")).mtimeMs,
  );
  return statSync(stamp).mtimeMs >= newest;
}

function install() {
  console.log("Installing what package-lock.json lists…");
  const done = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      shell: process.platform === "win32",
    },
  );
  if (done.status !== 0) {
    console.error("npm install failed: see above.");
    process.exit(done.status ?? 1);
  }
  // Vitest's cache of transformed modules names the packages that were there before.
  rmSync(join(root, "node_modules", ".experimental-vitest-cache"), {
    recursive: true,
    force: true,
  });
  writeFileSync(stamp, "");
}

function run() {
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", script, ...rest], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH].join(
        process.platform === "win32" ? ";" : ":",
      ),
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_SEND_METRICS: "false",
      DO_NOT_TRACK: "1",
    },
  });
  // A terminal sends Ctrl-C to both processes; a supervisor only to this one.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
