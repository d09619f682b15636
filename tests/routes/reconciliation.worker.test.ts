import type { MiddlewareFunction } from "react-router";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askAgain } from "#app/domain/reconciliation/commands/resolve.server.ts";
import { ProviderSilent } from "#app/domain/reconciliation/errors.ts";
import { requireModerator } from "#app/http/require-member.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import * as ask from "#app/routes/admin/reconciliation-ask.tsx";
import * as difference from "#app/routes/admin/reconciliation-difference.tsx";
import * as list from "#app/routes/admin/reconciliation.tsx";
import { doorsAs, outcome } from "#tests/support/acting.ts";
import type { Caller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pay } from "#tests/support/money.ts";
import { moderator, person } from "#tests/support/people.ts";
import { differencesAbout, noNights, stateOf, untilNight, wholeNight } from "#tests/support/reconciliation.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ofStaff = (module: object) => ({ module, middleware: [requireModerator as MiddlewareFunction] });
const doors = doorsAs([
  { path: "admin/reconciliation", ...ofStaff(list) },
  { path: "admin/reconciliation/:id", ...ofStaff(difference) },
  { path: "admin/reconciliation/:id/ask", ...ofStaff(ask) },
]);
const HERE = "/admin/reconciliation";
const NOTE = "Venda de ingressos feita na página do provedor, conferida com o financeiro.";

let world: World;
let maria: Caller;
let bruno: Caller;
const foreign: string[] = [];
beforeEach(async () => {
  await noNights();
  world = await testContext({ webhooks: false });
  maria = { person: await moderator(world.ctx), isModerator: true };
  bruno = { person: await person(world.ctx, "Bruno") };
});
afterEach(async () => {
  await noNights();
  for (const id of foreign.splice(0)) await testEnv.PSP_DB.prepare("DELETE FROM charges WHERE id = ?").bind(id).run();
});

const json = async (answer: Promise<Response>) => (await answer).json() as Promise<Record<string, unknown>>;
/** A payment in the account that is not ours, as last night found it. */
async function found() {
  const charge = await world.ctx.payments.createPixCharge({ chargeId: `foreign-${world.ctx.newId()}`, amountCents: 4_200, description: "x", payerName: "x", expiresAt: world.ctx.now() + HOUR_MS });
  await pay(world, { providerChargeId: charge.id });
  foreign.push(charge.id);
  await world.advance(untilNight(world.ctx.now()));
  await wholeNight(world.ctx);
  const [row] = await differencesAbout(world.ctx, [charge.id]);
  if (!row) throw new Error("the night found nothing");
  return row;
}

test("none of it exists for who does not moderate", async () => {
  const { id } = await found();
  for (const path of ["", `/${id}`, `/${id}/ask`]) expect(await outcome(doors.get(bruno, HERE + path))).toBe("404");
  for (const path of [`/${id}`, `/${id}/ask`]) expect(await outcome(doors.post(bruno, HERE + path, { note: NOTE, lastSeenAt: "1" }))).toBe("404");
  expect((await stateOf(world.ctx, id))?.state).toBe("open");
});

