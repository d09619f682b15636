import type { MiddlewareFunction } from "react-router";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { explainDifference } from "#app/domain/reconciliation/commands/explain.server.ts";
import { reexamineDifference } from "#app/domain/reconciliation/commands/resolve.server.ts";
import { ProviderUnavailable } from "#app/domain/payments/errors.ts";
import { requireModerator } from "#app/http/require-member.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import * as ask from "#app/routes/admin/reconciliation/reconciliation-reexamine.tsx";
import * as difference from "#app/routes/admin/reconciliation/reconciliation-difference.tsx";
import * as list from "#app/routes/admin/reconciliation/reconciliation.tsx";
import { outbox } from "#drizzle/schema/outbox.ts";
import { reconciliationDifferences } from "#drizzle/schema/reconciliation.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import {
  differencesAbout,
  deleteRuns,
  stateOf,
  msUntilNextRun,
  finishRun,
} from "#tests/support/reconciliation.ts";
import { moderatorInTeam } from "#tests/support/teams.ts";
import { insertSales } from "#tests/support/transactions.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ofStaff = (module: object) => ({
  module,
  middleware: [requireModerator as MiddlewareFunction],
});
const routes = callRoutesAs([
  { path: "admin/reconciliation", ...ofStaff(list) },
  { path: "admin/reconciliation/:id", ...ofStaff(difference) },
  { path: "admin/reconciliation/:id/ask", ...ofStaff(ask) },
]);
const HERE = "/admin/reconciliation";
const NOTE = "Venda de ingressos feita na página do provedor, conferida com o financeiro.";

let world: World;
let maria: ActingCaller;
let bruno: ActingCaller;
const foreign: string[] = [];
beforeEach(async () => {
  await deleteRuns();
  world = await testContext({ webhooks: false });
  maria = { person: await createModerator(world.ctx), isModerator: true };
  bruno = { person: await createPerson(world.ctx, "Bruno") };
});
afterEach(async () => {
  await deleteRuns();
  for (const id of foreign.splice(0))
    await testEnv.PSP_DB.prepare("DELETE FROM charges WHERE id = ?").bind(id).run();
});

const json = async (answer: Promise<Response>) =>
  (await answer).json() as Promise<Record<string, unknown>>;
/** Creates a foreign payment at the provider, and runs the reconciliation that finds it. */
async function found() {
  // Starts just after a reconciliation run, so that the next three runs still list the payment.
  await world.advance(msUntilNextRun(world.ctx.now()) + HOUR_MS);
  const charge = await world.ctx.payments.createPixCharge({
    chargeId: `foreign-${world.ctx.newId()}`,
    amountCents: 4_200,
    description: "x",
    payerName: "x",
    expiresAt: world.ctx.now() + HOUR_MS,
  });
  await payAtBank(world, { providerChargeId: charge.id });
  foreign.push(charge.id);
  await world.advance(msUntilNextRun(world.ctx.now()));
  await finishRun(world.ctx);
  const [row] = await differencesAbout(world.ctx, [charge.id]);
  if (!row) throw new Error("the night found nothing");
  return row;
}

test("reconciliation answers 404 to members who are not moderators", async () => {
  const { id } = await found();
  for (const path of ["", `/${id}`, `/${id}/ask`])
    expect(await responseOutcome(routes.get(bruno, HERE + path))).toBe("404");
  for (const path of [`/${id}`, `/${id}/ask`])
    expect(
      await responseOutcome(routes.post(bruno, HERE + path, { note: NOTE, lastSeenAt: "1" })),
    ).toBe("404");
  expect((await stateOf(world.ctx, id))?.state).toBe("open");
});

describe("list of reconciliation differences", () => {
  test("shows the runs and the differences of a filter, and an empty state", async () => {
    expect(await json(routes.get(maria, HERE))).toMatchObject({
      runs: [],
      openCount: 0,
      rows: [],
      next: null,
      state: "open",
    });
    const { id, objectId } = await found();
    expect(await json(routes.get(maria, HERE))).toMatchObject({
      openCount: 1,
      runs: [{ provider: "sandbox", foundCount: 1, repairedCount: 0 }],
      rows: [
        {
          id,
          object: "charge",
          kind: "ours_missing",
          state: "open",
          ours: null,
          theirs: { status: "succeeded", amountCents: 4_200 },
        },
      ],
    });
    expect(objectId).not.toBe("");
    for (const query of ["?state=repaired", "?state=explained", "?kind=amount"])
      expect(await json(routes.get(maria, HERE + query))).toMatchObject({ rows: [], openCount: 1 });
    expect(
      await json(routes.get(maria, `${HERE}?state=nonsense&kind=nonsense&cursor=nonsense`)),
    ).toMatchObject({ state: "open", kind: null, rows: [{ id }] });
  });

  test("pages the differences, newest first, each once", async () => {
    const { id, ...row } = await found();
    const insert =
      "INSERT INTO reconciliation_differences (id, provider, object, object_id, kind, is_money, gap_cents, state, first_seen_at, last_seen_at) VALUES (?, ?, 'charge', ?, 'amount', 1, 1, 'open', ?, ?)";
    await testEnv.DB.batch(
      Array.from({ length: 45 }, (_, index) =>
        testEnv.DB.prepare(insert).bind(
          `made-${index}`,
          row.provider,
          `made-${index}`,
          row.firstSeenAt - (index % 7),
          row.firstSeenAt,
        ),
      ),
    );
    const seen: string[] = [];
    for (let next: string | null = ""; next !== null;) {
      const page = (await json(
        routes.get(maria, next === "" ? HERE : `${HERE}?cursor=${next}`),
      )) as { rows: { id: string; firstSeenAt: number }[]; next: string | null };
      seen.push(...page.rows.map((one) => one.id));
      next = page.next;
    }
    expect(seen).toHaveLength(46);
    expect(new Set(seen).size).toBe(46);
    expect(seen).toContain(id);
  });
});

