import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import { billingStatement } from "#app/domain/billing/statements/queries/statement.server.ts";
import { transactionForViewer } from "#app/domain/billing/statements/queries/transaction.server.ts";
import { unfilteredStatement } from "#app/domain/billing/schema.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import {
  PurchaseMethodNotOffered,
  CannotTipYourself,
  TipsNotAccepted,
} from "#app/domain/purchases/errors.ts";
import { InvalidTipAmount } from "#app/domain/purchases/tips/errors.ts";
import { tipRow } from "#app/domain/purchases/tips/queries.server.ts";
import {
  LeavingMemberCannotSubscribe,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { tips } from "#drizzle/schema/purchases.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { deletionsOf, refundsOfCharge, settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { pendingPixTip, TIP_CENTS, paidTip, tipCheckoutInput } from "#tests/support/tips.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const notificationsFor = async (personId: string) =>
  (
    await world.ctx.db
      .select()
      .from(notifications)
      .where(and(eq(notifications.personId, personId), eq(notifications.kind, "tip.given")))
  ).map(({ body }) => body);
const chargesOf = (payerId: string) =>
  world.ctx.db.select().from(charges).where(eq(charges.payerId, payerId));
const statusOf = async (chargeId: string) => (await chargeRow(world.ctx, { chargeId }))?.status;
const seenBy = (chargeId: string, personId: string) =>
  transactionForViewer(world.ctx, { chargeId, personId, isOwn: true, isModerator: false });

describe("a tip", () => {
  test("reaches the creator with its message, retains its fee, notifies both once, and only the two see the message", async () => {
    const { ctx } = world;
    const { charge, tip } = await paidTip(world, bruno, ana, {
      message: "A rabeca me fez chorar.",
    });
    expect(charge).toMatchObject({
      purchaseKind: "tip",
      amountCents: 2_000,
      feeCents: 100,
      netCents: 1_900,
      description: "Apoio a Ana Lira",
    });
    expect(tip).toMatchObject({ paidAt: expect.any(Number), endedAt: null });
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 1_900,
    });
    expect(await notificationsFor(ana.id)).toEqual([
      "Bruno apoiou você com R$\u00a020,00: “A rabeca me fez chorar.”",
    ]);
    expect(await notificationsFor(bruno.id)).toEqual([
      "Seu apoio de R$\u00a020,00 chegou a Ana Lira.",
    ]);
    const emails = await ctx.db
      .select({ subject: localMails.subject, body: localMails.body })
      .from(localMails)
      .where(eq(localMails.recipient, ana.email));
    expect(emails).toEqual([
      {
        subject: "Bruno apoiou você com R$\u00a020,00",
        body: expect.stringContaining("“A rabeca me fez chorar.”"),
      },
    ]);
    expect(await seenBy(charge.id, ana.id)).toMatchObject({
      side: "seller",
      message: "A rabeca me fez chorar.",
    });
    // A team member sees the money, and not the message to the page's owner.
    expect(
      await transactionForViewer(ctx, {
        chargeId: charge.id,
        personId: ana.id,
        isOwn: false,
        isModerator: false,
      }),
    ).toMatchObject({ side: "seller", message: "" });
    expect(await seenBy(charge.id, bruno.id)).toMatchObject({
      side: "payer",
      message: "",
      isInCoolingOff: true,
      seller: { document: { name: "Ana Maria Lira" } },
    });
    const received = await billingStatement(ctx, {
      personId: ana.id,
      face: "received",
      filter: { ...unfilteredStatement, kind: "tip" },
      cursor: null,
      limit: 5,
    });
    expect(received).toMatchObject({
      page: { items: [{ id: charge.id, kind: "tip" }] },
      totals: { count: 1, amountCents: TIP_CENTS, netCents: 1_900 },
    });
  });

  test("can be given repeatedly, each time by its own charge", async () => {
    await paidTip(world, bruno, ana);
    await paidTip(world, bruno, ana);
    await paidTip(world, bruno, ana, { amountCents: 500 });
    expect((await chargesOf(bruno.id)).map(({ status }) => status)).toEqual([
      "succeeded",
      "succeeded",
      "succeeded",
    ]);
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 1_900 * 2 + 475,
    });
  });

  test("is given once when its payment is applied twenty times at once", async () => {
    const waiting = await pendingPixTip(world, bruno, ana);
    await payAtBank(world, waiting);
    await Promise.all(
      Array.from({ length: 20 }, () => settleCharge(world.ctx, { chargeId: waiting.chargeId })),
    );
    await world.drain();
    expect(await notificationsFor(ana.id)).toHaveLength(1);
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 1_900,
    });
  });

  test("is refused to oneself, outside the limits, to creators without documents, across blocks and to leaving creators", async () => {
    const { ctx } = world;
    await expect(startTip(ctx, tipCheckoutInput(ana, ana))).rejects.toThrow(CannotTipYourself);
    for (const amountCents of [0, -500, 499, 500_001, 2_000.5, Number.NaN])
      await expect(startTip(ctx, tipCheckoutInput(bruno, ana, { amountCents }))).rejects.toThrow(
        InvalidTipAmount,
      );
    await expect(
      startTip(ctx, tipCheckoutInput(bruno, ana, { amountCents: 999, method: "card" })),
    ).rejects.toThrow(PurchaseMethodNotOffered);
    await expect(
      startTip(ctx, tipCheckoutInput(bruno, await createPerson(ctx, "Clara"))),
    ).rejects.toThrow(TipsNotAccepted);
    await expect(startTip(ctx, tipCheckoutInput(bruno, { id: "ninguem" }))).rejects.toThrow(
      TipsNotAccepted,
    );
    const waiting = await createSeller(ctx, { approved: false });
    await pendingPixTip(world, bruno, waiting);
    await world.advance(15 * DAY_MS);
    await expect(startTip(ctx, tipCheckoutInput(bruno, waiting))).rejects.toThrow(TipsNotAccepted);
    await block(ctx, { personId: ana.id, otherId: bruno.id });
    await expect(startTip(ctx, tipCheckoutInput(bruno, ana))).rejects.toThrow(TipsNotAccepted);
    const clara = await createPerson(ctx, "Clara");
    await requestDeletion(ctx, { personId: clara.id });
    await expect(startTip(ctx, tipCheckoutInput(clara, ana))).rejects.toThrow(
      LeavingMemberCannotSubscribe,
    );
    expect(await chargesOf(clara.id)).toEqual([]);
  });

  test("has the same limit of open payments as every other payment", async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => createSeller(world.ctx)));
    for (const other of others) await pendingPixTip(world, bruno, other);
    await expect(startTip(world.ctx, tipCheckoutInput(bruno, ana))).rejects.toThrow(
      TooManyOpenPayments,
    );
  });
});

