import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import {
  activatePlan,
  archivePlan,
  createPlan,
  holdSeatStatement,
  releaseSeatStatement,
  restorePlan,
  updatePlan,
} from "#app/domain/plans/commands.server.ts";
import {
  PageNotOpen,
  PlanArchived,
  PlanNotActivatable,
  PlanNotFound,
  PriceInvalid,
  SeatsBelowTaken,
  TooManyPlans,
} from "#app/domain/plans/errors.ts";
import { planOffer, creatorPlan, plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { MAXIMUM_OPEN_PLANS } from "#app/domain/plans/rules.ts";
import type { PlanInput } from "#app/domain/plans/schema.ts";
import { DAY_MS, UNDO_MS } from "#app/domain/time.ts";
import { spaceStatements } from "#app/http/public-pages/space-rows.server.ts";
import { spaceFromRows } from "#app/routes/space/load-space.server.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { planPrices, plans } from "#drizzle/schema/plans.ts";
import { testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";

const input = (overrides: Partial<PlanInput> = {}): PlanInput => ({
  name: "Mestre de roda",
  description: "Conversa de perto.",
  benefits: ["Uma aula por mês"],
  prices: [{ interval: "monthly", amountCents: 4_990 }],
  seatsLimit: null,
  welcomeMessage: "",
  ...overrides,
});

test("a new plan is a draft that nobody can buy", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx);
  const { planId } = await createPlan(ctx, { creatorId: ana.id, ...input() });
  expect(await creatorPlan(ctx, { planId, creatorId: ana.id })).toMatchObject({
    state: "draft",
    benefits: ["Uma aula por mês"],
    seatsTaken: 0,
  });
  expect(await planOffer(ctx, { planId })).toBeNull();
  expect(
    (await plansOfCreator(ctx, { creatorId: ana.id, states: ["active"] })).map((plan) => plan.id),
  ).toEqual([ana.planId]);
});

test("only a creator with a page makes plans, and only at allowed prices", async () => {
  const { ctx } = await testContext();
  const fan = await createPerson(ctx);
  await expect(createPlan(ctx, { creatorId: fan.id, ...input() })).rejects.toThrow(PageNotOpen);
  const ana = await createSeller(ctx);
  for (const amountCents of [499, 500_001]) {
    await expect(
      createPlan(ctx, {
        creatorId: ana.id,
        ...input({ prices: [{ interval: "monthly", amountCents }] }),
      }),
    ).rejects.toThrow(PriceInvalid);
  }
  const twice = [
    { interval: "monthly" as const, amountCents: 1_000 },
    { interval: "monthly" as const, amountCents: 2_000 },
  ];
  await expect(createPlan(ctx, { creatorId: ana.id, ...input({ prices: twice }) })).rejects.toThrow(
    PriceInvalid,
  );
});

test("activation waits for documents, and a second click changes nothing", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx, { approved: false });
  const { planId } = await createPlan(ctx, { creatorId: ana.id, ...input() });
  await rejectDocuments(ctx, {
    moderatorId: (await createModerator(ctx)).id,
    personId: ana.id,
    code: "name_differs",
  });
  await expect(activatePlan(ctx, { creatorId: ana.id, planId })).rejects.toThrow(
    PlanNotActivatable,
  );

  const bia = await createSeller(ctx);
  await activatePlan(ctx, { creatorId: bia.id, planId: bia.planId });
  expect((await creatorPlan(ctx, { planId: bia.planId, creatorId: bia.id }))?.state).toBe("active");
});

test("an eleventh plan is not put up for sale, even when two tabs take the last place", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx);
  const made: string[] = [];
  for (let count = 0; count < 10; count += 1)
    made.push(
      (await createPlan(ctx, { creatorId: ana.id, ...input({ name: `Plano ${count}` }) })).planId,
    );
  for (const planId of made.slice(0, 8)) await activatePlan(ctx, { creatorId: ana.id, planId });
  const outcomes = await Promise.allSettled(
    made.slice(8).map((planId) => activatePlan(ctx, { creatorId: ana.id, planId })),
  );
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  expect(await plansOfCreator(ctx, { creatorId: ana.id, states: ["active"] })).toHaveLength(10);
});

