import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { deletionPreview } from "#app/domain/deletion/queries/preview.server.ts";
import { loadDeletionBlockers } from "#app/domain/deletion/queries/blockers.server.ts";
import { deletionDueAt, deletionWaitReasons } from "#app/domain/deletion/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { accountDeletions } from "#drizzle/schema/deletion.ts";
import { people } from "#drizzle/schema/identity.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { refunds } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { World } from "./context.ts";

/** Status of each deletion of a person, oldest first. */
export async function deletionsOf(ctx: Context, personId: string): Promise<string[]> {
  const rows = await ctx.db
    .select()
    .from(accountDeletions)
    .where(eq(accountDeletions.personId, personId))
    .orderBy(accountDeletions.requestedAt);
  return rows.map(({ status }) => status);
}

export async function mailsOf(ctx: Context, email: string): Promise<string[]> {
  return (
    await ctx.db
      .select()
      .from(localMails)
      .where(eq(localMails.recipient, email))
      .orderBy(localMails.createdAt)
  ).map(({ subject }) => subject);
}

export async function refundsOfCharge(
  ctx: Context,
  chargeId: string,
): Promise<{ status: string; amountCents: number }[]> {
  return ctx.db
    .select({ status: refunds.status, amountCents: refunds.amountCents })
    .from(refunds)
    .where(eq(refunds.chargeId, chargeId));
}

export async function payoutsOfCreator(ctx: Context, creatorId: string): Promise<string[]> {
  const rows = await ctx.db
    .select()
    .from(payouts)
    .where(eq(payouts.creatorId, creatorId))
    .orderBy(payouts.requestedAt);
  return rows.map(({ status, amountCents }) => `${status} ${amountCents}`);
}

export async function statusOfSubscription(ctx: Context, id: string): Promise<string | undefined> {
  return (await ctx.db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0]?.status;
}

/** Expects an erased account: no name, no e-mail address, no profile data. */
export async function expectErased(
  ctx: Context,
  personId: string,
  username: string,
): Promise<void> {
  const [person] = await ctx.db.select().from(people).where(eq(people.id, personId));
  expect(person).toMatchObject({
    email: `${personId}@excluida.invalid`,
    birthDate: null,
    isModerator: false,
    deletedAt: expect.any(Number),
  });
  const [profile] = await ctx.db.select().from(profiles).where(eq(profiles.personId, personId));
  expect(profile).toMatchObject({
    username,
    name: "Conta excluída",
    bio: "",
    city: "",
    craft: "",
    avatarMediaId: null,
    bannerMediaId: null,
    isCreator: false,
    postsCount: 0,
    followersCount: 0,
  });
}

/** Runs the crons `rounds` times, ten minutes apart, so that the deletion goes as far as it can. */
export async function settleDeletion(world: World, rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await world.advance(10 * 60_000);
    await world.env.DB.prepare(
      "UPDATE outbox SET created_at = created_at - 60000 WHERE handled_at IS NULL",
    ).run();
    await world.env.DB.prepare(
      "UPDATE inbox SET received_at = received_at - 60000 WHERE handled_at IS NULL",
    ).run();
    await world.env.PSP_DB.prepare(
      "UPDATE deliveries SET next_attempt_at = 0 WHERE state = 'waiting'",
    ).run();
    await world.tick();
  }
}

/** Advances past the 30 days of the deletion grace, and runs the crons of its last days. */
export async function passDeletionGrace(world: World): Promise<void> {
  await world.advance(27 * DAY_MS);
  await settleDeletion(world, 1);
  await world.advance(3 * DAY_MS);
  await settleDeletion(world);
}

/** The reasons why a deletion waits. */
export const deletionWaitReasonsOf = async (ctx: Context, personId: string) =>
  deletionWaitReasons(await loadDeletionBlockers(ctx, { personId })).map(({ kind }) => kind);
/** The preview of a deletion requested now. */
export const deletionPreviewOf = (ctx: Context, personId: string) =>
  deletionPreview(ctx, { personId, dueAt: deletionDueAt(ctx.now()) });

/** An annual plan, whose unused days are worth a refund. */
export const annualPlan = { amountCents: 15_000, interval: "annual" as const };
