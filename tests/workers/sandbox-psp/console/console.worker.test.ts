import { expect, test } from "vitest";
import { appOrigin, openSandbox, pixRequest } from "#tests/workers/sandbox-psp/sandbox.ts";

const sandbox = openSandbox();

test("every action on the page works as a plain form, and redirects back to the page", async () => {
  const charge = await sandbox.provider.createPixCharge(pixRequest());
  const page = await sandbox.call("/sandbox", { headers: { accept: "text/html" } });
  expect(page.headers.get("content-security-policy")).toContain("script-src 'none'");
  expect(await page.text()).toContain(`action="/sandbox/charges/${charge.id}/pay"`);
  const headers = { accept: "text/html", origin: appOrigin };
  const answer = await sandbox.call(`/sandbox/charges/${charge.id}/pay`, {
    method: "POST",
    headers,
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    "/sandbox?said=Feito.#charges",
  ]);
  const again = await sandbox.call(`/sandbox/charges/${charge.id}/decline`, {
    method: "POST",
    headers,
  });
  expect(decodeURIComponent(again.headers.get("location") ?? "")).toContain("Não deu");
});

test("the chaos switches can be set by a form", async () => {
  const headers = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
  await sandbox.call("/sandbox/chaos", {
    method: "POST",
    headers,
    body: "duplicate=2&reorder=on&delay_ms=",
  });
  expect(await (await sandbox.call("/sandbox/chaos")).json()).toMatchObject({
    duplicate: 2,
    reorder: true,
    stale_replay: false,
    delay_ms: 0,
  });
  await sandbox.chaos({});
  expect((await sandbox.act("/sandbox/chaos", { duplicate: -1 })).status).toBe(400);
});

test("a request from another site is refused", async () => {
  const charge = await sandbox.provider.createPixCharge(pixRequest());
  const press = (headers: Record<string, string>) =>
    sandbox.call(`/sandbox/charges/${charge.id}/pay`, { method: "POST", headers });
  expect((await press({ origin: "https://elsewhere.test" })).status).toBe(403);
  expect((await press({ origin: "null" })).status).toBe(403);
  expect((await press({ "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await sandbox.provider.chargeById(charge.id)).status).toBe("awaiting_payment");
});

test("each list is available as JSON", async () => {
  const charge = await sandbox.provider.createPixCharge(pixRequest());
  const list: { data: { id: string }[] } = await (
    await sandbox.call("/sandbox/charges?shown=1000")
  ).json();
  expect(list.data.map(({ id }) => id)).toContain(charge.id);
  for (const name of ["transfers", "disputes", "deliveries", "mails", "inbox", "outbox"]) {
    expect(await (await sandbox.call(`/sandbox/${name}`)).json()).toMatchObject({ object: "list" });
  }
  expect((await sandbox.call("/sandbox/secrets")).status).toBe(404);
});

test("an unknown path or object answers 404", async () => {
  expect((await sandbox.call("/nothing")).status).toBe(404);
  expect((await sandbox.act("/sandbox/charges/ch_none/pay")).status).toBe(404);
  expect((await sandbox.act("/sandbox/charges/ch_none/explode")).status).toBe(404);
});

test("the docs list the test cards and keys", async () => {
  const docs: { cards: { number: string }[]; pix_keys: { key: string }[] } = await (
    await sandbox.call("/v1/docs")
  ).json();
  expect(docs.cards.map(({ number }) => number)).toContain("4242424242424242");
  expect(docs.pix_keys.map(({ key }) => key)).toEqual([
    "falha@coreto.test",
    "devolve@coreto.test",
    "98765432100",
    "39053344705",
    "001 0001 999999-9",
    "001 0001 888888-8",
  ]);
});
