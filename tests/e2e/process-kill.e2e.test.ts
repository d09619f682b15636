import { rmSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLocalProduct } from "#scripts/local-product.ts";
import type { RunningProduct } from "#scripts/local-product.ts";
import { freePortPair } from "#scripts/ports.ts";
import {
  approveDocumentsAt,
  createFormClient,
  signUpMember,
  PASSWORD,
  signUpSeller,
  uploadDocumentsOf,
} from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { emptyData, makeModerator } from "#tests/support/own-product.ts";
import {
  jumpToMonday,
  sandboxAct,
  sandboxCharges,
  sandboxTransfers,
} from "#tests/support/sandbox.ts";
import { serveCoreto } from "#tests/support/server.ts";
import type { ServedCoreto } from "#tests/support/server.ts";
import { startByPix } from "#tests/support/subscriber.ts";

/**
 * Delay of each kill after a payment and the crons start: webhook events, payout claims, payout
 * transfers, most answers. `npm run chaos -- payouts` kills more often. The worker tests named
 * crash stop at every point.
 */
const KILLED_AFTER_MS = [60, 250, 500, 850];
const KILLS = KILLED_AFTER_MS.length;
const SELLERS = 4;
const NET_CENTS = 1_890;

let dataDirectory = "";
let port = 0;

beforeAll(async () => {
  dataDirectory = emptyData("kill");
  port = await freePortPair();
});

afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

/** Creates sellers whose first sales can be paid out, and a moderator who approved them. */
async function prepared(
  coreto: RunningProduct,
): Promise<{ sellers: SellerClient[]; moderator: MemberClient }> {
  const { origin } = coreto;
  const moderator = await signUpMember(origin, "Carla Reis");
  await makeModerator(coreto, moderator.email);
  const sellers: SellerClient[] = [];
  for (let index = 0; index < SELLERS; index += 1) {
    // Annual plans, so that three Mondays pass without a renewal.
    const seller = await signUpSeller(origin, { name: `Quem Vende ${index}`, interval: "annual" });
    await uploadDocumentsOf(seller);
    const fan = await signUpMember(origin, `Quem Assina ${index}`);
    await sandboxAct(origin, `charges/${(await startByPix(fan, seller)).providerChargeId}/pay`);
    sellers.push(seller);
  }
  const queue = await (await moderator.get("/admin/documents")).text();
  const waiting = [
    ...new Set(
      [...queue.matchAll(/href="(\/admin\/documents\/[\w-]+)"/g)].map(([, path = ""]) => path),
    ),
  ];
  expect(waiting.length).toBe(SELLERS);
  for (const path of waiting) await approveDocumentsAt(moderator, path);
  await untilCount(
    coreto,
    "SELECT COUNT(*) AS rows FROM charges WHERE succeeded_at IS NOT NULL",
    SELLERS,
  );
  await jumpToMonday(origin);
  return { sellers, moderator };
}

async function untilCount(coreto: RunningProduct, sql: string, rows: number): Promise<void> {
  const db = await coreto.miniflare.getD1Database("DB", "app");
  await expect
    .poll(async () => (await db.prepare(sql).first<{ rows: number }>())?.rows, {
      timeout: 40_000,
      message: sql,
    })
    .toBe(rows);
}

/** Ignores a request that a kill may cut off. */
const mayDie = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

test(
  `${KILLS} times kill -9 while payments come in and payouts go out: everything happens once`,
  { timeout: 300_000 },
  async () => {
    const setUp = await startLocalProduct({ port, dataDirectory, seed: false });
    const { sellers, moderator } = await prepared(setUp);
    await setUp.stop();

    const paid: string[] = [];
    let served: ServedCoreto = await serveCoreto({ port, dataDirectory, seed: false });
    for (const [round, killedAfterMs] of KILLED_AFTER_MS.entries()) {
      // Another Monday comes half way, so that payouts also include the sales made between kills.
      if (round === KILLS / 2) await jumpToMonday(served.origin);
      const fan = await signUpMember(served.origin, `Sob Fogo ${round}`);
      const seller = sellers[round % SELLERS];
      if (!seller) throw new Error("nobody sells");
      const { providerChargeId } = await startByPix(fan, seller);
      paid.push(providerChargeId);
      const payment = mayDie(sandboxAct(served.origin, `charges/${providerChargeId}/pay`));
      const batch = mayDie(sandboxAct(served.origin, "clock", { advance: "PT1M" }));
      // The delay is the experiment, not a wait for a state.
      await after(killedAfterMs);
      await served.kill();
      await Promise.all([payment, batch]);
      served = await serveCoreto({ port, dataDirectory, seed: false });
    }
    await served.stop();
    expect(new Set(paid).size).toBe(KILLS);

    const coreto = await startLocalProduct({ port, dataDirectory, seed: false });
    try {
      await allSettled(coreto, paid);
      await everythingHappenedOnce(coreto);
      await booksAreRight(coreto.origin, moderator);
    } finally {
      await coreto.stop();
    }
  },
);

