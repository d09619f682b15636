import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const CANDIDATES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
];

/** Where Chromium is, or null. `CHROMIUM_PATH` names another. */
export function chromiumPath(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : null;
  return CANDIDATES.find((path) => existsSync(path)) ?? null;
}

/**
 * Installs Debian's package when it is missing and this person may. Gives a sentence when there is
 * none in the end.
 */
export function ensureChromium(): { path: string } | { problem: string } {
  const found = chromiumPath();
  if (found) return { path: found };
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Chromium with apt…");
    spawnSync(
      "sh",
      [
        "-c",
        "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium",
      ],
      { stdio: "inherit" },
    );
  }
  const path = chromiumPath();
  if (path) return { path };
  return {
    problem:
      "Chromium is missing and could not be installed here: run `sudo apt-get install chromium`, or name one with CHROMIUM_PATH. The browser tests did not run.",
  };
}
