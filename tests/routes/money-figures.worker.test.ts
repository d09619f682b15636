import { and, eq, isNotNull } from "drizzle-orm";
import { createElement } from "react";
import type { ReactNode } from "react";
import { beforeAll, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { invoiceFees } from "#app/domain/fiscal/commands.server.ts";
import {
  requestPlatformWithdrawal,
  recordPlatformDeposit,
} from "#app/domain/ledger/platform-money/commands/platform-money.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { accountsOfKind } from "#app/domain/ledger/statements/queries/accounts-by-kind.server.ts";
import { monthOf } from "#app/domain/ledger/months/rules/months.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS, instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import * as fees from "#app/routes/admin/ledger/fees.tsx";
import * as fiscalMonth from "#app/routes/admin/fiscal/month.tsx";
import * as fiscalMonths from "#app/routes/admin/fiscal/months.tsx";
import * as account from "#app/routes/admin/ledger/ledger-account.tsx";
import * as accounts from "#app/routes/admin/ledger/ledger-accounts.tsx";
import * as debts from "#app/routes/admin/ledger/ledger-debts.tsx";
import * as kind from "#app/routes/admin/ledger/ledger-kind.tsx";
import * as platform from "#app/routes/admin/ledger/ledger-platform.tsx";
import * as platformRefunds from "#app/routes/admin/ledger/ledger-platform-refunds.tsx";
import * as posting from "#app/routes/admin/ledger/ledger-posting.tsx";
import * as providers from "#app/routes/admin/ledger/ledger-providers.tsx";
import * as ledger from "#app/routes/admin/ledger/ledger.tsx";
import * as unclaimed from "#app/routes/admin/ledger/ledger-unclaimed.tsx";
import * as margin from "#app/routes/admin/ledger/margin.tsx";
import * as marginGroup from "#app/routes/admin/ledger/margin-group.tsx";
import * as payoutPerson from "#app/routes/admin/payouts/payout-person.tsx";
import * as payout from "#app/routes/admin/payouts/payout.tsx";
import * as desk from "#app/routes/admin/payouts/payouts.tsx";
import * as difference from "#app/routes/admin/reconciliation/reconciliation-difference.tsx";
import * as night from "#app/routes/admin/reconciliation/reconciliation-run.tsx";
import * as reconciliation from "#app/routes/admin/reconciliation/reconciliation.tsx";
import * as regretPerson from "#app/routes/admin/cooling-off-person.tsx";
import * as regrets from "#app/routes/admin/cooling-off-refunds.tsx";
import * as entries from "#app/routes/settings/payouts/balance-entries.tsx";
import * as releases from "#app/routes/settings/payouts/releases.tsx";
import * as debt from "#app/routes/settings/payouts/debt.tsx";
import * as paperFigures from "#app/routes/settings/statements/figures.tsx";
import * as monthPaper from "#app/routes/settings/statements/month.tsx";
import * as yearPaper from "#app/routes/settings/statements/year.tsx";
import * as transactions from "#app/routes/settings/sales/transactions.tsx";
import * as analytics from "#app/routes/studio/numbers/analytics.tsx";
import * as timeline from "#app/routes/settings/payouts/money-timeline.tsx";
import * as transfers from "#app/routes/settings/payouts/transfers.tsx";
import { charges, disputes, refunds } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import {
  reconciliationDifferences,
  reconciliationRuns,
  reconciliationSightings,
} from "#drizzle/schema/reconciliation.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { followFiguresAs } from "#tests/support/money-figures.ts";
import type { MoneyPage } from "#tests/support/money-figures.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidTip } from "#tests/support/tips.ts";
import { insertSales } from "#tests/support/transactions.ts";

/** Lists every page on which staff or a creator reads ledger amounts. New pages are added here. */
const PAGES: readonly MoneyPage[] = [
  { path: "admin/ledger", module: ledger },
  { path: "admin/ledger/kinds/:kind", module: kind },
  { path: "admin/ledger/accounts", module: accounts },
  { path: "admin/ledger/accounts/:accountId", module: account },
  { path: "admin/ledger/postings/:named", module: posting },
  // Amounts reported by the provider are not in our ledger.
  { path: "admin/ledger/providers", module: providers, plain: [/No provedor/, /^Diferença /] },
  {
    path: "admin/ledger/platform",
    module: platform,
    plain: [/de Provedor de testes, em/, /^Aprovar/],
  },
  { path: "admin/ledger/platform/refunds", module: platformRefunds },
  { path: "admin/ledger/debts", module: debts },
  { path: "admin/disputes/regrets", module: regrets },
  { path: "admin/disputes/regrets/:personId", module: regretPerson },
  { path: "admin/ledger/unclaimed", module: unclaimed },
  { path: "admin/fees", module: fees },
  { path: "admin/fiscal", module: fiscalMonths },
  { path: "admin/fiscal/:month", module: fiscalMonth },
  // Price bands are labels without entries.
  { path: "admin/margin", module: margin, plain: [/^(Forma e preço )?(Pix|Cartão), (até )?R\$/] },
  { path: "admin/margin/:group", module: marginGroup, plain: [/^(Pix|Cartão), (até )?R\$/] },
  { path: "admin/payouts", module: desk, plain: [/^Acima de/] },
  { path: "admin/payouts/people/:personId", module: payoutPerson },
  { path: "admin/payouts/:id", module: payout, plain: [/^Aprovado até/, /Aprovar/] },
  { path: "admin/reconciliation", module: reconciliation },
  { path: "admin/reconciliation/nights/:runId", module: night },
  { path: "admin/reconciliation/:id", module: difference },
  { path: "settings/transfers", module: transfers, plain: [/saque mínimo/, /^Sacar/] },
  { path: "settings/transfers/entries", module: entries },
  { path: "settings/transfers/releases", module: releases },
  // Invoiced and carried-over amounts have no entries behind them.
  {
    path: "settings/transfers/extrato",
    module: monthPaper,
    plain: [/^RPS nº/, /^Fica para o mês seguinte/, /^Do mês anterior/],
  },
  { path: "settings/transfers/resumo", module: yearPaper },
  { path: "settings/transfers/figures", module: paperFigures },
  {
    path: "settings/transfers/debt",
    module: debt,
    plain: [/^De R\$/, /Este valor é pago inteiro/],
  },
  // A payment links to itself.
  { path: "settings/transactions", module: transactions, plain: [/^(De|Para) /] },
  // The forecast is no entry yet; a picture and its tooltips repeat the table.
  {
    path: "me/analytics",
    module: analytics,
    plain: [/^Cerca de/, /^O disponível agora/, /^O líquido soma/, /^\d\d\/\d\d[^:]*: /],
  },
  { path: "settings/transfers/timeline", module: timeline, plain: [/saque mínimo/] },
];

let world: World;
let ctx: Context;
let ana: Seller;
let lia: Seller;
let dora: Seller;
let bruno: TestPerson;
let carla: TestPerson;
let paidId: string;
let heldId: string;

const asMember = (one: TestPerson, is: { isCreator?: boolean; isModerator?: boolean }): Member => ({
  ...one,
  avatarUrl: null,
  isCreator: false,
  isModerator: false,
  leavingAt: null,
  ...is,
});
const staff = followFiguresAs(
  () => ctx,
  () => asMember(carla, { isModerator: true }),
  PAGES,
);
const asAna = followFiguresAs(
  () => ctx,
  () => asMember(ana, { isCreator: true }),
  PAGES,
);

beforeAll(async () => {
  world = await testContext();
  ctx = world.ctx;
  [ana, lia, bruno, carla] = [
    await createSeller(ctx),
    await createSeller(ctx),
    await createPerson(ctx, "Bruno"),
    await createModerator(ctx),
  ];
  for (const { id: creatorId } of [ana, lia])
    await changeSchedule(ctx, { creatorId, schedule: "manual" });
  // The sandbox does not know these sales, so their proceeds are never paid out.
  dora = await createSeller(ctx);
  await changeSchedule(ctx, { creatorId: dora.id, schedule: "manual" });
  await insertSales(ctx, [
    {
      payerId: bruno.id,
      creatorId: dora.id,
      amountCents: 10_000,
      at: instantOfIsoDay("2026-03-10"),
    },
    {
      payerId: bruno.id,
      creatorId: dora.id,
      amountCents: 4_000,
      at: instantOfIsoDay("2026-03-11"),
      end: "lost",
    },
    {
      payerId: bruno.id,
      creatorId: dora.id,
      amountCents: 3_000,
      at: instantOfIsoDay("2026-03-12"),
      method: "card",
    },
  ]);
  const april: Context = {
    ...ctx,
    now: () => instantOfIsoDay("2026-04-02"),
    realNow: () => instantOfIsoDay("2026-04-02"),
  };
  await sealNextMonth(april, { digest: sha256Hex });
  await invoiceFees(april);
  await paidSubscription(world, bruno, ana);
  const { charge } = await paidTip(world, bruno, lia);
  await paidTip(world, bruno, ana);
  await recordPlatformDeposit(ctx, {
    id: ctx.newId(),
    provider: "sandbox",
    amountCents: 5_000,
    movedOn: isoDay(ctx.now()),
    note: "TED 1",
    personId: carla.id,
  });
  await world.advance(9 * DAY_MS);
  await world.tick();
  await requestPlatformWithdrawal(ctx, {
    id: ctx.newId(),
    provider: "sandbox",
    amountCents: 100,
    movedOn: isoDay(ctx.now()),
    note: "TED 2",
    personId: carla.id,
    moderatorIds: [carla.id],
  });
  paidId = (await requestPayout(ctx, { creatorId: ana.id })).payoutId;
  await requestPayout(ctx, { creatorId: lia.id });
  await world.drain();
  await world.advance(DAY_MS);
  await world.tick();
  // A dispute after the payout leaves the creator in debt.
  await openDisputeOn(world, charge);
  await paidTip(world, bruno, ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  const [sale] = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(eq(charges.creatorId, dora.id))
    .limit(1);
  await ctx.db.insert(refunds).values({
    id: "asked",
    chargeId: sale?.id ?? "",
    amountCents: 100,
    feeShareCents: 5,
    reason: "x",
    status: "requested",
    createdAt: ctx.now(),
  });
  const seen = { firstSeenAt: 1, lastSeenAt: 1, state: "open", runId: "night" } as const;
  const [ours, theirs] = [2_000, 1_500].map((amountCents) =>
    JSON.stringify({ status: "succeeded", amountCents, backCents: 300 }),
  );
  await ctx.db.insert(reconciliationRuns).values({
    id: "night",
    provider: "sandbox",
    night: "2026-11-01",
    startedAt: 1,
    step: "done",
    listedCount: 3,
    foundCount: 1,
    finishedAt: 2,
  });
  await ctx.db.insert(reconciliationSightings).values([
    { runId: "night", object: "charge", objectId: sale?.id ?? "" },
    { runId: "night", object: "charge", objectId: "ch_1" },
    { runId: "night", object: "dispute", objectId: "dp_1" },
  ]);
  await ctx.db.insert(reconciliationDifferences).values([
    {
      ...seen,
      id: "d1",
      provider: "sandbox",
      object: "charge",
      objectId: "ch_1",
      kind: "amount",
      ours,
      theirs,
      isMoney: true,
      gapCents: 500,
    },
    {
      ...seen,
      id: "d2",
      provider: "sandbox",
      object: "charge",
      objectId: "ch_2",
      kind: "ours_missing",
      theirs,
      isMoney: true,
      gapCents: -1_500,
      runId: "another",
    },
  ]);
  heldId = (await requestPayout(ctx, { creatorId: ana.id })).payoutId;
  await claimPayout(
    { ...ctx, settings: { ...ctx.settings, payoutApprovalCents: 1 } },
    { payoutId: heldId },
  );
  world.queued.splice(0);
});

test("every amount on a staff page links to ledger entries that add up to it", async () => {
  const month = monthOf(ctx.now());
  const urls = [
    "/admin/ledger",
    `/admin/ledger?until=2026-03-10`,
    ...Object.keys(ledgerAccountKinds).map((one) => `/admin/ledger/kinds/${one}`),
    ...[ana, lia, dora].map(({ username }) => `/admin/ledger/accounts?username=${username}`),
    "/admin/ledger/accounts/platform_fees?from=2026-03-11&until=2026-03-11",
    "/admin/ledger/providers",
    "/admin/ledger/platform",
    "/admin/ledger/debts",
    "/admin/disputes/regrets",
    "/admin/ledger/unclaimed",
    "/admin/fees",
    "/admin/fees?month=2026-03",
    "/admin/fiscal",
    "/admin/margin",
    `/admin/margin?month=${month}`,
    "/admin/margin?month=2026-03",
    ...["approval", "all", "back"].map((view) => `/admin/payouts?view=${view}`),
    `/admin/payouts/people/${ana.id}`,
    `/admin/payouts/people/${lia.id}`,
    `/admin/payouts/people/${dora.id}`,
    `/admin/payouts/${heldId}`,
    "/admin/reconciliation",
  ];
  expect(await staff.wrong(urls)).toEqual([]);
  expect((await staff.shown("/admin/payouts?view=all")).figures.length).toBeGreaterThan(1);
  expect((await staff.shown("/admin/fees?month=2026-03")).figures.length).toBeGreaterThan(3);
});

test("a creator's balances link to entries that add up to them, and a payout links to its own", async () => {
  expect(await asAna.wrong(["/settings/transfers", "/settings/transfers/timeline"])).toEqual([]);
  const balances = await creatorBalances(ctx, { creatorId: ana.id });
  const { figures } = await asAna.shown("/settings/transfers");
  for (const [name, cents] of [
    ["available", balances.availableCents],
    ["pending", balances.pendingCents],
  ] as const) {
    expect(figures).toContainEqual(
      expect.objectContaining({ cents, href: `/settings/transfers/entries?account=${name}` }),
    );
  }
  const [paid] = await ctx.db.select().from(payouts).where(eq(payouts.id, paidId));
  expect(paid?.status).toBe("paid");
  expect(figures).toContainEqual(
    expect.objectContaining({
      cents: paid?.amountCents,
      href: `/settings/transfers/entries?account=in_transit&payout=${paidId}`,
    }),
  );
});

test("followFiguresAs reports an amount without a link, with a wrong link and with a wrong sum", async () => {
  const page = (...children: ReactNode[]) => ({
    loader: () => null,
    default: () => createElement("div", null, ...children),
  });
  const link = (to: string, text: string) => createElement("a", { key: to, href: to }, text);
  const entry = createElement(
    "table",
    { key: "entries" },
    createElement(
      "tbody",
      null,
      createElement("tr", { id: "lancamento-1" }, createElement("td", null, "R$ 1,00")),
    ),
  );
  const broken = followFiguresAs(
    () => ctx,
    () => asMember(carla, {}),
    [
      { path: "bare", module: page(createElement("span", null, "R$ 7,00")) },
      { path: "elsewhere", module: page(link("/whole", "R$ 2,00"), link("/nowhere", "R$ 3,00")) },
      {
        path: "whole",
        module: page(createElement("data", { key: "sum", value: "100" }, "R$ 1,00"), entry),
      },
      {
        path: "uneven",
        module: page(createElement("data", { key: "sum", value: "900" }, "R$ 9,00"), entry),
      },
    ],
  );
  expect(await broken.wrong(["/whole"])).toEqual([]);
  expect(await broken.wrong(["/bare", "/elsewhere", "/uneven"])).toEqual([
    "/uneven: its entries come to 100, it says 900",
    "/elsewhere: R$ 2,00 leads to /whole, which comes to 100",
    "/elsewhere: R$ 3,00 leads to /nowhere, which is no page of money",
    "/bare: nothing behind R$ 7,00",
  ]);
});

test("a reconciliation run links to as many objects as it counted, each with its local amount", async () => {
  expect(
    (await staff.shown("/admin/reconciliation")).links.filter((link) =>
      link.endsWith("/nights/night"),
    ),
  ).toHaveLength(2);
  const { ids, figures } = await staff.shown("/admin/reconciliation/nights/night");
  expect(ids.filter((id) => id.startsWith("visto-"))).toHaveLength(3);
  expect(figures).toMatchObject([{ href: expect.stringMatching(/^\/settings\/transactions\//) }]);
});

test("a difference links to its charge, to the charge of its refund or dispute, or to its payout", async () => {
  const [charge] = await ctx.db
    .select({ id: charges.id, providerChargeId: charges.providerChargeId })
    .from(charges)
    .where(and(eq(charges.creatorId, ana.id), isNotNull(charges.providerChargeId)))
    .limit(1);
  const [fought] = await ctx.db
    .select({
      chargeId: disputes.chargeId,
      providerDisputeId: disputes.providerDisputeId,
      provider: disputes.provider,
    })
    .from(disputes)
    .where(eq(disputes.creatorId, lia.id))
    .limit(1);
  const row = {
    provider: "sandbox",
    kind: "amount",
    ours: JSON.stringify({ status: "succeeded", amountCents: 2_000, backCents: 300 }),
    theirs: null,
    isMoney: true,
    gapCents: 500,
    firstSeenAt: 1,
    lastSeenAt: 1,
    state: "open",
  } as const;
  const saleAt = (id = "") => `/settings/transactions/${id}`;
  const about: [string, Partial<typeof reconciliationDifferences.$inferInsert>, string | null][] = [
    ["l1", { object: "charge", ourId: charge?.id ?? "" }, saleAt(charge?.id)],
    ["l2", { object: "charge", objectId: charge?.providerChargeId ?? "" }, saleAt(charge?.id)],
    [
      "l3",
      { object: "refund", reference: "asked" },
      saleAt((await ctx.db.select().from(refunds).where(eq(refunds.id, "asked")))[0]?.chargeId),
    ],
    [
      "l4",
      {
        object: "dispute",
        provider: fought?.provider ?? "",
        objectId: fought?.providerDisputeId ?? "",
      },
      saleAt(fought?.chargeId),
    ],
    ["l5", { object: "transfer", reference: paidId }, `/admin/payouts/${paidId}`],
    ["l6", { object: "transfer", reference: "nobody's" }, null],
  ];
  for (const [id, its, to] of about) {
    await ctx.db
      .insert(reconciliationDifferences)
      .values({ ...row, object: "charge", objectId: id, ...its, id });
    const { figures, links } = await staff.shown(`/admin/reconciliation/${id}`);
    // The page shows our amount, the refunded amount and the amount at stake.
    expect([id, figures.map(({ href }) => href)]).toEqual([id, [to, to, to]]);
    expect(links.filter((link) => link === to)).toHaveLength(to === null ? 0 : 4);
  }
});

test.each([
  ["platform_fees", "", null],
  ["platform_fees", "kind=charge.succeeded", ", só “Pagamento confirmado”"],
  ["platform_fees", "creatorId=ANA", ", só de @USERNAME"],
  ["platform_fees", "creatorId=gone", ", só de uma conta excluída"],
  ["creator_available:ANA", "payoutId=PAID&from=2026-01-01", ", só deste saque"],
])(
  "a filtered account names its filter and links back to the whole account: %s?%s",
  async (accountId, query, part) => {
    const named = (text: string) =>
      text.replace("ANA", ana.id).replace("PAID", paidId).replace("USERNAME", ana.username);
    const at = `/admin/ledger/accounts/${encodeURIComponent(named(accountId))}`;
    const { headings, links } = await staff.shown(`${at}?${named(query)}`);
    expect(/, só .*/.exec(headings[0] ?? "")?.[0] ?? null).toBe(part && named(part));
    expect(links.filter((link) => link === at || link === `${at}?from=2026-01-01`)).toHaveLength(
      part === null ? 0 : 1,
    );
  },
);

test("a reconciliation run links to the differences that it saw last", async () => {
  expect((await staff.shown("/admin/reconciliation?state=all")).links).toContain(
    "/admin/reconciliation?state=all&run=night",
  );
  const found = async (url: string) =>
    (await staff.shown(url)).links.filter((link) => /\/reconciliation\/d\d$/.test(link));
  expect(await found("/admin/reconciliation?state=all")).toHaveLength(2);
  expect(await found("/admin/reconciliation?state=all&run=night")).toEqual([
    "/admin/reconciliation/d1",
  ]);
});

test("upcoming releases by day, later and without a date add up to the pending balance and link to their sales", async () => {
  const days = Array.from({ length: 15 }, (_, n) => ctx.now() - (20 - n) * DAY_MS);
  const nina = await createSeller(ctx);
  await insertSales(
    ctx,
    days.map((at) => ({
      payerId: bruno.id,
      creatorId: nina.id,
      amountCents: 1_000,
      at,
      method: "card" as const,
    })),
  );
  await paidGift(world, bruno, nina);
  const asNina = followFiguresAs(
    () => ctx,
    () => asMember(nina, { isCreator: true }),
    PAGES,
  );
  expect(await asNina.wrong(["/settings/transfers"])).toEqual([]);
  const { pendingCents } = await creatorBalances(ctx, { creatorId: nina.id });
  const coming = (await asNina.shown("/settings/transfers")).figures.filter(({ href }) =>
    href?.includes("/releases?"),
  );
  expect(coming.map(({ href }) => href?.replace(/.*\?|=.*/g, ""))).toEqual([
    ...Array.from({ length: 12 }, () => "dia"),
    "depois",
    "sem-data",
  ]);
  expect(coming.reduce((sum, { cents }) => sum + cents, 0)).toBe(pendingCents);
  expect((await asAna.shown(coming[0]?.href ?? "")).totals).not.toEqual(
    (await asNina.shown(coming[0]?.href ?? "")).totals,
  );
});

test("amounts of earnings statements, analytics and debt pages link to their sources", async () => {
  const month = monthOf(ctx.now());
  const asOne = (one: TestPerson) =>
    followFiguresAs(
      () => ctx,
      () => asMember(one, { isCreator: true }),
      PAGES,
    );
  expect(
    await asAna.wrong([
      `/settings/transfers/extrato?month=${month}`,
      `/settings/transfers/resumo?year=${month.slice(0, 4)}`,
      "/me/analytics",
    ]),
  ).toEqual([]);
  expect(
    await asOne(dora).wrong([
      "/settings/transfers/extrato?month=2026-03",
      "/settings/transfers/resumo?year=2026",
    ]),
  ).toEqual([]);
  expect(
    await asOne(lia).wrong([
      "/settings/transfers",
      "/settings/transfers/extrato",
      "/settings/transfers/debt",
    ]),
  ).toEqual([]);
  const { figures } = await asAna.shown("/me/analytics");
  expect(figures.filter(({ cents, href }) => cents !== 0 && href !== null).length).toBeGreaterThan(
    1,
  );
});

test("a creator cannot read the entries of another creator's payout", async () => {
  const asLia = followFiguresAs(
    () => ctx,
    () => asMember(lia, { isCreator: true }),
    PAGES,
  );
  expect(
    (await asLia.shown(`/settings/transfers/entries?account=in_transit&payout=${paidId}`)).totals,
  ).toEqual([0]);
});

test("the accounts of a kind add up to its total, today and on a past day", async () => {
  for (const [url, cents] of [
    ["/admin/ledger/kinds/creator_pending", null],
    ["/admin/ledger/kinds/creator_pending?until=2026-03-10", 9_500],
    ["/admin/ledger/kinds/creator_pending?until=2026-03-09", 0],
  ] as const) {
    const { figures, totals } = await staff.shown(url);
    const sum = figures
      .filter(({ href }) => href !== null)
      .reduce((all, one) => all + one.cents, 0);
    expect([url, totals]).toEqual([url, [sum]]);
    if (cents !== null) expect([url, sum]).toEqual([url, cents]);
  }
});

test("the accounts of a kind are paged without gaps or repeats, and add up to its total", async () => {
  let most = 0;
  for (const kind of [
    "creator_pending",
    "creator_available",
    "creator_reserved",
    "provider_clearing",
  ] as const) {
    const all = await accountsOfKind(ctx, { kind, until: null, cursor: null, limit: 1_000 });
    const seen: typeof all.items = [];
    for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages += 1) {
      const page: Awaited<ReturnType<typeof accountsOfKind>> = await accountsOfKind(ctx, {
        kind,
        until: null,
        cursor,
        limit: 1,
      });
      seen.push(...page.items);
      expect(seen.length, kind).toBe(pages + page.items.length);
      if (pages > all.items.length) break;
      cursor = page.next;
    }
    expect(seen, kind).toEqual(all.items);
    most = Math.max(most, seen.length);
    expect(
      seen.reduce((sum, { cents }) => sum + cents, 0),
      kind,
    ).toBe(all.totalCents);
  }
  expect(most).toBeGreaterThan(1);
});
