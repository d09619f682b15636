import { eq, sql } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { checkBooks } from "#app/domain/audit/commands.server.ts";
import { invariants } from "#app/domain/audit/queries/invariants.server.ts";
import { fullAuditScope } from "#app/domain/audit/queries/invariants/moved.server.ts";
import {
  receiveEvent,
  quarantineEvent,
} from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import { retryQuarantinedEvent } from "#app/domain/payments/webhook-events/commands/quarantine.server.ts";
import { quarantinedEvents } from "#app/domain/payments/webhook-events/queries/quarantine.server.ts";
import { QuarantinedEventChanged } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as retry from "#app/routes/admin/deliveries/delivery-retry.tsx";
import * as one from "#app/routes/admin/deliveries/delivery.tsx";
import * as list from "#app/routes/admin/deliveries/deliveries.tsx";
import * as reconciliation from "#app/routes/admin/reconciliation/reconciliation.tsx";
import { notifications } from "#drizzle/schema/notifications.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { organizationMembers } from "#drizzle/schema/teams.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { expectAppliedOnce, payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { moderatorInTeam } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";

const ofStaff = (module: object) => ({
  module,
  middleware: [requireModerator as MiddlewareFunction],
});
const routes = callRoutesAs([
  { path: "admin/reconciliation", ...ofStaff(reconciliation) },
  { path: "admin/reconciliation/deliveries", ...ofStaff(list) },
  { path: "admin/reconciliation/deliveries/:id", ...ofStaff(one) },
  { path: "admin/reconciliation/deliveries/:id/retry", ...ofStaff(retry) },
]);
const HERE = "/admin/reconciliation/deliveries";
const NOTE = "Devolvido na página do provedor em 23/11.";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let maria: ActingCaller;
let carla: ActingCaller;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ webhooks: false });
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
  maria = { person: await createModerator(world.ctx), isModerator: true };
  carla = { person: await createModerator(world.ctx), isModerator: true };
});
afterEach(() => world.queued.splice(0));

type Told = { id: string; quarantinedAt: number };
let events = 0;

/** Stores a webhook event with an id like those of Asaas. */
async function received(event: Partial<ProviderEvent> = {}): Promise<string> {
  const told = {
    provider: "sandbox",
    event: {
      id: `evt_${(events += 1)}&Ab/c`,
      type: "charge" as const,
      objectId: "ch_nobodys",
      ...event,
    },
    rawBody: '{"cpf":"52998224725"}',
  };
  return (await receiveEvent(world.ctx, told)).id;
}

async function setAside(
  event: Partial<ProviderEvent> = {},
  { reason = "unknown_charge" as const, at = world.ctx.realNow() } = {},
): Promise<Told> {
  const id = await received(event);
  await quarantineEvent({ ...world.ctx, realNow: () => at }, { inboxId: id, reason });
  return { id, quarantinedAt: at };
}

const at = (id: string) => `${HERE}/${encodeURIComponent(id)}`;
const json = async (answer: Promise<Response>) =>
  (await answer).json() as Promise<Record<string, unknown>>;
const row = async (id: string) =>
  (await world.ctx.db.select().from(inbox).where(eq(inbox.id, id)))[0];
const close = (who: ActingCaller, { id, quarantinedAt }: Told, note = NOTE) =>
  routes.post(who, at(id), { note, seenAt: String(quarantinedAt) });
const again = (who: ActingCaller, { id, quarantinedAt }: Told) =>
  routes.post(who, `${at(id)}/retry`, { seenAt: String(quarantinedAt) });
const listed = async (query = "") =>
  (await json(routes.get(maria, HERE + query))) as {
    rows: { id: string; state: string }[];
    next: string | null;
    waitingCount: number;
  };

test("quarantined events answer 404 to members who are not moderators", async () => {
  const aside = await setAside();
  const nobody = { person: bruno };
  expect(
    await Promise.all(
      [
        routes.get(nobody, HERE),
        routes.get(nobody, at(aside.id)),
        routes.get(nobody, `${at(aside.id)}/retry`),
        close(nobody, aside),
        again(nobody, aside),
      ].map(responseOutcome),
    ),
  ).toEqual(Array(5).fill("404"));
  expect(await row(aside.id)).toMatchObject({ answer: null, quarantinedAt: aside.quarantinedAt });
});

