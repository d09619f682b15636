import { and, eq } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import { withdrawalMethodOfCreator } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { requireModerator } from "#app/http/require-member.ts";
import { takeToast } from "#app/http/toast.server.ts";
import * as batches from "#app/routes/admin/payouts/payout-batches.tsx";
import * as desk from "#app/routes/admin/payouts/payout.tsx";
import * as list from "#app/routes/admin/payouts/payouts.tsx";
import * as transfers from "#app/routes/settings/payouts/transfers.tsx";
import { payouts } from "#drizzle/schema/payouts.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cookiesOf, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const staffOnly = [requireModerator as MiddlewareFunction];
const pages = callRoutesAs([
  { path: "settings/transfers", module: transfers },
  { path: "admin/payouts", module: list, middleware: staffOnly },
  { path: "admin/payouts/batches", module: batches, middleware: staffOnly },
  { path: "admin/payouts/:id", module: desk, middleware: staffOnly },
]);

let world: World;
let ana: Seller;
let carla: TestPerson;
let made: Awaited<ReturnType<typeof createTeamFor>>;
const staff = () => ({ person: carla, isModerator: true });
const json = async (asked: Promise<Response>) =>
  (await asked).json() as Promise<Record<string, unknown>>;

beforeAll(async () => {
  world = await testContext();
  carla = await createModerator(world.ctx);
  ana = await createSeller(world.ctx);
  made = await createTeamFor(world.ctx, ana);
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
});

async function waiting(): Promise<string> {
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  await claimPayout(
    { ...world.ctx, settings: { ...world.ctx.settings, payoutApprovalCents: 1 } },
    { payoutId },
  );
  world.queued.splice(0);
  return payoutId;
}

describe("staff review of payouts", () => {
  test("answers 404 to others", async () => {
    const payoutId = await waiting();
    for (const path of ["/admin/payouts", "/admin/payouts/batches", `/admin/payouts/${payoutId}`])
      expect(await responseOutcome(pages.get({ person: ana, isCreator: true }, path))).toBe("404");
    expect(
      await responseOutcome(
        pages.post({ person: ana, isCreator: true }, `/admin/payouts/${payoutId}`, {
          act: "approve",
          seenCents: "1890",
          seenPlace: "-",
        }),
      ),
    ).toBe("404");
    expect((await payoutRow(world.ctx, { payoutId }))?.approvedCents).toBeNull();
    await world.ctx.db.update(payouts).set({ status: "canceled" }).where(eq(payouts.id, payoutId));
  });

  test("shows payouts to approve first, and approves only the amount and destination that were shown", async () => {
    const payoutId = await waiting();
    expect(await json(pages.get(staff(), "/admin/payouts"))).toMatchObject({
      view: "approval",
      counts: { approval: 1 },
      items: [{ id: payoutId, cents: 1_890, heldLabel: "Espera aprovação" }],
    });
    expect(await json(pages.get(staff(), "/admin/payouts?view=nonsense"))).toMatchObject({
      view: "approval",
    });
    expect(await json(pages.get(staff(), `/admin/payouts/${payoutId}`))).toMatchObject({
      may: { approve: true, cancel: true, retry: false, ask: false },
      availableCents: 1_890,
    });
    expect(
      await responseOutcome(
        pages.post(staff(), `/admin/payouts/${payoutId}`, { act: "approve", seenCents: "0" }),
      ),
    ).toBe("400");
    expect(
      await responseOutcome(
        pages.post(staff(), `/admin/payouts/${payoutId}`, { act: "approve", seenCents: "1890" }),
      ),
      "the approval names the destination",
    ).toBe("400");
    const { to, place } = await json(pages.get(staff(), `/admin/payouts/${payoutId}`));
    expect(
      await responseOutcome(
        pages.post(staff(), `/admin/payouts/${payoutId}`, {
          act: "approve",
          seenCents: "1890",
          seenPlace: String(to),
        }),
      ),
      "a masked destination is ambiguous",
    ).toBe("409");
    expect(
      await responseOutcome(
        pages.post(staff(), `/admin/payouts/${payoutId}`, {
          act: "approve",
          seenCents: "1890",
          seenPlace: String(place),
        }),
      ),
    ).toBe("302");
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
      approvedBy: carla.id,
      approvedCents: 1_890,
    });
    await world.ctx.db.update(payouts).set({ status: "canceled" }).where(eq(payouts.id, payoutId));
  });

  test("requires a reason, keeps the typed values, and refuses an action that is too late", async () => {
    const payoutId = await waiting();
    const none = await pages.post(staff(), `/admin/payouts/${payoutId}`, {
      act: "hold",
      reason: " ",
    });
    expect([none.status, await none.json()]).toMatchObject([
      400,
      { errors: { reason: "Escreva o motivo" }, values: { act: "hold" } },
    ]);
    expect(
      await responseOutcome(pages.post(staff(), `/admin/payouts/${payoutId}`, { act: "retry" })),
    ).toBe("409");
    expect(
      await responseOutcome(
        pages.post(staff(), `/admin/payouts/${payoutId}`, {
          act: "cancel",
          reason: "Pedido em dobro.",
        }),
      ),
    ).toBe("302");
    const late = await pages.post(staff(), `/admin/payouts/${payoutId}`, {
      act: "cancel",
      reason: "De novo.",
    });
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { message: "Este saque já saiu ou já terminou: não dá mais para cancelar." },
    ]);
    expect(await responseOutcome(pages.get(staff(), "/admin/payouts/none"))).toBe("404");
  });

  test("holds, releases, asks the provider and retries, each with its answer", async () => {
    const payoutId = await waiting();
    const at = `/admin/payouts/${payoutId}`;
    expect(
      await responseOutcome(pages.post(staff(), at, { act: "hold", reason: "Conferindo." })),
    ).toBe("302");
    expect(await json(pages.get(staff(), at))).toMatchObject({
      hold: { reason: "Conferindo." },
      may: { release: true },
    });
    expect(
      (await json(pages.get({ person: ana, isCreator: true }, "/settings/transfers"))).holdReason,
    ).toBe("Conferindo.");
    const admin = {
      person: await createTeammate(world.ctx, made, "admin", { mayManageBilling: true }),
      teamId: made.teamId,
    };
    expect(await json(pages.get(admin, "/settings/transfers"))).toMatchObject({
      holdReason: null,
      obstacle: { why: "held" },
    });
    expect(await responseOutcome(pages.post(staff(), at, { act: "ask" }))).toBe("409");
    expect(await responseOutcome(pages.post(staff(), at, { act: "release" }))).toBe("302");
    expect(await responseOutcome(pages.post(staff(), at, { act: "release" }))).toBe("409");
    await world.ctx.db
      .update(payouts)
      .set({ status: "claimed", approvedCents: 1_890, amountCents: 1_890 })
      .where(eq(payouts.id, payoutId));
    await world.ctx.db
      .update(payouts)
      .set({ status: "failed", settledAt: 1 })
      .where(eq(payouts.id, payoutId));
    expect(await responseOutcome(pages.post(staff(), at, { act: "retry" }))).toBe("302");
    const [again] = await world.ctx.db
      .select()
      .from(payouts)
      .where(and(eq(payouts.creatorId, ana.id), eq(payouts.status, "requested")));
    expect((await json(pages.get(staff(), `/admin/payouts/${again?.id}`))).acts).toMatchObject([
      { act: "retry", moderatorId: carla.id },
    ]);
    await world.ctx.db
      .update(payouts)
      .set({ status: "canceled" })
      .where(eq(payouts.id, again?.id ?? ""));
  });

  test("shows the newest batches for an invalid cursor", async () => {
    expect(await json(pages.get(staff(), "/admin/payouts/batches?cursor='"))).toMatchObject({
      next: null,
    });
  });
});