test("a new price retires the old one and never edits it", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx);
  const prices = [
    { interval: "monthly" as const, amountCents: 2_490 },
    { interval: "annual" as const, amountCents: 24_900 },
  ];
  await updatePlan(ctx, { creatorId: ana.id, planId: ana.planId, ...input({ prices }) });
  const rows = await ctx.db
    .select()
    .from(planPrices)
    .where(eq(planPrices.planId, ana.planId))
    .orderBy(planPrices.amountCents);
  expect(rows.map((row) => [row.amountCents, row.retiredAt !== null])).toEqual([
    [1_990, true],
    [2_490, false],
    [24_900, false],
  ]);
  expect(rows[0]?.id).toBe(ana.priceId);

  await updatePlan(ctx, {
    creatorId: ana.id,
    planId: ana.planId,
    ...input({ name: "Outro nome", prices }),
  });
  expect(
    await ctx.db.select().from(planPrices).where(eq(planPrices.planId, ana.planId)),
  ).toHaveLength(3);
});

test("nobody can edit another creator's plan", async () => {
  const { ctx } = await testContext();
  const [ana, eva] = [await createSeller(ctx), await createSeller(ctx)];
  const theft = { creatorId: eva.id, planId: ana.planId };
  await expect(updatePlan(ctx, { ...theft, ...input() })).rejects.toThrow(PlanNotFound);
  await expect(archivePlan(ctx, theft)).rejects.toThrow(PlanNotFound);
  await expect(activatePlan(ctx, theft)).rejects.toThrow(PlanNotFound);
  expect(await creatorPlan(ctx, theft)).toBeNull();
});

test("an archived plan sells no more, is shown as not sold, and stays archived", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx);
  const planIds = { creatorId: ana.id, planId: ana.planId };
  await archivePlan(ctx, planIds);
  await archivePlan(ctx, planIds);
  expect((await planOffer(ctx, { planId: ana.planId }))?.availability).toBe("not_sold");
  await expect(updatePlan(ctx, { ...planIds, ...input() })).rejects.toThrow(PlanArchived);
  await expect(activatePlan(ctx, planIds)).rejects.toThrow(PlanNotActivatable);
  await expect(commit(ctx.db, [holdSeatStatement(ctx, planIds)])).rejects.toThrow(StaleWrite);
});

describe("archiving", () => {
  test("is taken back within ten minutes, to where the plan was", async () => {
    const { ctx, advance } = await testContext();
    const ana = await createSeller(ctx);
    const onSale = { creatorId: ana.id, planId: ana.planId };
    const draft = { creatorId: ana.id, ...(await createPlan(ctx, { ...onSale, ...input() })) };
    for (const own of [onSale, draft]) await archivePlan(ctx, own);
    await restorePlan(ctx, { ...onSale, state: "active" });
    await restorePlan(ctx, { ...draft, state: "draft" });
    expect((await creatorPlan(ctx, draft))?.state).toBe("draft");
    expect((await planOffer(ctx, { planId: ana.planId }))?.availability).toBe("open");

    await archivePlan(ctx, onSale);
    await advance(UNDO_MS);
    await expect(restorePlan(ctx, { ...onSale, state: "active" })).rejects.toThrow(PlanArchived);
    expect((await creatorPlan(ctx, onSale))?.state).toBe("archived");
  });

  test("of a draft is no way around the documents, and nobody else takes it back", async () => {
    const { ctx } = await testContext();
    const eva = await createSeller(ctx);
    const dora = await createSeller(ctx, { approved: false });
    const own = {
      creatorId: dora.id,
      ...(await createPlan(ctx, { creatorId: dora.id, ...input() })),
    };
    await archivePlan(ctx, own);
    await rejectDocuments(ctx, {
      personId: dora.id,
      moderatorId: (await createModerator(ctx)).id,
      code: "name_differs",
    });
    await expect(restorePlan(ctx, { ...own, state: "active" })).rejects.toThrow(PlanNotActivatable);
    const theft = { ...own, creatorId: eva.id, state: "draft" as const };
    await expect(restorePlan(ctx, theft)).rejects.toThrow(PlanNotFound);
    expect((await creatorPlan(ctx, own))?.state).toBe("archived");
  });
});