describe("list of quarantined events", () => {
  test("shows waiting and answered events and their count, and leaves out events that need no review", async () => {
    expect(await listed()).toMatchObject({
      rows: [],
      next: null,
      waitingCount: 0,
      state: "waiting",
    });
    const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
    const aside = await setAside({ objectId: providerChargeId });
    const unknown = await received({ type: "other", objectId: "INVOICE_SYNCHRONIZED" });
    await applyEvent(world.ctx, { inboxId: unknown });
    await received({ objectId: "ch_waits" });
    expect(await listed()).toMatchObject({
      waitingCount: 1,
      rows: [
        {
          id: aside.id,
          provider: "sandbox",
          type: "charge",
          reason: "unknown_charge",
          state: "waiting",
          at: aside.quarantinedAt,
          about: { object: "charge", id: chargeId, status: "awaiting_payment", amountCents: 1_990 },
        },
      ],
    });
    expect(await json(routes.get(maria, "/admin/reconciliation"))).toMatchObject({
      quarantinedCount: 1,
    });
    expect(await listed("?state=answered")).toMatchObject({ rows: [], waitingCount: 1 });
    expect(await listed("?state=nonsense&cursor=nonsense")).toMatchObject({
      rows: [{ id: aside.id }],
    });
    await close(maria, aside);
    expect([await listed(), await listed("?state=answered")]).toMatchObject([
      { rows: [], waitingCount: 0 },
      { rows: [{ id: aside.id, state: "closed" }] },
    ]);
    expect(await responseOutcome(routes.get(maria, at(unknown)))).toBe("404");
    expect(await responseOutcome(routes.get(maria, at("nothing")))).toBe("404");
  });

  test.each(["waiting", "answered"])(
    "pages the %s events, newest first, each once",
    async (state) => {
      const made: string[] = [];
      for (let index = 0; index < 35; index += 1) {
        const aside = await setAside({}, { at: 1_000 + Math.floor(index / 2) });
        made.unshift(aside.id);
        if (state === "answered")
          await world.ctx.db
            .update(inbox)
            .set({
              answer: "closed",
              answeredAt: aside.quarantinedAt,
              answeredBy: maria.person.id,
              answerNote: NOTE,
            })
            .where(eq(inbox.id, aside.id));
      }
      const first = await listed(`?state=${state}`);
      const second = await listed(`?state=${state}&cursor=${encodeURIComponent(first.next ?? "")}`);
      expect([first.rows.length, second.rows.length, second.next]).toEqual([30, 5, null]);
      const seen = [...first.rows, ...second.rows].map(({ id }) => id);
      expect(seen.toSorted()).toEqual(made.toSorted());
      const moments = await Promise.all(
        seen.map(async (id) => (await row(id))?.quarantinedAt ?? 0),
      );
      expect(moments).toEqual(moments.toSorted((a, b) => b - a));
    },
  );
});

test("events that need no review are not read to find the waiting ones", async () => {
  const readFor = async () => {
    const tap = recordDatabase(testEnv.DB);
    const ctx = { ...world.ctx, db: openDatabase(tap.database) };
    for (const state of ["waiting", "answered"] as const)
      await quarantinedEvents(ctx, { state, cursor: null, limit: 30 });
    await ctx.db.all(
      invariants.find(({ name }) => name === "deliveries_set_aside")?.sql(ctx, fullAuditScope) ??
        sql`nothing`,
    );
    return tap.trips.flat().reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  };
  await setAside();
  const before = await readFor();
  for (let index = 0; index < 40; index += 1)
    await applyEvent(world.ctx, {
      inboxId: await received({ type: "other", objectId: "INVOICE_SYNCHRONIZED" }),
    });
  expect(await readFor()).toBe(before);
});

