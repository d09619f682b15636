import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { applyProviderEvent } from "#app/domain/identity/identity-provider/commands/provider-event.server.ts";
import {
  purgeFormerEmails,
  personEmailStatements,
} from "#app/domain/identity/contacts/commands.server.ts";
import { formerEmails, people } from "#drizzle/schema/identity.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { changeWithdrawalMethod } from "#app/domain/payouts/destinations/commands.server.ts";
import {
  BelowMinimum,
  DocumentsNotApproved,
  WithdrawalMethodOnHold,
  PixKeyNotYours,
  NoWithdrawalMethod,
  PayoutAlreadyOpen,
} from "#app/domain/payouts/errors.ts";
import { creatorBalances, payoutHistory } from "#app/domain/payouts/queries.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { withdrawalMethodOfCreator } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { schedulesDueOn } from "#app/domain/payouts/batches/rules/schedules.ts";
import { DAY_MS, formatMinute, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { ledgerChecks } from "#drizzle/schema/ledger.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import {
  createModerator,
  insertDocumentFiles,
  createPerson,
  createSeller,
  approveOpened,
} from "#tests/support/people.ts";
import type { Seller, SellerOptions } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { claimAndSendPayout } from "#workers/payouts/run.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** A creator with one released sale, whose payout schedule is manual. */
async function earner(options: SellerOptions = {}): Promise<Seller> {
  const ana = await createSeller(world.ctx, options);
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  return ana;
}

const historyOf = async (ana: Seller) =>
  (await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 9 })).items.map(
    ({ label, amountCents }) => `${label} ${amountCents}`,
  );
const availableOf = async (ana: Seller) =>
  (await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents;
const transfersOf = async (payoutId: string) =>
  (
    await testEnv.PSP_DB.prepare("SELECT COUNT(*) AS count FROM transfers WHERE reference = ?")
      .bind(payoutId)
      .first<{ count: number }>()
  )?.count;

/** Advances the clock, and runs the crons and the provider. */
async function aWhile(ms = 10 * MINUTE_MS): Promise<void> {
  await world.advance(ms);
  await world.tick();
}

describe("payouts while a ledger invariant is broken", () => {
  const broken = (brokenCount: number) => {
    const found = {
      checkedAt: world.ctx.realNow(),
      brokenCount,
      example: null,
      brokenSince: brokenCount === 0 ? null : 1,
      holdsPayouts: true,
    };
    return world.ctx.db
      .insert(ledgerChecks)
      .values({ name: "transactions_balance", ...found })
      .onConflictDoUpdate({ target: ledgerChecks.name, set: found });
  };
  afterEach(() => broken(0).then(() => undefined));

  test("are not sent after the claim, and are sent once when the ledger is right again", async () => {
    const ana = await earner();
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    await claimPayout(world.ctx, { payoutId });
    await broken(1);
    await sendPayout(world.ctx, { payoutId });
    await aWhile(MINUTE_MS);
    expect(await transfersOf(payoutId)).toBe(0);
    expect(await historyOf(ana)).toEqual(["Em envio 1890"]);
    await broken(0);
    await aWhile(MINUTE_MS);
    await aWhile();
    expect(await transfersOf(payoutId)).toBe(1);
    expect(await historyOf(ana)).toEqual(["Pago 1890"]);
  });

  test("that the bank already has are still looked up", async () => {
    const ana = await earner();
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    await claimPayout(world.ctx, { payoutId });
    const unavailable = {
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        transfer: async (asked: Parameters<typeof world.ctx.payments.transfer>[0]) =>
          Promise.reject(new ProviderUnclear((await world.ctx.payments.transfer(asked)).id)),
      },
    };
    await expect(sendPayout(unavailable, { payoutId })).rejects.toThrow(ProviderUnclear);
    await broken(1);
    await world.advance(10 * MINUTE_MS);
    await sendPayout(world.ctx, { payoutId });
    await aWhile();
    expect(await historyOf(ana)).toEqual(["Pago 1890"]);
  });
});