test("the last seat goes to one of two buyers, and is free again once released", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx, { seatsLimit: 1 });
  const outcomes = await Promise.allSettled(
    [1, 2].map(() => commit(ctx.db, [holdSeatStatement(ctx, { planId: ana.planId })])),
  );
  expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await planOffer(ctx, { planId: ana.planId }))?.availability).toBe("full");
  await expect(
    updatePlan(ctx, { creatorId: ana.id, planId: ana.planId, ...input({ seatsLimit: 0 }) }),
  ).rejects.toThrow(SeatsBelowTaken);

  await commit(ctx.db, [releaseSeatStatement(ctx, { planId: ana.planId })]);
  await commit(ctx.db, [releaseSeatStatement(ctx, { planId: ana.planId })]);
  const [row] = await ctx.db
    .select({ seatsTaken: plans.seatsTaken })
    .from(plans)
    .where(eq(plans.id, ana.planId));
  expect(row?.seatsTaken).toBe(0);
  expect((await planOffer(ctx, { planId: ana.planId }))?.availability).toBe("open");
});

test("the offer names the seller with a masked CPF, and selects the requested interval", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx);
  const prices = [
    { interval: "monthly" as const, amountCents: 1_990 },
    { interval: "annual" as const, amountCents: 19_900 },
  ];
  await updatePlan(ctx, { creatorId: ana.id, planId: ana.planId, ...input({ prices }) });
  const offer = await planOffer(ctx, { planId: ana.planId, interval: "annual" });
  expect(offer?.price).toMatchObject({ interval: "annual", amountCents: 19_900 });
  expect(offer?.seller?.name).toBe("Ana Maria Lira");
  expect(offer?.seller?.taxIdShown).toMatch(/^CPF \*{3}\.\d{3}\.\d{3}-\*{2}$/);
  expect((await planOffer(ctx, { planId: ana.planId, interval: "weekly" }))?.price.interval).toBe(
    "monthly",
  );
});

test("documents without a review stop the sale after fourteen days", async () => {
  const world = await testContext();
  const ana = await createSeller(world.ctx, { approved: false });
  expect((await planOffer(world.ctx, { planId: ana.planId }))?.availability).toBe("open");
  await world.advance(14 * DAY_MS);
  expect((await planOffer(world.ctx, { planId: ana.planId }))?.availability).toBe("not_sold");
});

test("forty plans created at once stay within the same limit as one after the other", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, () => createPlan(ctx, { creatorId: ana.id, ...input() })),
  );
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  );
  expect(refused.every((reason) => reason instanceof TooManyPlans)).toBe(true);
  expect(
    await plansOfCreator(ctx, { creatorId: ana.id, states: ["draft", "active"] }),
  ).toHaveLength(MAXIMUM_OPEN_PLANS);
});

test("plan cards of a page that cannot sell are shown only to its team and its subscribers", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [ana, clara] = [await createSeller(ctx), await createPerson(ctx, "Clara")];
  const bruno = await createPerson(ctx, "Bruno");
  await paidSubscription(world, bruno, ana);
  const cards = async (viewerId: string | null, isInside = false) => {
    const asked = { key: ana.username, viewerId, cursor: null, isInside };
    return spaceFromRows(ctx, asked, await ctx.db.batch(spaceStatements(ctx, asked)))?.plans.length;
  };
  expect([await cards(null), await cards(clara.id)]).toEqual([1, 1]);
  await ctx.db.update(documents).set({ status: "rejected" }).where(eq(documents.personId, ana.id));
  expect([await cards(null), await cards(clara.id)]).toEqual([0, 0]);
  expect([await cards(ana.id), await cards(bruno.id), await cards(clara.id, true)]).toEqual([
    1, 1, 1,
  ]);
});
