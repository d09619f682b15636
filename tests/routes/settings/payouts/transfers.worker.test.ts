import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { beforeRequestText } from "#app/components/payouts/payout-labels.ts";
import { payoutObstacleText } from "#app/components/payouts/timeline-texts.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { loadMoneyTimeline } from "#app/domain/payouts/timeline/queries/timeline.server.ts";
import type { AvailableReason } from "#app/domain/payouts/timeline/rules/timeline.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { takeToast } from "#app/http/toast.server.ts";
import * as transfers from "#app/routes/settings/payouts/transfers.tsx";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cookiesOf, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const HERE = "/settings/transfers";
const path = [{ path: "settings/transfers", module: transfers }];
const routes = callRoutesAs(path);
/** The approval limit of R$ 10 is below the payout of R$ 18,90. */
const strict = callRoutesAs(path, { ...testEnv, PAYOUT_APPROVAL_LIMIT: "10" });

let world: World;
let ana: Seller;
const asAna = (): ActingCaller => ({ person: ana, isCreator: true });

beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
});

describe("message about a payout", () => {
  type Shown = Parameters<typeof beforeRequestText>[0] & { isConfirming: boolean };
  const before = async (by: typeof routes) =>
    beforeRequestText(await by.read<Shown>(asAna(), `${HERE}?sacar=sim`));
  const after = async (by: typeof routes, caller = asAna()) => {
    const answer = await by.post(caller, HERE, caller.teamId ? { space: ana.id } : {});
    await world.ctx.db
      .update(payouts)
      .set({ status: "canceled" })
      .where(eq(payouts.creatorId, ana.id));
    return (await takeToast(new Request(TEST_ORIGIN, { headers: { Cookie: cookiesOf(answer) } })))
      .toast?.message;
  };
  afterEach(() => testEnv.DB.exec("DELETE FROM ledger_checks"));

  test("says when it arrives, if it leaves at once", async () => {
    expect([await before(routes), await after(routes)]).toEqual([
      "Vai tudo o que estiver disponível, sem taxa.",
      "Saque pedido. O dinheiro chega pelo Pix, quase sempre em minutos.",
    ]);
  });

  test("above the approval limit says that staff reviews it, before and after the request, also to the team", async () => {
    const words = "Pelo valor, uma pessoa da nossa equipe confere antes de enviar.";
    expect([await before(strict), await after(strict)]).toEqual([
      `Vai tudo o que estiver disponível, sem taxa. ${words}`,
      `Saque pedido. ${words}`,
    ]);
    const made = await createTeamFor(world.ctx, ana);
    const mate = {
      person: await createTeammate(world.ctx, made, "admin", { mayManageBilling: true }),
      teamId: made.teamId,
    };
    expect(await after(strict, mate)).toBe(
      `Saque pedido. O dinheiro vai para a chave Pix ou conta de ${ana.name}. ${words}`,
    );
  });

  test("while a ledger check fails says that it waits for the check", async () => {
    await testEnv.DB.exec(
      "INSERT INTO ledger_checks (name, checked_at, broken_count, holds_payouts) VALUES ('charges_posted', 1, 1, 1)",
    );
    const words = "Estamos conferindo as contas, e ele sai assim que terminarmos.";
    expect([await before(routes), await after(routes)]).toEqual([
      `Vai tudo o que estiver disponível, sem taxa. ${words}`,
      `Saque pedido. ${words}`,
    ]);
  });
});

describe("a creator who cannot request a payout reads the same reason as on the timeline, without a button", () => {
  type Shown = { obstacle: AvailableReason | null; isConfirming: boolean };
  const shown = async (caller = asAna()) => await routes.read<Shown>(caller, `${HERE}?sacar=sim`);
  const onTimeline = async () =>
    (
      await loadMoneyTimeline(world.ctx, { creatorId: ana.id, cursor: null, limit: 9 })
    ).rows.flatMap((row) => (row.of === "available" ? [row.wait] : []));
  const said = ({ obstacle }: Shown, of: string | null = null) =>
    obstacle ? payoutObstacleText(obstacle, { holdReason: null, of }).why : null;

  test("no obstacle", async () => {
    expect(await shown()).toMatchObject({ obstacle: null, isConfirming: true });
  });

  test("account being deleted", async () => {
    await world.ctx.db
      .update(people)
      .set({ leavingAt: world.ctx.now() })
      .where(eq(people.id, ana.id));
    const page = await shown();
    expect([page.isConfirming, [page.obstacle], said(page)]).toEqual([
      false,
      await onTimeline(),
      "O saldo é pago no fim do prazo da exclusão, sem valor mínimo.",
    ]);
    expect((await routes.post(asAna(), HERE, {})).status).toBe(409);
  });

  test("creator under 18, whose message is the same for their team", async () => {
    const made = await createTeamFor(world.ctx, ana);
    const mate = {
      person: await createTeammate(world.ctx, made, "admin", { mayManageBilling: true }),
      teamId: made.teamId,
    };
    await world.ctx.db
      .update(documents)
      .set({ status: "rejected", rejectionCode: "underage", decidedAt: world.ctx.now() })
      .where(eq(documents.personId, ana.id));
    const page = await shown();
    expect([page.isConfirming, [page.obstacle]]).toEqual([false, await onTimeline()]);
    expect(said(page)).toContain("volta para quem pagou");
    expect(said(await shown(mate), ana.name)).toBe(
      `O que ainda não saiu da página de ${ana.name} volta para quem pagou.`,
    );
  });

  test("payout held for approval", async () => {
    await strict.post(asAna(), HERE, {});
    const [made] = await world.ctx.db.select().from(payouts).where(eq(payouts.status, "requested"));
    await claimPayout(
      { ...world.ctx, settings: { ...world.ctx.settings, payoutApprovalCents: 1 } },
      { payoutId: made?.id ?? "" },
    );
    const page = await shown();
    expect([[page.obstacle], said(page)]).toEqual([
      await onTimeline(),
      "Pelo valor, uma pessoa da nossa equipe confere antes de enviar. Não precisa fazer nada.",
    ]);
  });
});
