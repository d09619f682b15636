import { expect, test } from "vitest";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { exchangeText } from "#app/integrations/provider-http.server.ts";

/** Limit of timers that one invocation of workerd may hold. */
const TIMERS_AT_MOST = 10_000;
const AT_ONCE = 100;

test("an answered call releases its timer, so one invocation can make more calls than it can hold timers", async () => {
  let answered = 0;
  for (let made = 0; made <= TIMERS_AT_MOST; made += AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        exchangeText(async () => new Response("{}"), {
          what: "GET /v1/balance",
          timeoutMs: 60_000,
        }),
      ),
    );
    answered += answers.filter(({ status }) => status === 200).length;
  }
  expect(answered).toBeGreaterThan(TIMERS_AT_MOST);
});

test("a call without an answer is unclear after its timeout", async () => {
  const silence = () => new Promise<Response>(() => undefined);
  await expect(exchangeText(silence, { what: "GET /v1/balance", timeoutMs: 5 })).rejects.toThrow(
    ProviderUnclear,
  );
});
