import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type PushKeyVariables = { VAPID_PUBLIC_KEY: string; VAPID_PRIVATE_KEY: string };

/**
 * Returns the push keys of a local product. They are made at its first start and stored with its
 * data, readable by the owner alone. Without a directory they are made each time.
 */
export function localPushKeys(dataDirectory: string): PushKeyVariables {
  if (dataDirectory === "") return newPushKeys();
  const file = join(dataDirectory, "push-keys.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as PushKeyVariables;
  const keys = newPushKeys();
  mkdirSync(dataDirectory, { recursive: true });
  writeFileSync(file, JSON.stringify(keys), { mode: 0o600 });
  return keys;
}

/** A pair on P-256 as VAPID wants it (RFC 8292): an uncompressed point and a scalar, in base64url. */
export function newPushKeys(): PushKeyVariables {
  const {
    x = "",
    y = "",
    d = "",
  } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
  }).privateKey.export({ format: "jwk" });
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(x, "base64url"),
    Buffer.from(y, "base64url"),
  ]);
  return { VAPID_PUBLIC_KEY: point.toString("base64url"), VAPID_PRIVATE_KEY: d };
}