describe("one reconciliation difference", () => {
  test("is explained once with an unchangeable note, and reopens only when a side changes", async () => {
    const { id, lastSeenAt, objectId } = await found();
    const explained = (note: string, seen = lastSeenAt) =>
      routes.post(maria, `${HERE}/${id}`, { act: "explain", note, lastSeenAt: String(seen) });
    expect(await json(explained("curto"))).toMatchObject({
      errors: { note: "Escreva um pouco mais: quem ler depois precisa entender" },
    });
    expect(await json(explained(NOTE, lastSeenAt - 1))).toMatchObject({
      message:
        "Esta diferença mudou enquanto você escrevia. Confira os dois lados e tente de novo.",
    });
    expect(await responseOutcome(explained(NOTE))).toBe("302");
    expect(await json(explained(NOTE))).toMatchObject({
      message: expect.stringContaining("mudou enquanto"),
    });
    expect(await json(routes.get(maria, `${HERE}/${id}`))).toMatchObject({
      difference: { state: "explained" },
      notes: [{ note: NOTE, writtenBy: maria.person.name }],
    });
    await expect(
      testEnv.DB.prepare("UPDATE reconciliation_notes SET note = 'outra coisa'").run(),
    ).rejects.toThrow(/immutable_note/);
    await expect(testEnv.DB.prepare("DELETE FROM reconciliation_notes").run()).rejects.toThrow(
      /immutable_note/,
    );

    await world.advance(DAY_MS);
    await finishRun(world.ctx);
    expect((await stateOf(world.ctx, id))?.state).toBe("explained");
    await testEnv.PSP_DB.prepare("UPDATE charges SET amount_cents = 9900 WHERE id = ?")
      .bind(objectId)
      .run();
    await world.advance(DAY_MS);
    await finishRun(world.ctx);
    expect(await stateOf(world.ctx, id)).toMatchObject({
      state: "open",
      gapCents: -9_900,
      resolvedBy: null,
    });
  });

  test("above the approval limit needs two moderators: one asks, another agrees, both are named", async () => {
    const { id, lastSeenAt } = await found();
    const dora = { person: await createModerator(world.ctx), isModerator: true };
    await testEnv.DB.prepare(
      "UPDATE reconciliation_differences SET gap_cents = -500001 WHERE id = ?",
    )
      .bind(id)
      .run();
    const at = `${HERE}/${id}`;
    const say = (who: ActingCaller, act: string) =>
      routes.post(who, at, { act, note: NOTE, lastSeenAt: String(lastSeenAt) });
    expect(await json(routes.get(maria, at))).toMatchObject({
      forTwo: { limitCents: 500_000 },
      asked: null,
    });
    expect(await json(say(dora, "dismiss"))).toMatchObject({
      message: expect.stringContaining("mudou enquanto"),
    });
    expect(await responseOutcome(say(maria, "explain"))).toBe("302");
    expect(await stateOf(world.ctx, id)).toMatchObject({
      state: "open",
      explainAskedBy: maria.person.id,
      resolvedBy: null,
    });
    const told = (
      await world.ctx.db
        .select()
        .from(outbox)
        .where(eq(outbox.type, "reconciliation.explanation_asked"))
    ).filter(({ payload }) => payload["differenceId"] === id);
    expect(told).toHaveLength(1);
    expect([told[0]?.payload["moderatorIds"]].flat()).toEqual(
      expect.arrayContaining([dora.person.id]),
    );
    expect([told[0]?.payload["moderatorIds"]].flat()).not.toContain(maria.person.id);

    expect(await json(routes.get(dora, HERE))).toMatchObject({
      rows: [{ id, state: "open", isAsked: true }],
    });
    expect(await json(say(maria, "explain"))).toMatchObject({
      message: expect.stringContaining("Outra pessoa da moderação precisa concordar"),
    });
    await expect(
      testEnv.DB.prepare(
        "UPDATE reconciliation_differences SET state = 'explained', resolved_at = 1, resolved_by = explain_asked_by WHERE id = ?",
      )
        .bind(id)
        .run(),
    ).rejects.toThrow(/explained_alone/);
    expect(await json(routes.get(maria, at))).toMatchObject({
      asked: { byName: maria.person.name, isOwn: true },
    });
    expect(await json(routes.get(dora, at))).toMatchObject({
      asked: { byName: maria.person.name, isOwn: false },
    });

    // A moderator who disagrees dismisses the request with a note, and it can be asked again.
    expect(await responseOutcome(say(dora, "dismiss"))).toBe("302");
    expect(await stateOf(world.ctx, id)).toMatchObject({
      state: "open",
      explainAskedBy: null,
      explainAskedAt: null,
    });
    expect(await responseOutcome(say(dora, "explain"))).toBe("302");
    // Of two parallel agreements one counts.
    expect(
      (
        await Promise.all([
          responseOutcome(say(maria, "explain")),
          responseOutcome(say(maria, "explain")),
        ])
      ).toSorted(),
    ).toEqual(["302", "409"]);
    expect(await stateOf(world.ctx, id)).toMatchObject({
      state: "explained",
      explainAskedBy: dora.person.id,
      resolvedBy: maria.person.id,
    });
    expect(await json(routes.get(dora, at))).toMatchObject({
      difference: { state: "explained" },
      explainedBy: [dora.person.name, maria.person.name],
    });
  });

  test("a pending explanation is withdrawn when one side of the difference changes", async () => {
    const { id, lastSeenAt, objectId } = await found();
    const ctx: Context = {
      ...world.ctx,
      settings: { ...world.ctx.settings, payoutApprovalCents: 4_000 },
    };
    const explaining = {
      differenceId: id,
      note: NOTE,
      moderatorIds: [],
      moderatorId: maria.person.id,
    };
    expect(await explainDifference(ctx, { ...explaining, lastSeenAt })).toBe("asked");
    await reexamineDifference(ctx, { differenceId: id });
    expect(await stateOf(ctx, id)).toMatchObject({ explainAskedBy: maria.person.id });
    await testEnv.PSP_DB.prepare("UPDATE charges SET amount_cents = 9900 WHERE id = ?")
      .bind(objectId)
      .run();
    await reexamineDifference(ctx, { differenceId: id });
    expect(await stateOf(ctx, id)).toMatchObject({
      state: "open",
      explainAskedBy: null,
      explainAskedAt: null,
    });
  });

  test("about a moderator's own sale or team is explained by another moderator", async () => {
    const ana = await createSeller(world.ctx);
    const [chargeId = ""] = await insertSales(world.ctx, [
      { payerId: bruno.person.id, creatorId: ana.id, amountCents: 1_000, at: world.ctx.now() },
    ]);
    const seenAt = world.ctx.now();
    const id = world.ctx.newId();
    await world.ctx.db.insert(reconciliationDifferences).values({
      id,
      provider: "sandbox",
      object: "charge",
      objectId: id,
      kind: "theirs_missing",
      ourId: chargeId,
      ours: null,
      theirs: null,
      isMoney: true,
      gapCents: 1_000,
      state: "open",
      firstSeenAt: seenAt,
      lastSeenAt: seenAt,
    });
    const say = (person: TestPerson, act: string) =>
      routes.post({ person, isModerator: true }, `${HERE}/${id}`, {
        act,
        note: NOTE,
        lastSeenAt: String(seenAt),
      });
    for (const side of [ana, bruno.person, await moderatorInTeam(world.ctx, ana.id)]) {
      expect(
        await json(routes.get({ person: side, isModerator: true }, `${HERE}/${id}`)),
      ).toMatchObject({ isSide: true });
      for (const act of ["explain", "dismiss"])
        expect(await json(say(side, act))).toMatchObject({
          message: expect.stringContaining("outra pessoa da moderação"),
        });
    }
    expect(await json(routes.get(maria, `${HERE}/${id}`))).toMatchObject({
      isSide: false,
      forTwo: null,
    });
    expect(await responseOutcome(say(maria.person, "explain"))).toBe("302");
  });

  test("is examined again: stays open while it lasts or the provider is unavailable, and is resolved when gone", async () => {
    const { id, objectId } = await found();
    // These routes have no provider.
    expect(await responseOutcome(routes.post(maria, `${HERE}/${id}/ask`, {}))).toBe("302");
    await expect(
      reexamineDifference(
        { ...world.ctx, payments: { ...world.ctx.payments, name: "another" } },
        { differenceId: id },
      ),
    ).rejects.toThrow(ProviderUnavailable);
    expect(await reexamineDifference(world.ctx, { differenceId: id })).toEqual({ isLeft: true });
    expect((await stateOf(world.ctx, id))?.state).toBe("open");
    await testEnv.PSP_DB.prepare("UPDATE charges SET status = 'canceled' WHERE id = ?")
      .bind(objectId)
      .run();
    expect(await reexamineDifference(world.ctx, { differenceId: id })).toEqual({ isLeft: false });
    expect(await stateOf(world.ctx, id)).toMatchObject({ state: "repaired", resolvedBy: null });
  });

  test("answers 404 when it does not exist", async () => {
    expect(await responseOutcome(routes.get(maria, `${HERE}/nothing`))).toBe("404");
    expect(await responseOutcome(routes.post(maria, `${HERE}/nothing/ask`, {}))).toBe("404");
  });
});