test("the creator cancels a requested payout, and teammates without billing and other creators cannot", async () => {
  const payoutId = await waiting();
  const shown = await json(pages.get({ person: ana, isCreator: true }, "/settings/transfers"));
  expect(shown).toMatchObject({
    mayCancel: true,
    history: {
      items: expect.arrayContaining([
        expect.objectContaining({ id: payoutId, heldReason: "approval" }),
      ]),
    },
  });
  const plain = { person: await createTeammate(world.ctx, made, "admin"), teamId: made.teamId };
  expect(
    await responseOutcome(
      pages.post(plain, "/settings/transfers", { cancel: payoutId, space: ana.id }),
    ),
  ).toBe("403");
  expect(
    await responseOutcome(
      pages.post(
        { person: await createSeller(world.ctx), isCreator: true },
        "/settings/transfers",
        {
          cancel: payoutId,
        },
      ),
    ),
  ).toBe("404");
  expect((await payoutRow(world.ctx, { payoutId }))?.status).toBe("held");
  expect(
    await responseOutcome(
      pages.post({ person: ana, isCreator: true }, "/settings/transfers", { cancel: payoutId }),
    ),
  ).toBe("302");
  expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
    status: "canceled",
    failureCode: "canceled_by_creator",
  });
  expect(await withdrawalMethodOfCreator(world.ctx, { creatorId: ana.id })).toMatchObject({
    schedule: "manual",
  });
});

test("only a payout that failed at its provider can be recorded as paid after all", async () => {
  const payoutId = await waiting();
  const record = async () =>
    await pages.post(staff(), `/admin/payouts/${payoutId}`, { act: "record" });
  expect([
    (await json(pages.get(staff(), `/admin/payouts/${payoutId}`)))["may"],
    await json(record()),
  ]).toMatchObject([
    { record: false },
    { message: "O provedor não diz que este saque foi pago. Nada mudou." },
  ]);
  await world.ctx.db
    .update(payouts)
    .set({ status: "failed", providerTransferId: "tr_late" })
    .where(eq(payouts.id, payoutId));
  expect((await json(pages.get(staff(), `/admin/payouts/${payoutId}`)))["may"]).toMatchObject({
    record: true,
  });
  // These routes have no provider.
  expect(await json(record())).toMatchObject({
    message: "O provedor não respondeu agora. Tente de novo em alguns minutos.",
  });
});

test("asking the provider about a payout reports that it was not sent yet, or that the provider is unavailable", async () => {
  const payoutId = await waiting();
  await claimPayout(world.ctx, { payoutId });
  const ask = async () => await pages.post(staff(), `/admin/payouts/${payoutId}`, { act: "ask" });
  // Nothing is sent while a ledger check fails, and an unsent payout needs no provider.
  await testEnv.DB.exec(
    "INSERT INTO ledger_checks (name, checked_at, broken_count, holds_payouts) VALUES ('charges_posted', 1, 1, 1)",
  );
  const told = await ask();
  expect(
    (await takeToast(new Request(TEST_ORIGIN, { headers: { Cookie: cookiesOf(told) } }))).toast,
  ).toEqual({ kind: "info", message: "Este saque continua em envio." });
  await testEnv.DB.exec("DELETE FROM ledger_checks");
  // These routes have no provider.
  const silent = await ask();
  expect([silent.status, await silent.json()]).toMatchObject([
    503,
    { message: "O provedor não respondeu agora. Tente de novo em alguns minutos." },
  ]);
});