describe("one quarantined event", () => {
  test("shows what it is about, and nothing of its body", async () => {
    const aside = await setAside();
    const answer = await (await routes.get(maria, at(aside.id))).text();
    expect(JSON.parse(answer)).toMatchObject({
      id: aside.id,
      provider: "sandbox",
      objectId: "ch_nobodys",
      reason: "unknown_charge",
      detail: null,
      about: null,
      state: "waiting",
      isSide: false,
      isAnswered: false,
      note: null,
    });
    expect(answer).not.toContain("52998224725");
  });

  test("is closed once, with a name and a note that cannot be changed", async () => {
    const aside = await setAside();
    expect(await json(close(maria, aside, " a "))).toMatchObject({
      errors: { note: "Escreva um pouco mais: quem ler depois precisa entender" },
      values: { note: " a " },
    });
    expect(await json(close(maria, aside, "a".repeat(501)))).toMatchObject({
      errors: { note: "Use até 500 letras" },
    });
    expect(
      await json(close(maria, { ...aside, quarantinedAt: aside.quarantinedAt - 1 })),
    ).toMatchObject({
      message: expect.stringContaining("enquanto você olhava"),
      values: { note: NOTE },
    });
    expect(
      await Promise.all([
        responseOutcome(close(maria, aside)),
        responseOutcome(close(carla, aside)),
      ]),
    ).toEqual(expect.arrayContaining(["302", "409"]));
    expect(await json(close(carla, aside))).toMatchObject({
      message: expect.stringContaining("enquanto você olhava"),
    });
    await again(carla, aside);
    expect(world.queued).toHaveLength(0);
    expect(await json(routes.get(maria, at(aside.id)))).toMatchObject({
      state: "closed",
      note: NOTE,
      isAnswered: true,
    });
    for (const change of [
      "answer = NULL, answered_at = NULL, answered_by = NULL, answer_note = NULL",
      "answer_note = 'outra'",
      "quarantined_at = NULL",
      "handled_at = 5",
    ])
      await expect(
        testEnv.DB.prepare(`UPDATE inbox SET ${change} WHERE id = ?`).bind(aside.id).run(),
        change,
      ).rejects.toThrow(/immutable_answer/);
  });

  test("is not closed by its payer, who may retry it", async () => {
    const { providerChargeId } = await pixCheckout(world, bruno, ana);
    const aside = await setAside({ objectId: providerChargeId });
    const own: ActingCaller = { person: bruno, isModerator: true };
    expect(await json(routes.get(own, at(aside.id)))).toMatchObject({ isSide: true });
    expect(await responseOutcome(close(own, aside))).toBe("403");
    expect(await responseOutcome(again(own, aside))).toBe("302");
    expect(await row(aside.id)).toMatchObject({ answer: "retried", answeredBy: bruno.id });
  });

  test("is not closed by a member of the creator's team, until they leave the team", async () => {
    const { providerChargeId } = await pixCheckout(world, bruno, ana);
    const aside = await setAside({ objectId: providerChargeId });
    const colleague: ActingCaller = {
      person: await moderatorInTeam(world.ctx, ana.id),
      isModerator: true,
    };
    expect(await json(routes.get(colleague, at(aside.id)))).toMatchObject({ isSide: true });
    expect(await responseOutcome(close(colleague, aside))).toBe("403");
    await world.ctx.db
      .update(organizationMembers)
      .set({ removedAt: world.ctx.now() })
      .where(eq(organizationMembers.personId, colleague.person.id));
    expect(await json(routes.get(colleague, at(aside.id)))).toMatchObject({ isSide: false });
    expect(await responseOutcome(close(colleague, aside))).toBe("302");
  });

  test("is retried once through its queue, and then applied", async () => {
    const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
    const aside = await setAside({ objectId: providerChargeId });
    await payAtBank(world, { providerChargeId });
    const both = await Promise.allSettled(
      [maria, carla].map(({ person: { id } }) =>
        retryQuarantinedEvent(world.ctx, {
          inboxId: aside.id,
          seenAt: aside.quarantinedAt,
          moderatorId: id,
        }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((end) => end.status === "rejected")?.reason).toBeInstanceOf(
      QuarantinedEventChanged,
    );
    expect(await json(routes.get(maria, at(aside.id)))).toMatchObject({
      state: "queued",
      quarantinedAt: null,
    });
    expect((await listed("?state=answered")).rows).toMatchObject([
      { id: aside.id, state: "queued" },
    ]);
    await world.drain();
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
    expect(await json(routes.get(maria, at(aside.id)))).toMatchObject({
      state: "applied",
      about: { status: "succeeded" },
    });
    expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("succeeded");
  });

  test("is quarantined again with its reason when the retry fails", async () => {
    const aside = await setAside();
    await testEnv.DB.prepare("UPDATE inbox SET received_at = 1, attempts = 9 WHERE id = ?")
      .bind(aside.id)
      .run();
    await retryQuarantinedEvent(world.ctx, {
      inboxId: aside.id,
      seenAt: aside.quarantinedAt,
      moderatorId: maria.person.id,
    });
    expect(await row(aside.id)).toMatchObject({ attempts: 0, quarantinedAt: null });
    await world.drain();
    expect(await row(aside.id)).toMatchObject({
      quarantineReason: "not_there:charge_not_found",
      answer: "retried",
      answeredBy: maria.person.id,
    });
    expect(await listed()).toMatchObject({
      waitingCount: 1,
      rows: [{ id: aside.id, reason: "not_there", state: "waiting" }],
    });
  });
});

test("quarantined events notify staff once, hold no payout, and a retried one breaks no check", async () => {
  const bodies = async () =>
    (
      await world.ctx.db
        .select()
        .from(notifications)
        .where(eq(notifications.personId, maria.person.id))
    ).map(({ body, path }) => [body, path]);
  const look = async () => {
    const { brokenCount } = await checkBooks(world.ctx, { moderatorIds: [maria.person.id] });
    await world.drain();
    return brokenCount;
  };
  const first = await setAside();
  await setAside();
  expect([await look(), await look()]).toEqual([1, 1]);
  expect(await bodies()).toEqual([
    [
      "Uma regra do livro-razão quebrou: Nenhum aviso de um provedor está separado à espera de alguém (2 casos).",
      HERE,
    ],
  ]);
  expect(
    (
      await testEnv.DB.prepare(
        "SELECT holds_payouts FROM ledger_checks WHERE name = 'deliveries_set_aside'",
      ).first()
    )?.["holds_payouts"],
  ).toBe(0);
  for (const { id } of (await listed()).rows)
    await close(carla, { id, quarantinedAt: (await row(id))?.quarantinedAt ?? 0 });
  expect(await look()).toBe(0);
  // The event was received long ago, but has been in its queue for a moment only.
  const late = await setAside();
  await testEnv.DB.prepare("UPDATE inbox SET received_at = 1 WHERE id = ?").bind(late.id).run();
  await again(maria, late);
  expect(await checkBooks(world.ctx, { moderatorIds: [] })).toEqual({
    brokenCount: 0,
    missedCount: 0,
  });
  expect((await row(first.id))?.answer).toBe("closed");
});
