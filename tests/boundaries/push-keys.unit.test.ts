import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPushKeys } from "#app/configuration/push-keys.ts";
import { localPushKeys, newPushKeys } from "#scripts/push-keys.ts";

test("the keys of pushes come together or not at all", () => {
  expect(readPushKeys({})).toEqual({ keys: null, problems: [] });
  const both = newPushKeys();
  expect(readPushKeys(both)).toEqual({
    keys: { publicKey: both.VAPID_PUBLIC_KEY, privateKey: both.VAPID_PRIVATE_KEY },
    problems: [],
  });
  expect(readPushKeys({ ...both, VAPID_PRIVATE_KEY: "" }).problems).toEqual([
    "VAPID_PRIVATE_KEY: precisa ser uma chave da curva P-256 em base64url, de 43 letras",
  ]);
});

test("a local product makes its own pair once, for its owner's eyes, and another product another", () => {
  const directory = mkdtempSync(join(tmpdir(), "push-keys-"));
  const other = mkdtempSync(join(tmpdir(), "push-keys-"));
  try {
    const made = localPushKeys(join(directory, "new"));
    expect(localPushKeys(join(directory, "new"))).toEqual(made);
    expect(localPushKeys(other)).not.toEqual(made);
    expect(statSync(join(directory, "new", "push-keys.json")).mode & 0o777).toBe(0o600);
  } finally {
    for (const made of [directory, other]) rmSync(made, { recursive: true });
  }
});
