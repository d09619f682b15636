import { afterEach, beforeEach, expect, test } from "vitest";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/commands/claim.server.ts";
import { approvePayout } from "#app/domain/payouts/commands/desk.server.ts";
import { changeSchedule } from "#app/domain/payouts/commands/schedule.server.ts";
import { NotYoursToApprove } from "#app/domain/payouts/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { organizationMembers, organizations } from "#drizzle/schema/teams.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { subscribed } from "#tests/support/money.ts";
import { moderator, person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const NET_CENTS = 1_890;
let world: World;
let carla: TestPerson;
let ana: Seller;
let payoutId: string;

beforeEach(async () => {
  world = await testContext();
  carla = await moderator(world.ctx);
  ana = await seller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  await subscribed(world, await person(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  ({ payoutId } = await requestPayout(world.ctx, { creatorId: ana.id }));
  await claimPayout(aboveLimit(), { payoutId });
  world.queued.splice(0);
});
afterEach(() => expectBooksToHold(world.ctx));

const aboveLimit = () => ({ ...world.ctx, settings: { ...world.ctx.settings, payoutApprovalCents: 1 } });
const approve = (moderatorId: string, seenCents = NET_CENTS) => approvePayout(world.ctx, { payoutId, moderatorId, seenCents });

test("who works in the team of whom it is, and sees its money, does not consent; who left it does", async () => {
  const { ctx } = world;
  const now = ctx.now();
  const [organizationId, dora] = [ctx.newId(), await moderator(ctx)];
  await ctx.db.insert(organizations).values({ id: organizationId, ownerId: ana.id, name: "Equipe", slug: organizationId, createdAt: now, updatedAt: now });
  const member = { organizationId, role: "admin" as const, mayManageBilling: true, joinedAt: now };
  await ctx.db.insert(organizationMembers).values([{ ...member, personId: carla.id }, { ...member, personId: dora.id, removedAt: now }]);
  await expect(approve(carla.id)).rejects.toThrow(NotYoursToApprove);
  await approve(dora.id);
  world.queued.splice(0);
});
