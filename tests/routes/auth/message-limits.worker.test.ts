import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { accountBrowser, freshPhone, mailsTo, signedUp } from "#tests/support/account-browser.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import { testClock } from "#tests/support/clock.ts";
import { openDatabase } from "#app/db/client.server.ts";
import { countSendTo } from "#app/integrations/local-identity/rate-limits.server.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const HOUR_SECONDS = 60 * 60;
let time = 0;
/** Moves the wall clock, on which codes and their limits live. */
function pass(seconds: number): void {
  time += seconds * 1_000;
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}
beforeEach(() => {
  time = testClock.now();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Everything by which a stranger's new browser makes us write to an address. */
const floods = (email: string, username: string) => [
  async () => accountBrowser().post("/auth/reset", { identifier: email }),
  async () => accountBrowser().post("/auth/code", { identifier: email }),
  async () => accountBrowser().post("/auth/reset", { identifier: username }),
  async () => accountBrowser().post("/auth/code", { identifier: username }),
  async () => accountBrowser().post("/auth/register", { ...signUpFields(), email }),
];

/** Asks `times` times for a message, `seconds` apart; gives each answer. */
async function flood(acts: (() => Promise<Response>)[], times: number, seconds: number) {
  const answers = [];
  for (let asked = 0; asked < times; asked += 1) {
    pass(seconds);
    const answer = await acts[asked % acts.length]?.();
    answers.push(`${answer?.status} ${answer?.headers.get("Location")}`);
  }
  // Messages leave behind the answer.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return answers;
}

describe("messages to one address, over all purposes", () => {
  test("are at most ten in an hour, and every answer stays the same", async () => {
    const { person } = await signedUp();
    const answers = await flood(floods(person.email, person.username), 20, 2 * 60);
    expect(await mailsTo(person.email)).toHaveLength(10);
    expect(answers.slice(15)).toEqual(answers.slice(0, 5));
  });

  test("are at most twenty in a day, and come again the day after", async () => {
    const { person } = await signedUp();
    const acts = floods(person.email, person.username);
    await flood(acts, 30, 31 * 60);
    expect(await mailsTo(person.email)).toHaveLength(20);
    pass(10 * HOUR_SECONDS);
    await flood(acts, 1, 1);
    expect(await mailsTo(person.email)).toHaveLength(21);
  });

  test("where there is no account, too", async () => {
    const { email, username } = signUpFields();
    const register = floods(email, username).slice(4);
    const reset = floods(email, username).slice(0, 1);
    await flood(reset, 7, 90);
    await flood(register, 7, 90);
    expect(await mailsTo(email)).toHaveLength(3);
  });

  test("that others use up are not missing where the owner signed in before", async () => {
    const { person, browser } = await signedUp();
    await flood(floods(person.email, person.username), 12, 60);
    const before = (await mailsTo(person.email)).length;
    await browser.post("/auth/reset", { identifier: person.email });
    await vi.waitFor(async () => expect(await mailsTo(person.email)).toHaveLength(before + 1));
  });

  test("count for a phone alike, and at the same moment", async () => {
    const db = openDatabase(testEnv.DB);
    const destination = freshPhone();
    const allowed = await Promise.all(
      Array.from({ length: 15 }, () => countSendTo(db, { destination }, testClock.now())),
    );
    expect(allowed.filter(Boolean)).toHaveLength(10);
  });
});
