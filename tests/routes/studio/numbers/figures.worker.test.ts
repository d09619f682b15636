import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { createLink } from "#app/domain/analytics/links/commands.server.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { streamBillingStatement } from "#app/domain/billing/statements/queries/statement.server.ts";
import {
  parseStatementFilter,
  remainingFeeAndNet,
} from "#app/domain/billing/statements/rules/statement.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import * as analytics from "#app/routes/studio/numbers/analytics.tsx";
import * as events from "#app/routes/studio/numbers/events.tsx";
import * as link from "#app/routes/studio/numbers/link.tsx";
import * as links from "#app/routes/studio/numbers/links.tsx";
import * as post from "#app/routes/studio/numbers/post.tsx";
import * as posts from "#app/routes/studio/numbers/posts.tsx";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { paidTickets, sellingEvent } from "#tests/support/events.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { otherPlan, paidUpgrade } from "#tests/support/plan-changes.ts";
import { paidPurchase, priceRule, soldCollection, soldPost } from "#tests/support/purchases.ts";
import { expiredTip, openRefundTransfer } from "#tests/support/refund-transfers.ts";
import { renderPagesAs } from "#tests/support/rendered-pages.ts";
import { paidTip } from "#tests/support/tips.ts";

const PAGES = [
  { path: "analytics", module: analytics },
  { path: "analytics/posts", module: posts },
  { path: "analytics/posts/:postId", module: post },
  { path: "analytics/events", module: events },
  { path: "analytics/links", module: links },
  { path: "analytics/links/:slug", module: link },
];

let world: World;
let ana: Seller;
let postId: string;

const refund = async (chargeId: string, amountCents: number) => {
  const decided = { sellerId: ana.id, decidedBy: ana.id, reason: "" };
  await refundCharge(world.ctx, { ...decided, chargeId, refundId: world.ctx.newId(), amountCents });
  await world.drain();
};

beforeAll(async () => {
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  const { ctx } = world;
  ana = await createSeller(ctx, { amountCents: 1_990 });
  await createLink(ctx, { creatorId: ana.id, name: "Bio", slug: "insta" });
  const [bruno, carla, duda] = [
    await createPerson(ctx, "Bruno"),
    await createPerson(ctx, "Carla"),
    await createPerson(ctx, "Duda"),
  ];
  // A refund by transfer: the Pix is too old to be refunded itself.
  await openRefundTransfer(world, await expiredTip(world, carla, ana));
  const first = await paidSubscription(world, bruno, ana);
  const stage = await otherPlan(ctx, ana.id, { monthly: 4_990 });
  await world.advance(DAY_MS);
  await paidUpgrade(world, {
    fanId: bruno.id,
    subscriptionId: first.purchaseId,
    planPriceId: stage.prices.monthly,
  });
  await paidGift(world, carla, ana, { link: "insta" });
  ({ postId } = await soldPost(ctx, ana, { rules: [priceRule(1_333)] }));
  await refund((await paidPurchase(world, bruno, postId)).charge.id, 777);
  const { collectionId } = await soldCollection(ctx, ana, [postId], 4_321);
  await paidPurchase(world, duda, collectionId, "collection");
  const tickets = await sellingEvent(ctx, ana);
  await paidTickets(world, bruno, { ...tickets, quantity: 1 });
  const { charge: disputed } = await paidTip(world, duda, ana, { link: "insta" });
  await openDisputeOn(world, disputed);
  await refund((await paidSubscription(world, duda, ana)).id, 333);
  await world.drain();
});

const render = (url: string) =>
  renderPagesAs(
    () => world.ctx,
    () => ({ ...ana, avatarUrl: null, isCreator: true, isModerator: false, leavingAt: null }),
    PAGES,
  )(url);

const MONEY = /(-?)R\$\s*([\d.]+),(\d{2})/;
const centsIn = (text: string): number => {
  const [, sign = "", whole = "", part = ""] = MONEY.exec(text) ?? [];
  return Number(`${sign}${whole.replaceAll(".", "")}${part}`);
};

type MoneyAnchor = { cents: number; path: string };

/** The amounts of a page that open the statement. */
function moneyAnchors(html: string): MoneyAnchor[] {
  return [...html.matchAll(/<a [^>]*href="(\/settings\/transactions\?[^"]*)"[^>]*>(.*?)<\/a>/gs)]
    .map(([, path = "", content = ""]) => ({
      path: path.replaceAll("&amp;", "&"),
      text: content.replaceAll(/<[^>]*>/g, "").replaceAll("&nbsp;", " "),
    }))
    .filter(({ text }) => MONEY.test(text))
    .map(({ path, text }) => ({ path, cents: centsIn(text) }));
}

