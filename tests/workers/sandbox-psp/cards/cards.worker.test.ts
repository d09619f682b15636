import { afterEach, expect, test } from "vitest";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { readCard } from "#workers/sandbox-psp/cards/cards.ts";
import { testClock } from "#tests/support/clock.ts";
import { cardRequest, openSandbox } from "#tests/workers/sandbox-psp/sandbox.ts";

const sandbox = openSandbox();
const { provider } = sandbox;

afterEach(async () => {
  await sandbox.chaos({});
});

const chargeWith = async (number: string) =>
  provider.createCardCharge(cardRequest(await sandbox.cardToken(number)));

test.each(["4242424242424242", "5555 5555 5555 4444"])(
  "%s pays, settles in about thirty days and can be charged again",
  async (number) => {
    const first = await chargeWith(number);
    expect(first).toMatchObject({ status: "succeeded", failureCode: null });
    expect(((first.settlesAt ?? 0) - testClock.now()) / DAY_MS).toBeCloseTo(30, 1);
    const renewal = await provider.createCardCharge(cardRequest(null, first.savedMethodId));
    expect(renewal).toMatchObject({ status: "succeeded", savedMethodId: first.savedMethodId });
  },
);

test.each([
  ["4000000000000002", "card_declined"],
  ["4000000000009995", "insufficient_funds"],
])("%s fails with %s and saves nothing", async (number, failureCode) => {
  expect(await chargeWith(number)).toMatchObject({
    status: "failed",
    failureCode,
    savedMethodId: null,
    settlesAt: null,
  });
});

test("a card is not saved without consent", async () => {
  const request = cardRequest(await sandbox.cardToken("4242424242424242"));
  expect(await provider.createCardCharge({ ...request, saveMethod: false })).toMatchObject({
    status: "succeeded",
    savedMethodId: null,
  });
});

test("4000000000000341 pays now and declines renewals", async () => {
  const first = await chargeWith("4000000000000341");
  expect(first.status).toBe("succeeded");
  expect(await provider.createCardCharge(cardRequest(null, first.savedMethodId))).toMatchObject({
    status: "failed",
    failureCode: "card_declined",
  });
});

test("4000000000000119 charges without an answer; the same key later returns the charge", async () => {
  const request = cardRequest(await sandbox.cardToken("4000000000000119"));
  await expect(provider.createCardCharge(request)).rejects.toBeInstanceOf(ProviderUnclear);
  expect(await provider.chargeByReference(request.chargeId)).toMatchObject({ status: "succeeded" });
  expect(await provider.createCardCharge(request)).toMatchObject({ status: "succeeded" });
});