/** Pays the charges that a kill interrupted, and waits until nothing is in progress. */
async function allSettled(coreto: RunningProduct, paid: string[]): Promise<void> {
  const unpaid = (await sandboxCharges(coreto.origin)).filter(
    (charge) => paid.includes(charge.id) && charge.status !== "succeeded",
  );
  for (const charge of unpaid) await sandboxAct(coreto.origin, `charges/${charge.id}/pay`);
  await untilCount(
    coreto,
    "SELECT COUNT(*) AS rows FROM charges WHERE succeeded_at IS NOT NULL",
    SELLERS + KILLS,
  );
  // A creator has one open payout. One that a kill interrupted ends before the next Monday, or
  // that Monday opens none for this creator.
  await sandboxAct(coreto.origin, "clock", { advance: "PT1H" });
  await untilCount(
    coreto,
    "SELECT COUNT(*) AS rows FROM payouts WHERE status NOT IN ('paid', 'canceled')",
    0,
  );
  await jumpToMonday(coreto.origin);
  await sandboxAct(coreto.origin, "clock", { advance: "PT1H" });
  await untilCount(
    coreto,
    "SELECT COUNT(*) AS rows FROM charge_releases WHERE released_at IS NULL AND taken_cents < net_cents",
    0,
  );
  await untilCount(
    coreto,
    `SELECT (SELECT COUNT(*) FROM payouts WHERE status NOT IN ('paid', 'canceled')) + (SELECT COUNT(*) FROM ledger_accounts WHERE kind = 'creator_available' AND balance_cents <> 0) AS rows`,
    0,
  );
  await untilCount(
    coreto,
    "SELECT (SELECT COUNT(*) FROM inbox WHERE handled_at IS NULL) + (SELECT COUNT(*) FROM outbox WHERE handled_at IS NULL) AS rows",
    0,
  );
}

async function everythingHappenedOnce(coreto: RunningProduct): Promise<void> {
  const db = await coreto.miniflare.getD1Database("DB", "app");
  const all = async <Row>(sql: string) => (await db.prepare(sql).all<Row>()).results;
  const charges = (await sandboxCharges(coreto.origin)).filter(
    (charge) => charge.status === "succeeded",
  );
  expect(charges.length).toBe(SELLERS + KILLS);

  const postings = await all<{ key: string; times: number }>(
    "SELECT source_key AS key, COUNT(*) AS times FROM ledger_transactions WHERE source_key LIKE 'charge:%:succeeded' GROUP BY source_key",
  );
  expect(postings.map(({ key }) => key).toSorted()).toEqual(
    charges.map(({ reference }) => `charge:${reference}:succeeded`).toSorted(),
  );
  expect(postings.every(({ times }) => times === 1)).toBe(true);

  const [people] = await all<{ live: number; told: number; fans: number }>(`SELECT
    (SELECT COUNT(*) FROM subscriptions WHERE status = 'active') AS live,
    (SELECT COUNT(*) FROM notifications n JOIN subscriptions s ON s.fan_id = n.person_id WHERE n.kind = 'subscription.started') AS told,
    (SELECT COUNT(DISTINCT fan_id) FROM subscriptions) AS fans`);
  expect(people).toEqual({ live: SELLERS + KILLS, told: SELLERS + KILLS, fans: SELLERS + KILLS });

  const payouts = await all<{ id: string; transfer: string; amount: number }>(
    "SELECT id, provider_transfer_id AS transfer, amount_cents AS amount FROM payouts WHERE status = 'paid'",
  );
  const transfers = (await sandboxTransfers(coreto.origin)).filter(
    (transfer) => transfer.status === "paid",
  );
  expect(payouts.map(({ transfer }) => transfer).toSorted()).toEqual(
    transfers.map(({ id }) => id).toSorted(),
  );
  expect((await sandboxTransfers(coreto.origin)).length).toBe(payouts.length);
  for (const payout of payouts)
    expect(transfers.find(({ id }) => id === payout.transfer)?.amountCents).toBe(payout.amount);
  expect(payouts.reduce((sum, { amount }) => sum + amount, 0)).toBe((SELLERS + KILLS) * NET_CENTS);
}

async function booksAreRight(origin: string, moderator: MemberClient): Promise<void> {
  const calls = createFormClient(origin);
  await calls.postAndFollow("/auth/login", { identifier: moderator.email, password: PASSWORD });
  const page = await (await calls.get("/admin/ledger")).text();
  expect(page).toContain("Tudo fecha");
  expect(page).not.toContain(": quebrada");
}
