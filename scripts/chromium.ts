import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The headless shell: pages cost half of what they cost in the whole browser. */
const HEADLESS = "/usr/lib/chromium/chromium-headless-shell";
const CANDIDATES = [
  HEADLESS,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
];
/** In the order of attempts: not every Debian has the first. */
const PACKAGES = ["chromium-headless-shell", "chromium"];

/** Finds Chromium; null if it is not installed. `CHROMIUM_PATH` overrides the path. */
export function chromiumPath(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : null;
  return CANDIDATES.find((path) => existsSync(path)) ?? null;
}

/**
 * Installs Debian's package if Chromium is missing and the user is allowed to. Returns a message if
 * it is still missing.
 */
export function ensureChromium(): { path: string } | { problem: string } {
  const found = chromiumPath();
  if (found) return { path: found };
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Chromium with apt…");
    spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
    for (const name of PACKAGES) if (!chromiumPath()) install(name);
  }
  const path = chromiumPath();
  if (path) return { path };
  return {
    problem:
      "Chromium is missing and could not be installed here: run `sudo apt-get install chromium`, or name one with CHROMIUM_PATH. The browser tests did not run.",
  };
}

function install(name: string): void {
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