describe("a payout request", () => {
  test("two clicks make one payout", async () => {
    const ana = await earner();
    const clicks = await Promise.allSettled(
      [1, 2, 3].map(() => requestPayout(world.ctx, { creatorId: ana.id })),
    );
    expect(clicks.filter((click) => click.status === "fulfilled")).toHaveLength(1);
    for (const click of clicks)
      if (click.status === "rejected") expect(click.reason).toBeInstanceOf(PayoutAlreadyOpen);
    await world.drain();
    await aWhile();
    expect(await historyOf(ana)).toEqual(["Pago 1890"]);
  });

  test("needs a key, approved documents and R$ 10,00", async () => {
    const nobody = await createPerson(world.ctx);
    await expect(requestPayout(world.ctx, { creatorId: nobody.id })).rejects.toThrow(
      NoWithdrawalMethod,
    );
    const poor = await createSeller(world.ctx);
    await expect(requestPayout(world.ctx, { creatorId: poor.id })).rejects.toThrow(BelowMinimum);
    const unknown = await earner({ approved: false });
    await expect(requestPayout(world.ctx, { creatorId: unknown.id })).rejects.toThrow(
      DocumentsNotApproved,
    );
    await insertDocumentFiles(world.ctx, unknown.id);
    await approveOpened(world.ctx, {
      moderatorId: (await createModerator(world.ctx)).id,
      personId: unknown.id,
    });
    await expect(requestPayout(world.ctx, { creatorId: unknown.id })).resolves.toMatchObject({
      payoutId: expect.any(String),
    });
    await world.drain();
  });

  test("is refused with a message while no provider can send it, and the balance stays", async () => {
    const ana = await earner();
    const can = new Set([...world.ctx.payments.can].filter((one) => one !== "transfer_to_pix_key"));
    await expect(
      requestPayout(
        { ...world.ctx, payments: { ...world.ctx.payments, can } },
        { creatorId: ana.id },
      ),
    ).rejects.toThrow("Os saques estão fora do ar por enquanto.");
    expect([await historyOf(ana), await availableOf(ana)]).toEqual([[], 1_890]);
  });

  test("waits a day after a change of key; a CPF or CNPJ key must be the creator's own", async () => {
    const ana = await earner();
    await expect(
      changeWithdrawalMethod(world.ctx, {
        creatorId: ana.id,
        to: { kind: "cpf", key: "52998224725" },
      }),
    ).rejects.toThrow(PixKeyNotYours);
    await expect(
      changeWithdrawalMethod(world.ctx, {
        creatorId: ana.id,
        to: { kind: "cnpj", key: "11222333000181" },
      }),
    ).rejects.toThrow(PixKeyNotYours);
    await changeWithdrawalMethod(world.ctx, {
      creatorId: ana.id,
      to: { kind: "email", key: "outra@exemplo.test" },
    });
    await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow(
      WithdrawalMethodOnHold,
    );
    await aWhile(DAY_MS);
    await requestPayout(world.ctx, { creatorId: ana.id });
    await world.drain();
  });

  test("is preceded by one email at once about a changed key, so that a victim has a day to react", async () => {
    const ana = await createSeller(world.ctx);
    const change = { creatorId: ana.id, to: { kind: "email" as const, key: "ladra@exemplo.test" } };
    await changeWithdrawalMethod(world.ctx, change);
    await changeWithdrawalMethod(world.ctx, change);
    await world.drain();
    const mails = await world.ctx.db
      .select()
      .from(localMails)
      .where(eq(localMails.recipient, ana.email));
    expect(
      mails.map(({ subject }) => subject).filter((subject) => subject.includes("chave Pix")),
    ).toEqual(["A chave Pix dos seus saques mudou"]);
    expect(mails.at(-1)?.body).toContain("l•••@exemplo.test");
  });
});

describe("a change of the Pix key after a change of the account's e-mail", () => {
  const emailsSentTo = async (email: string) =>
    (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, email))).filter(
      ({ subject }) => subject.includes("chave Pix"),
    );
  const moves = async (ana: Seller, email: string) => {
    const [row] = await world.ctx.db.select().from(people).where(eq(people.id, ana.id));
    if (row) await commit(world.ctx.db, personEmailStatements(world.ctx, { ...row, email }));
  };

  test("notifies each e-mail of the last thirty days once; older e-mails are purged", async () => {
    const ana = await createSeller(world.ctx);
    const [stolen, thief] = [`meio.${ana.email}`, `ladra.${ana.email}`];
    await moves(ana, stolen);
    await world.advance(29 * DAY_MS);
    await moves(ana, thief);
    await changeWithdrawalMethod(world.ctx, {
      creatorId: ana.id,
      to: { kind: "email", key: "ladra@exemplo.test" },
    });
    await world.drain();
    const emails = [
      await emailsSentTo(ana.email),
      await emailsSentTo(stolen),
      await emailsSentTo(thief),
    ];
    expect(emails.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(emails[0]?.[0]?.body).toContain("ele foi o e-mail principal da conta até");
    expect(emails[2]?.[0]?.body).not.toContain("principal");
    expect(emails.flat().every(({ body }) => !body.includes(thief))).toBe(true);
    await world.advance(2 * DAY_MS);
    await changeWithdrawalMethod(world.ctx, {
      creatorId: ana.id,
      to: { kind: "email", key: "outra@exemplo.test" },
    });
    await world.drain();
    expect([(await emailsSentTo(ana.email)).length, (await emailsSentTo(stolen)).length]).toEqual([
      1, 2,
    ]);
    await purgeFormerEmails(world.ctx);
    expect(
      (await world.ctx.db.select().from(formerEmails).where(eq(formerEmails.personId, ana.id))).map(
        ({ email }) => email,
      ),
    ).toEqual([stolen]);
  });

  test("notifies both e-mails when the identity provider reports the change twice", async () => {
    const ana = await createSeller(world.ctx);
    const [row] = await world.ctx.db.select().from(people).where(eq(people.id, ana.id));
    const reported = {
      kind: "changed" as const,
      providerUserId: row?.providerUserId ?? "",
      version: world.ctx.now(),
      email: `ladra.${ana.email}`,
      isBanned: false,
    };
    for (let twice = 0; twice < 2; twice += 1)
      await applyProviderEvent(world.ctx, { provider: row?.provider ?? "", event: reported });
    await changeWithdrawalMethod(world.ctx, {
      creatorId: ana.id,
      to: { kind: "email", key: "ladra@exemplo.test" },
    });
    await world.drain();
    expect([
      (await emailsSentTo(ana.email)).length,
      (await emailsSentTo(reported.email)).length,
    ]).toEqual([1, 1]);
  });

  test("notifies an e-mail once when the account returned to it", async () => {
    const ana = await createSeller(world.ctx);
    await moves(ana, `meio.${ana.email}`);
    await moves(ana, ana.email);
    await changeWithdrawalMethod(world.ctx, {
      creatorId: ana.id,
      to: { kind: "email", key: "nova@exemplo.test" },
    });
    await world.drain();
    expect([
      (await emailsSentTo(ana.email)).length,
      (await emailsSentTo(`meio.${ana.email}`)).length,
    ]).toEqual([1, 1]);
  });
});

