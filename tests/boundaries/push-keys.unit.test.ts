import { expect, test } from "vitest";
import { EXAMPLE_PUSH_KEYS, readPushKeys } from "#app/configuration/push-keys.ts";

test("the keys of pushes come together or not at all, and the example's are for local builds only", () => {
  expect(readPushKeys({}, true)).toEqual({ keys: EXAMPLE_PUSH_KEYS, problems: [] });
  expect(readPushKeys({}, false)).toEqual({ keys: null, problems: [] });
  const { publicKey, privateKey } = EXAMPLE_PUSH_KEYS;
  const both = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey };
  expect(readPushKeys(both, true).keys).toEqual({ publicKey, privateKey });
  expect(readPushKeys(both, false)).toEqual({
    keys: null,
    problems: ["VAPID_PRIVATE_KEY: a chave de exemplo é pública; gere um par seu"],
  });
  const own = { publicKey: `B${"a".repeat(86)}`, privateKey: "b".repeat(43) };
  expect(
    readPushKeys({ VAPID_PUBLIC_KEY: own.publicKey, VAPID_PRIVATE_KEY: own.privateKey }, false),
  ).toEqual({ keys: own, problems: [] });
  expect(readPushKeys({ VAPID_PUBLIC_KEY: publicKey }, true).problems).toEqual([
    "VAPID_PRIVATE_KEY: precisa ser uma chave da curva P-256 em base64url, de 43 letras",
  ]);
});
