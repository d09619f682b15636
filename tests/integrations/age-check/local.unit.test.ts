import { expect, test } from "vitest";
import { localAgeCheck } from "#app/integrations/age-check/local.server.ts";
import { ageCheckContract } from "#tests/contracts/age-check.ts";
import { answerAgeCheck } from "#workers/local/age-check.ts";

const secret = "a secret of this test, long enough to sign with";
const origin = "https://coreto.test";

function openLocal() {
  let now = 1_000_000;
  return {
    port: localAgeCheck({ secret, origin, realNow: () => now }),
    async answerAt(address: string, isAdult: boolean) {
      const answer = await answerAgeCheck(
        new Request(address, {
          method: "POST",
          body: new URLSearchParams({ adult: isAdult ? "yes" : "no" }),
        }),
        { secret, now },
      );
      expect(answer.status).toBe(303);
      return answer.headers.get("location") ?? "";
    },
    advance(ms: number) {
      now += ms;
    },
  };
}

ageCheckContract("local", openLocal);

const at = (path: string, init?: RequestInit) =>
  answerAgeCheck(new Request(origin + path, init), { secret, now: 1_000_000 });

test("the page asks the person without JavaScript, and asks again when no answer was chosen", async () => {
  const address = await openLocal().port.begin({
    checkId: "check-1",
    returnTo: `${origin}/age-check/answer`,
  });
  const asked = await at(new URL(address).pathname);
  expect(asked.status).toBe(200);
  expect(await asked.text()).toContain("Tem 18 anos ou mais");
  expect(
    (await at(new URL(address).pathname, { method: "POST", body: "adult=maybe" })).status,
  ).toBe(400);
});

test("an address that the product did not issue shows no check and redirects nowhere", async () => {
  const elsewhere = await localAgeCheck({
    secret: "somebody else's secret",
    origin,
    realNow: () => 1_000_000,
  }).begin({ checkId: "x", returnTo: "https://elsewhere.test/" });
  for (const path of ["/sandbox-age/anything", new URL(elsewhere).pathname]) {
    expect((await at(path)).status).toBe(404);
    expect((await at(path, { method: "POST", body: "adult=yes" })).status).toBe(404);
  }
});
