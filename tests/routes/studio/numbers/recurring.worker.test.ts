import { beforeAll, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { audiencePageOf } from "#app/domain/subscriptions/audience/queries.server.ts";
import { parseAudienceFilter } from "#app/domain/subscriptions/audience/rules.ts";
import * as recurringCsv from "#app/routes/studio/numbers/recurring-csv.ts";
import * as recurring from "#app/routes/studio/numbers/recurring.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { renderPagesAs } from "#tests/support/rendered-pages.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const routes = callRoutesAs([
  { path: "analytics/recurring", module: recurring },
  { path: "analytics/recurring.csv", module: recurringCsv },
]);

let ctx: Context;
let ana: Seller;
beforeAll(async () => {
  const world = await testContext();
  ({ ctx } = world);
  ana = await createSeller(ctx, { amountCents: 3_000 });
  await paidSubscription(world, await createPerson(ctx, "Bruno"), ana);
});

const pageOf = (creator: Seller) =>
  renderPagesAs(
    () => ctx,
    () => ({ ...creator, avatarUrl: null, isCreator: true, isModerator: false, leavingAt: null }),
    [{ path: "analytics/recurring", module: recurring }],
  )("/analytics/recurring");

test("the page says what the subscriptions are worth a month, with what moved it", async () => {
  const page = await pageOf(ana);
  expect(page).toMatch(
    /Por mês \(MRR\)<\/dt><dd[^>]*><a[^>]* href="\/me\/subscribers"[^>]*>R\$\s30,00<\/a>/,
  );
  expect(page).toContain("1 assinatura paga em curso.");
  expect(page).toMatch(/<title[^>]*>Receita recorrente por mês<\/title>/);
  // Nobody ran thirty days ago.
  expect(page).toMatch(/Saídas em 30 dias<\/dt><dd[^>]*>sem dados/);
});

test("the list of subscribers, which the figure opens, is worth the same a month", async () => {
  const { counts } = await audiencePageOf(ctx, {
    creatorId: ana.id,
    filter: parseAudienceFilter(new URLSearchParams()).filter,
    cursor: null,
    limit: 20,
  });
  expect(counts.monthlyCents).toBe(3_000);
});

test("a page without subscriptions leads on", async () => {
  const page = await pageOf(await createSeller(ctx));
  expect(page).toContain("Ainda sem assinaturas pagas");
  expect(page).not.toContain("<table");
});

test("the spreadsheet has a row for each month, which ends with what runs now", async () => {
  const answer = await routes.get({ person: ana, isCreator: true }, "/analytics/recurring.csv");
  const lines = (await answer.text()).trim().split("\r\n");
  expect(lines).toHaveLength(13);
  expect(lines[0]).toContain("Mês;No início;Novas;Voltaram;Subiram;Desceram;Saíram;No fim");
  expect(lines.at(-1)).toMatch(/;0,00;30,00;0,00;0,00;0,00;0,00;30,00;1$/);
});

test("only a team member who sees money opens either", async () => {
  const team = await createTeamFor(ctx, ana);
  const [basic, billing] = [
    await createTeammate(ctx, team, "basic_member"),
    await createTeammate(ctx, team, "admin", { mayManageBilling: true }),
  ];
  for (const path of ["/analytics/recurring", "/analytics/recurring.csv"]) {
    const statusFor = async (person: typeof basic) =>
      (await routes.get({ person, teamId: team.teamId }, path)).status;
    expect([path, await statusFor(basic), await statusFor(billing)]).toEqual([path, 403, 200]);
  }
});
