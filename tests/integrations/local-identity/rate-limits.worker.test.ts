import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { TooManyAttempts } from "#app/domain/identity/errors.ts";
import {
  countGuessAt,
  countAttempt,
  uncountAttempt,
  signInLimits,
  signUpLimits,
} from "#app/integrations/local-identity/rate-limits.server.ts";
import { authAttempts } from "#drizzle/schema/local-identity.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
const MINUTE_MS = 60_000;
const START = 1_800_000_000_000;
const someone = () => [{ key: `account:${crypto.randomUUID()}`, limit: 3 }];

test("the third attempt is allowed, the fourth is refused", async () => {
  const allowances = someone();
  for (let tries = 0; tries < 3; tries += 1) await countAttempt(db, allowances, START);
  await expect(countAttempt(db, allowances, START)).rejects.toBeInstanceOf(TooManyAttempts);
});

test("concurrent attempts are all counted", async () => {
  const allowances = someone();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => countAttempt(db, allowances, START)),
  );
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(3);
});

test("after ten minutes every attempt is allowed again, a moment earlier none is", async () => {
  const allowances = someone();
  for (let tries = 0; tries < 3; tries += 1) await countAttempt(db, allowances, START);
  await expect(countAttempt(db, allowances, START + 10 * MINUTE_MS - 1)).rejects.toBeInstanceOf(
    TooManyAttempts,
  );
  await expect(countAttempt(db, allowances, START + 10 * MINUTE_MS)).resolves.toHaveLength(1);
});

test("a successful attempt resets the account's count and returns one attempt to the IP address", async () => {
  const [account, address] = [
    { key: `account:${crypto.randomUUID()}`, limit: 2 },
    { key: `sign-in:${crypto.randomUUID()}`, limit: 2 },
  ];
  const counted = await countAttempt(db, [account, address], START);
  await uncountAttempt(db, counted);
  await countAttempt(db, [account, address], START);
  await countAttempt(db, [account, address], START);
  await expect(countAttempt(db, [account, address], START)).rejects.toBeInstanceOf(TooManyAttempts);
});

test("an IP address that tries many accounts is limited after sixty attempts", async () => {
  const request = new Request("https://x.test", { headers: { "CF-Connecting-IP": "203.0.113.9" } });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 62 }, (_, index) =>
      countAttempt(db, signInLimits(`ninguem-${index}`, request), START),
    ),
  );
  expect(outcomes.filter((outcome) => outcome.status === "rejected")).toHaveLength(2);
});

test("an account is limited to thirty guesses under all its identifiers, and a right guess is not counted", async () => {
  const holder = crypto.randomUUID();
  const outcomes = await Promise.all(
    Array.from({ length: 31 }, () => countGuessAt(db, holder, START)),
  );
  expect(outcomes.filter(({ isOver }) => isOver)).toHaveLength(1);
  const { key } = await countGuessAt(db, holder, START + 10 * MINUTE_MS);
  for (let signIns = 0; signIns < 40; signIns += 1) {
    await uncountAttempt(db, ["nobody", key]);
    expect((await countGuessAt(db, holder, START + 10 * MINUTE_MS)).isOver).toBe(false);
  }
});

test("identifiers are not stored in readable form, and expired counts are purged", async () => {
  await countAttempt(
    db,
    signInLimits(
      "ana@coreto.test",
      new Request("https://x.test", { headers: { "CF-Connecting-IP": "203.0.113.7" } }),
    ),
    START,
  );
  const kept = await db.select().from(authAttempts);
  expect(JSON.stringify(kept)).not.toMatch(/ana@|203\.0/);
  for (let tries = 0; tries < 10; tries += 1)
    await countAttempt(db, someone(), START + 60 * MINUTE_MS);
  const left = await db.select().from(authAttempts);
  expect(left.filter((row) => row.windowStartedAt <= START)).toEqual([]);
});

test("an address that only this machine can have is not limited", () => {
  expect(signUpLimits(new Request("https://x.test"))).toEqual([]);
  expect(
    signUpLimits(new Request("https://x.test", { headers: { "CF-Connecting-IP": "127.0.0.1" } })),
  ).toEqual([]);
  expect(
    signUpLimits(new Request("https://x.test", { headers: { "CF-Connecting-IP": "203.0.113.8" } })),
  ).toHaveLength(1);
});

test("all addresses of an IPv6 /64 network share one limit", () => {
  const keysFrom = (address: string) =>
    signUpLimits(
      new Request("https://coreto.test", { headers: { "CF-Connecting-IP": address } }),
    ).map(({ key }) => key);
  const home = keysFrom("2001:db8:1:2:aaaa:bbbb:cccc:dddd");
  expect(keysFrom("2001:db8:1:2::1")).toEqual(home);
  expect(keysFrom("2001:0DB8:0001:0002:0:0:0:9")).toEqual(home);
  expect(keysFrom("2001:db8:1:3::1")).not.toEqual(home);
  expect(keysFrom("2001:db8::1")).toEqual(keysFrom("2001:db8:0:0::2"));
  expect(keysFrom("203.0.113.7")).not.toEqual(keysFrom("203.0.113.8"));
});
