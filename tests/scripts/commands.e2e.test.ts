import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import { emptyData } from "#tests/support/own-product.ts";
import { SMALLEST } from "./smallest-commands.ts";

/** A busy machine takes many times longer than an idle one. */
const ENDS_WITHIN_MS = 600_000;

let directory = "";
let dataDirectory = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "coreto-commands-"));
  dataDirectory = emptyData("commands");
});

afterAll(() => {
  for (const made of [directory, dataDirectory]) rmSync(made, { recursive: true, force: true });
});

/**
 * Returns a shell's environment, without vitest's variables (its clock too) and without provider
 * keys.
 */
function shell(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(VITEST|CORETO_CLOCK|TEST$|NODE_ENV$|MODE$|DEV$|PROD$|SSR$|BASE_URL$|STRIPE_|ASAAS_)/.test(
          name,
        ),
    ),
  );
}

/** Runs a command until it ends, or until `signal` ends it and its children. */
function run(
  command: string,
  args: string[],
  signal: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: inRoot(),
      env: shell(),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    signal.addEventListener("abort", () => {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** Returns the file of the product's own database. */
function productDatabase(): string {
  const files = join(dataDirectory, "d1", "miniflare-D1DatabaseObject");
  const found = readdirSync(files)
    .filter((name) => name.endsWith(".sqlite"))
    .map((name) => join(files, name))
    .find((file) =>
      new DatabaseSync(file).prepare("SELECT 1 FROM sqlite_schema WHERE name = 'people'").get(),
    );
  if (!found) throw new Error(`no database of the product in ${files}`);
  return found;
}

describe("documented commands in their smallest size", () => {
  test.for(Object.entries(SMALLEST))(
    "%s",
    { timeout: ENDS_WITHIN_MS },
    async ([key, { args = "", says, exitCode = 0 }], { signal }) => {
      const words = `${key} ${args}`
        .replace("$DATABASE", productDatabase())
        .replace("$TARGET", join(directory, "users.json"));
      const [npm = "", ...rest] = words.split(" ").filter(Boolean);
      const { code, output } = await run(npm, rest, signal);
      expect(output).toMatch(says);
      expect({ code, output: code === exitCode ? "" : output }).toEqual({
        code: exitCode,
        output: "",
      });
    },
  );
});

test(
  "npm start prints its address and stops on a signal; npm run reset empties its data",
  { timeout: ENDS_WITHIN_MS },
  async () => {
    const port = await freePortPair();
    const env = {
      ...shell(),
      PORT: String(port),
      CORETO_DATA_DIRECTORY: dataDirectory,
      CORETO_SEED: "false",
    };
    const child = spawn(process.execPath, [inRoot("scripts", "run.mjs"), "start"], {
      cwd: inRoot(),
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    await expect
      .poll(() => output, { timeout: ENDS_WITHIN_MS / 2 })
      .toContain(`http://localhost:${port}`);
    expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);

    const reset = spawn(process.execPath, [inRoot("scripts", "run.mjs"), "reset"], { env });
    expect(await new Promise((resolve) => reset.once("exit", resolve))).toBe(0);
    expect(existsSync(dataDirectory)).toBe(false);
  },
);