describe("the list", () => {
  test("shows the nights, what is open and what was asked for, and says when there is nothing", async () => {
    expect(await json(doors.get(maria, HERE))).toMatchObject({ runs: [], openCount: 0, rows: [], next: null, state: "open" });
    const { id, objectId } = await found();
    expect(await json(doors.get(maria, HERE))).toMatchObject({
      openCount: 1,
      runs: [{ provider: "sandbox", foundCount: 1, repairedCount: 0 }],
      rows: [{ id, object: "charge", kind: "ours_missing", state: "open", ours: null, theirs: { status: "succeeded", amountCents: 4_200 } }],
    });
    expect(objectId).not.toBe("");
    for (const query of ["?state=repaired", "?state=explained", "?kind=amount"]) expect(await json(doors.get(maria, HERE + query))).toMatchObject({ rows: [], openCount: 1 });
    expect(await json(doors.get(maria, `${HERE}?state=nonsense&kind=nonsense&cursor=nonsense`))).toMatchObject({ state: "open", kind: null, rows: [{ id }] });
  });

  test("goes on by pages, newest first, each once", async () => {
    const { id, ...row } = await found();
    const insert = "INSERT INTO reconciliation_differences (id, provider, object, object_id, kind, is_money, gap_cents, state, first_seen_at, last_seen_at) VALUES (?, ?, 'charge', ?, 'amount', 1, 1, 'open', ?, ?)";
    await testEnv.DB.batch(Array.from({ length: 45 }, (_, index) => testEnv.DB.prepare(insert).bind(`made-${index}`, row.provider, `made-${index}`, row.firstSeenAt - (index % 7), row.firstSeenAt)));
    const seen: string[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const page = (await json(doors.get(maria, next === "" ? HERE : `${HERE}?cursor=${next}`))) as { rows: { id: string; firstSeenAt: number }[]; next: string | null };
      seen.push(...page.rows.map((one) => one.id));
      next = page.next;
    }
    expect(seen).toHaveLength(46);
    expect(new Set(seen).size).toBe(46);
    expect(seen).toContain(id);
  });
});

describe("one difference", () => {
  test("is explained once, with a name and words that nobody changes, and stays so while both sides do", async () => {
    const { id, lastSeenAt, objectId } = await found();
    const explained = (note: string, seen = lastSeenAt) => doors.post(maria, `${HERE}/${id}`, { note, lastSeenAt: String(seen) });
    expect(await json(explained("curto"))).toMatchObject({ errors: { note: "Escreva um pouco mais: quem ler depois precisa entender" } });
    expect(await json(explained(NOTE, lastSeenAt - 1))).toMatchObject({ message: "Esta diferença mudou enquanto você escrevia. Confira os dois lados e tente de novo." });
    expect(await outcome(explained(NOTE))).toBe("302");
    expect(await json(explained(NOTE))).toMatchObject({ message: expect.stringContaining("mudou enquanto") });
    expect(await json(doors.get(maria, `${HERE}/${id}`))).toMatchObject({ difference: { state: "explained" }, notes: [{ note: NOTE, writtenBy: maria.person.name }] });
    await expect(testEnv.DB.prepare("UPDATE reconciliation_notes SET note = 'outra coisa'").run()).rejects.toThrow(/immutable_note/);
    await expect(testEnv.DB.prepare("DELETE FROM reconciliation_notes").run()).rejects.toThrow(/immutable_note/);

    await world.advance(DAY_MS);
    await wholeNight(world.ctx);
    expect((await stateOf(world.ctx, id))?.state).toBe("explained");
    await testEnv.PSP_DB.prepare("UPDATE charges SET amount_cents = 9900 WHERE id = ?").bind(objectId).run();
    await world.advance(DAY_MS);
    await wholeNight(world.ctx);
    expect(await stateOf(world.ctx, id)).toMatchObject({ state: "open", gapCents: -9_900, resolvedBy: null });
  });

  test("is asked about again: left while it is, or while the provider is silent, and resolved when it is gone", async () => {
    const { id, objectId } = await found();
    // Behind these doors no provider answers.
    expect(await outcome(doors.post(maria, `${HERE}/${id}/ask`, {}))).toBe("302");
    await expect(askAgain({ ...world.ctx, payments: { ...world.ctx.payments, name: "another" } }, { differenceId: id })).rejects.toThrow(ProviderSilent);
    expect(await askAgain(world.ctx, { differenceId: id })).toEqual({ isLeft: true });
    expect((await stateOf(world.ctx, id))?.state).toBe("open");
    await testEnv.PSP_DB.prepare("UPDATE charges SET status = 'canceled' WHERE id = ?").bind(objectId).run();
    expect(await askAgain(world.ctx, { differenceId: id })).toEqual({ isLeft: false });
    expect(await stateOf(world.ctx, id)).toMatchObject({ state: "repaired", resolvedBy: null });
  });

  test("that is none is not found", async () => {
    expect(await outcome(doors.get(maria, `${HERE}/nothing`))).toBe("404");
    expect(await outcome(doors.post(maria, `${HERE}/nothing/ask`, {}))).toBe("404");
  });
});