describe("two tabs", () => {
  test("and four clicks at once make one charge, with the last message", async () => {
    const { ctx } = world;
    const started = await Promise.all(
      Array.from({ length: 4 }, () => startTip(ctx, tipCheckoutInput(bruno, ana))),
    );
    expect(new Set(started.map(({ chargeId }) => chargeId)).size).toBe(1);
    await startTip(ctx, tipCheckoutInput(bruno, ana, { message: "Pensei melhor" }));
    expect(await chargesOf(bruno.id)).toHaveLength(1);
    expect(
      (await ctx.db.select().from(tips).where(eq(tips.personId, bruno.id))).map(
        ({ message }) => message,
      ),
    ).toEqual(["Pensei melhor"]);
  });

  test("with another amount cancel the first charge at the provider before creating the second", async () => {
    const { ctx } = world;
    const first = await pendingPixTip(world, bruno, ana);
    const second = await pendingPixTip(world, bruno, ana, { amountCents: 5_000 });
    expect(await statusOf(first.chargeId)).toBe("canceled");
    const atProvider = await world.env.PSP_DB.prepare(
      "SELECT amount_cents, status FROM charges WHERE reference IN (?, ?) ORDER BY amount_cents",
    )
      .bind(first.chargeId, second.chargeId)
      .all();
    expect(atProvider.results).toEqual([
      { amount_cents: 2_000, status: "canceled" },
      { amount_cents: 5_000, status: "awaiting_payment" },
    ]);
    expect(
      await startTip(ctx, tipCheckoutInput(bruno, ana, { amountCents: 5_000, method: "card" })),
    ).toMatchObject({ status: "requires_action", nextActionUrl: expect.stringContaining("/pay/") });
  });

  test("show a tip paid a moment ago as given, and do not charge it twice", async () => {
    const first = await pendingPixTip(world, bruno, ana);
    await payAtBank(world, first);
    expect(
      await startTip(world.ctx, tipCheckoutInput(bruno, ana, { amountCents: 5_000 })),
    ).toMatchObject({
      chargeId: first.chargeId,
      status: "succeeded",
    });
    await world.drain();
    expect(await chargesOf(bruno.id)).toHaveLength(1);
  });
});