test("a token pays once, even with concurrent charges", async () => {
  const token = await sandbox.cardToken("4242424242424242");
  const races = await Promise.allSettled(
    [1, 2, 3].map(() => provider.createCardCharge(cardRequest(token))),
  );
  expect(races.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(provider.createCardCharge(cardRequest(token))).rejects.toEqual(
    new ProviderRefused("card_token_used"),
  );
  await expect(provider.createCardCharge(cardRequest("tok_none"))).rejects.toEqual(
    new ProviderRefused("card_token_invalid"),
  );
  await expect(provider.createCardCharge(cardRequest(null, "pm_none"))).rejects.toEqual(
    new ProviderRefused("saved_method_invalid"),
  );
});

const form = (values: Record<string, string>) => ({
  method: "POST",
  body: new URLSearchParams(values),
});

test("3DS: an approval pays the charge and redirects to the checkout", async () => {
  const request = cardRequest(await sandbox.cardToken("4000000000003220"));
  const asked = await provider.createCardCharge(request);
  expect(asked.status).toBe("requires_action");
  const path = new URL(asked.nextActionUrl ?? "").pathname;
  expect(path).toBe(`/3ds/${asked.id}`);
  const page = await (await sandbox.call(path)).text();
  expect(page).toContain("Aprovar");
  expect(page).toContain("Recusar");
  const answer = await sandbox.call(path, form({ decision: "approve" }));
  expect([answer.status, answer.headers.get("location")]).toEqual([303, request.returnUrl]);
  const paid = await provider.chargeById(asked.id);
  expect(paid).toMatchObject({ status: "succeeded", nextActionUrl: null });
  expect(paid.savedMethodId).not.toBeNull();
});

test("3DS: a refusal fails the charge", async () => {
  const asked = await provider.createCardCharge(
    cardRequest(await sandbox.cardToken("4000000000003220")),
  );
  await sandbox.call(`/3ds/${asked.id}`, form({ decision: "refuse" }));
  expect(await provider.chargeById(asked.id)).toMatchObject({
    status: "failed",
    failureCode: "authentication_failed",
  });
  expect((await sandbox.call(`/3ds/${asked.id}`, form({ decision: "approve" }))).status).toBe(200);
  expect((await provider.chargeById(asked.id)).status).toBe("failed");
});

test("the hosted page takes a card without JavaScript: errors, a decline, then the payment", async () => {
  const request = cardRequest(null);
  const hosted = await provider.createCardCharge(request);
  const path = `/pay/${hosted.id}`;
  const card = (number: string) =>
    form({ number, expiry: "12/40", cvv: "123", holder: "Bruno <Teste>" });
  const page = await (await sandbox.call(path)).text();
  for (const label of ["Número do cartão", "Validade", "CVV", "Nome no cartão"])
    expect(page).toContain(label);
  expect(page).not.toContain("<script");
  const wrong = await sandbox.call(path, card("4242424242424241"));
  const wrongPage = await wrong.text();
  expect(wrong.status).toBe(422);
  expect(wrongPage).toContain("Confira o número do cartão.");
  expect(wrongPage).toContain("Bruno &lt;Teste&gt;");
  expect(wrongPage).not.toContain("4242424242424241");
  const declined = await sandbox.call(path, card("4000000000000002"));
  expect(await declined.text()).toContain("O banco recusou este cartão");
  expect((await provider.chargeById(hosted.id)).status).toBe("requires_action");
  const paid = await sandbox.call(path, card("4242 4242 4242 4242"));
  expect([paid.status, paid.headers.get("location")]).toEqual([303, request.returnUrl]);
  expect((await provider.chargeById(hosted.id)).status).toBe("succeeded");
  expect(await (await sandbox.call(path)).text()).toContain("já foi feito");
});

test("the hosted page redirects a 3DS card to 3DS", async () => {
  const hosted = await provider.createCardCharge(cardRequest(null));
  const answer = await sandbox.call(
    `/pay/${hosted.id}`,
    form({ number: "4000000000003220", expiry: "12/40", cvv: "123", holder: "Bruno" }),
  );
  expect(answer.headers.get("location")).toBe(`/3ds/${hosted.id}`);
  await sandbox.call(`/3ds/${hosted.id}`, form({ decision: "approve" }));
  expect((await provider.chargeById(hosted.id)).status).toBe("succeeded");
});

test("a form from another site is refused", async () => {
  const hosted = await provider.createCardCharge(cardRequest(null));
  const foreign = {
    ...form({ decision: "approve" }),
    headers: { origin: "https://elsewhere.test" },
  };
  expect((await sandbox.call(`/pay/${hosted.id}`, foreign)).status).toBe(403);
});

test("the card field can be framed only by the product, and reports whether a cookie was sent", async () => {
  const field = await sandbox.call("/card-field?theme=dark");
  const policy = field.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("frame-ancestors http://localhost:5173");
  expect(policy).toMatch(/script-src 'nonce-[\w-]+'/);
  expect(await field.text()).toContain('data-theme="dark"');
  expect(await (await sandbox.call("/sandbox/card-field")).json()).toEqual({
    last_request_had_cookie: false,
  });
  await sandbox.call("/card-field", { headers: { cookie: "session=1" } });
  expect(await (await sandbox.call("/sandbox/card-field")).json()).toEqual({
    last_request_had_cookie: true,
  });
});

test("typed card details are validated field by field", () => {
  const at = Date.UTC(2026, 10, 21);
  const good = { number: "4242 4242 4242 4242", expiry: "11/26", cvv: "123", holder: "Bruno" };
  expect(readCard(good, at)).toEqual({
    card: { brand: "visa", last4: "4242", behaviour: "approves" },
  });
  expect(readCard({ number: "1", expiry: "10/26", cvv: "1", holder: "" }, at)).toEqual({
    problems: {
      number: "Confira o número do cartão.",
      expiry: "Confira a validade: mês e ano, como 12/30.",
      cvv: "O CVV tem 3 ou 4 números.",
      holder: "Escreva o nome como está no cartão.",
    },
  });
  expect(readCard({ ...good, expiry: "13/30" }, at)).toHaveProperty("problems.expiry");
  expect(readCard({ ...good, expiry: "12/2030" }, at)).toHaveProperty("card");
});
