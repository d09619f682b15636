import { beforeAll, expect, test } from "vitest";
import * as deliveries from "#app/routes/admin/deliveries/deliveries.tsx";
import * as disputes from "#app/routes/admin/disputes.tsx";
import * as months from "#app/routes/admin/fiscal/months.tsx";
import * as fees from "#app/routes/admin/ledger/fees.tsx";
import * as accounts from "#app/routes/admin/ledger/ledger-accounts.tsx";
import * as account from "#app/routes/admin/ledger/ledger-account.tsx";
import * as platform from "#app/routes/admin/ledger/ledger-platform.tsx";
import * as providers from "#app/routes/admin/ledger/ledger-providers.tsx";
import * as seals from "#app/routes/admin/ledger/ledger-seals.tsx";
import * as ledger from "#app/routes/admin/ledger/ledger.tsx";
import * as margin from "#app/routes/admin/ledger/margin.tsx";
import * as payouts from "#app/routes/admin/payouts/payouts.tsx";
import * as reconciliation from "#app/routes/admin/reconciliation/reconciliation.tsx";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { asMember, renderPagesAs } from "#tests/support/rendered-pages.ts";

const PAGES = [
  { path: "admin/deliveries", module: deliveries },
  { path: "admin/disputes", module: disputes },
  { path: "admin/fiscal", module: months },
  { path: "admin/fees", module: fees },
  { path: "admin/ledger", module: ledger },
  { path: "admin/ledger/accounts", module: accounts },
  { path: "admin/ledger/accounts/:accountId", module: account },
  { path: "admin/ledger/platform", module: platform },
  { path: "admin/ledger/providers", module: providers },
  { path: "admin/ledger/seals", module: seals },
  { path: "admin/margin", module: margin },
  { path: "admin/payouts", module: payouts },
  { path: "admin/reconciliation", module: reconciliation },
];

let world: World;
let maria: TestPerson;
beforeAll(async () => {
  world = await testContext();
  maria = await createModerator(world.ctx);
  const ana = await createSeller(world.ctx);
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await openDisputeOn(world, await paidSubscription(world, await createPerson(world.ctx), ana));
});

/** What a page shows at first: without what is folded, and without its tags. */
const shownText = (html: string): string =>
  html
    .replaceAll(/<summary\b.*?<\/summary>/gs, "")
    .replaceAll(/<details\b(?![^>]*\bopen).*?<\/details>/gs, "")
    .replaceAll(/<[^>]*>/g, " ");

test.each([
  ...PAGES.map(({ path }) => `/${path}`).filter((path) => !path.includes(":")),
  "/admin/ledger/accounts/platform_fees",
])(
  "the staff's page %s has no names of the code and no long seals among its first words",
  async (url) => {
    const page = renderPagesAs(
      () => world.ctx,
      () => asMember(maria, { isModerator: true }),
      PAGES,
    );
    const text = shownText(await page(url));
    expect(text.length).toBeGreaterThan(20);
    expect(/\w*_\w+|\bsandbox\b|[0-9a-f]{64}/.exec(text)?.[0] ?? null).toBeNull();
  },
);