describe("account deletion", () => {
  test("of the giver erases the message and never the money", async () => {
    const { ctx } = world;
    const { charge } = await paidTip(world, bruno, ana, { message: "Do Bruno, da Rua da Aurora" });
    await requestDeletion(ctx, { personId: bruno.id });
    await world.advance(27 * DAY_MS);
    await settleDeletion(world, 1);
    await world.advance(4 * DAY_MS);
    await settleDeletion(world);
    expect(await deletionsOf(ctx, bruno.id)).toEqual(["done"]);
    expect(await tipRow(ctx, { tipId: charge.purchaseId })).toMatchObject({
      message: "",
      endedAt: null,
    });
    expect((await notificationsFor(ana.id)).join()).not.toContain("Aurora");
    expect(await statusOf(charge.id)).toBe("succeeded");
  });

  test("of the recipient refunds no tip", async () => {
    const { ctx } = world;
    const { charge } = await paidTip(world, bruno, ana, { message: "Até a próxima praça" });
    await requestDeletion(ctx, { personId: ana.id });
    await world.advance(27 * DAY_MS);
    await settleDeletion(world, 1);
    await world.advance(4 * DAY_MS);
    await settleDeletion(world);
    expect(await deletionsOf(ctx, ana.id)).toEqual(["done"]);
    expect(await refundsOfCharge(ctx, charge.id)).toEqual([]);
    expect(await tipRow(ctx, { tipId: charge.purchaseId })).toMatchObject({ message: "" });
  });
});

test("the database refuses a tip that is unpaid, changed, ended twice or deleted", async () => {
  const { ctx } = world;
  const { tip } = await paidTip(world, bruno, ana, { message: "Oi" });
  const set = (change: Partial<typeof tips.$inferInsert>, id = tip.id) =>
    commit(ctx.db, [ctx.db.update(tips).set(change).where(eq(tips.id, id))]);
  for (const change of [
    { amountCents: 501 },
    { personId: "outra" },
    { creatorId: "outra" },
    { chargeId: "outra" },
    { paidAt: null },
    { endedAt: 1 },
    { endedAt: 1, endedReason: "porque sim" },
    { message: "Outra coisa" },
  ]) {
    await expect(set(change)).rejects.toThrow(RuleViolation);
  }
  await expect(commit(ctx.db, [ctx.db.delete(tips).where(eq(tips.id, tip.id))])).rejects.toThrow(
    RuleViolation,
  );
  const waiting = await pendingPixTip(world, bruno, ana);
  const [open] = await ctx.db.select().from(tips).where(eq(tips.chargeId, waiting.chargeId));
  await expect(set({ paidAt: ctx.now() }, open?.id)).rejects.toThrow(RuleViolation);
});