/** The sums of the single entries that a figure opens. */
async function sumsOfEntries(path: string) {
  const { filter } = parseStatementFilter(new URL(path, "https://coreto.test").searchParams);
  const asked = { personId: ana.id, face: "received" as const, filter, pageRows: 4, most: 500 };
  const sums = { gross: 0, net: 0, fee: 0, returned: 0, count: 0 };
  for await (const rows of streamBillingStatement(world.ctx, asked))
    for (const row of rows) {
      const { feeCents, netCents } = remainingFeeAndNet(row);
      sums.gross += row.amountCents;
      sums.net += netCents;
      sums.fee += feeCents;
      sums.returned += row.refundedCents + row.disputedCents;
      sums.count += 1;
    }
  return sums;
}

const figureOf = (html: string, name: string): MoneyAnchor => {
  const [, dd = ""] = new RegExp(`<dt[^>]*>${name}</dt>(<dd.*?</dd>)`, "s").exec(html) ?? [];
  const [anchor] = moneyAnchors(dd);
  if (!anchor) throw new Error(`${name} opens nothing`);
  return anchor;
};

test.each(["range=28", "range=all", "range=own&from=2026-11-12&until=2026-11-12"])(
  "each figure of ?%s is the sum of the entries that it opens",
  async (query) => {
    const html = await render(`/analytics?${query}`);
    for (const [name, of] of [
      ["Líquido", "net"],
      ["Vendido", "gross"],
      ["Taxa", "fee"],
      ["Devolvido", "returned"],
    ] as const) {
      const { cents, path } = figureOf(html, name);
      expect([name, cents]).toEqual([name, (await sumsOfEntries(path))[of]]);
    }
  },
);

test("what was returned opens the refunds alone, those by transfer and disputes too", async () => {
  const { cents, path } = figureOf(await render("/analytics?range=all"), "Devolvido");
  // A transfer and a dispute of R$ 20,00 each, and two refunds of a part.
  expect(cents).toBe(2_000 + 2_000 + 777 + 333);
  expect((await sumsOfEntries(path)).count).toBe(4);
  const [ledger] = await world.ctx.db.all<{ cents: number }>(sql`
    SELECT SUM(r.amount_cents) AS cents FROM refunds r JOIN charges c ON c.id = r.charge_id
    WHERE c.creator_id = ${ana.id} AND r.status = 'succeeded'`);
  expect(cents - 2_000).toBe(ledger?.cents);
});

test("every amount of the tables is a sum of the entries that it opens", async () => {
  for (const [url, least] of [
    ["/analytics?range=28", 30],
    ["/analytics/posts?range=28", 1],
    [`/analytics/posts/${postId}?range=28`, 1],
    ["/analytics/events?range=28", 2],
    ["/analytics/links?range=28", 2],
    ["/analytics/links/insta?range=28", 1],
  ] as const) {
    const anchors = moneyAnchors(await render(url));
    expect([url, anchors.length >= least]).toEqual([url, true]);
    for (const { cents, path } of anchors) {
      const { gross, net, fee, returned } = await sumsOfEntries(path);
      expect([url, path, [gross, net, fee, returned].includes(cents), cents]).toEqual([
        url,
        path,
        true,
        cents,
      ]);
    }
  }
});

test("gross, returned, fee and net of all sales are what the ledger has", async () => {
  const html = await render("/analytics?range=all");
  const [booked] = await world.ctx.db.all<Record<string, number>>(sql`
    SELECT SUM(CASE WHEN t.kind = 'charge.succeeded' AND a.kind = 'provider_clearing' THEN e.amount_cents ELSE 0 END) AS gross,
      -SUM(CASE WHEN a.kind IN ('creator_pending', 'creator_available', 'creator_owed') THEN e.amount_cents ELSE 0 END) AS net,
      -SUM(CASE WHEN a.kind = 'platform_fees' THEN e.amount_cents ELSE 0 END) AS fee
    FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id JOIN ledger_accounts a ON a.id = e.account_id
    JOIN charges c ON c.id = t.charge_id WHERE c.creator_id = ${ana.id}`);
  const shown = {
    gross: figureOf(html, "Vendido").cents,
    net: figureOf(html, "Líquido").cents,
    fee: figureOf(html, "Taxa").cents,
  };
  expect(shown).toEqual(booked);
  expect(figureOf(html, "Devolvido").cents).toBe(shown.gross - shown.net - shown.fee);
});

test("the forecast is what is available and becomes so within a week, less the debt", async () => {
  const html = await render("/analytics?range=all");
  const { availableCents, owedCents, releases } = await creatorBalances(world.ctx, {
    creatorId: ana.id,
  });
  const until = world.ctx.now() + 7 * DAY_MS;
  const released = releases
    .filter(({ releaseAt }) => releaseAt <= until)
    .reduce((sum, { netCents }) => sum + netCents, 0);
  const [, cents = ""] = /Cerca de ([^<]*?) até/.exec(html) ?? [];
  expect(centsIn(cents)).toBe(Math.max(0, availableCents + released - owedCents));
  expect(html).toContain('href="/settings/transfers"');
});