describe("sending a payout", () => {
  test("claims and sends once with twenty concurrent workers", async () => {
    const ana = await earner();
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        claimAndSendPayout(world.ctx, { type: "payout.claim", id: payoutId }),
      ),
    );
    expect(await transfersOf(payoutId)).toBe(1);
    await aWhile();
    expect(await historyOf(ana)).toEqual(["Pago 1890"]);
  });

  test("keeps the money in transit after a lost answer, and finds the same transfer later", async () => {
    const ana = await earner();
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    await claimPayout(world.ctx, { payoutId });
    await world.console("/sandbox/chaos", { timeouts: 1 });
    await expect(sendPayout(world.ctx, { payoutId })).rejects.toThrow(ProviderUnclear);
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      availableCents: 0,
      inTransitCents: 1_890,
    });
    await world.console("/sandbox/chaos", {});
    await aWhile();
    await aWhile();
    expect(await transfersOf(payoutId)).toBe(1);
    expect(await historyOf(ana)).toEqual(["Pago 1890"]);
  });

  test("returns the money to the balance when the key fails", async () => {
    const ana = await earner({ pixKey: { kind: "email", key: "falha@coreto.test" } });
    await requestPayout(world.ctx, { creatorId: ana.id });
    await world.drain();
    await aWhile();
    expect(await historyOf(ana)).toEqual(["Falhou 1890"]);
    expect(await availableOf(ana)).toBe(1_890);
  });

  test("returns the money to the balance when the bank returns the transfer a day later", async () => {
    const ana = await earner({ pixKey: { kind: "email", key: "devolve@coreto.test" } });
    await requestPayout(world.ctx, { creatorId: ana.id });
    await world.drain();
    await aWhile();
    expect(await historyOf(ana)).toEqual(["Pago 1890"]);
    await aWhile(DAY_MS);
    expect(await historyOf(ana)).toEqual(["Devolvido 1890"]);
    expect(await availableOf(ana)).toBe(1_890);
  });
});

test("the weekly schedule pays on a Monday, once", async () => {
  const ana = await earner();
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "weekly" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  for (let days = 0; days < 8; days += 1) {
    await aWhile(DAY_MS);
    await aWhile(1_000);
  }
  expect(await historyOf(ana)).toEqual(["Pago 1890"]);
});

test("a scheduled payout within a day of a key change is held with a notification, and paid when the hold ends", async () => {
  const ana = await earner();
  // Skips the weeks whose batches the test before made.
  await world.advance(14 * DAY_MS);
  while (!schedulesDueOn(world.ctx.now()).includes("weekly")) await world.advance(HOUR_MS);
  await changeWithdrawalMethod(world.ctx, {
    creatorId: ana.id,
    to: { kind: "email", key: "outra@exemplo.test" },
  });
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "weekly" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  await world.tick();
  const [held] = (await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 9 }))
    .items;
  const holdUntil = (await withdrawalMethodOfCreator(world.ctx, { creatorId: ana.id }))?.holdUntil;
  expect(held).toMatchObject({
    status: "held",
    heldReason: "changed_method",
    heldUntil: holdUntil,
  });
  const emails = await world.ctx.db
    .select({ text: localMails.body })
    .from(localMails)
    .where(eq(localMails.recipient, ana.email));
  expect(
    emails.some(({ text }) =>
      text.includes(`por segurança ele espera até ${formatMinute(holdUntil ?? 0)}`),
    ),
  ).toBe(true);
  await aWhile(DAY_MS - HOUR_MS);
  expect(await historyOf(ana)).toEqual(["Retido 0"]);
  await aWhile(HOUR_MS);
  await aWhile();
  expect(await historyOf(ana)).toEqual(["Pago 1890"]);
});
