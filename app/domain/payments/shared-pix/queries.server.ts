import { and, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { sharedPixState } from "./rules.ts";
import type { SharedPixState } from "./rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const PURPOSE = "coreto shared pix 1";
/** A charge's id, followed by its signature. */
const TOKEN = /^([0-9a-f]{32})([\w-]{43})$/;

/** Builds the token of the address where anyone may pay this charge's Pix. Only the payer gets it. */
export async function sharedPixToken(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<string> {
  return chargeId + (await ctx.signer.sign(PURPOSE, chargeId));
}

export type SharedPix = {
  chargeId: string;
  state: SharedPixState;
  /** Null once it can no longer be paid. */
  pixCode: string | null;
  amountCents: Cents;
  description: string;
  /** The payer's first name, and nothing else. */
  payerFirstName: string;
  creatorName: string;
  creatorUsername: string;
  creatorAvatarMediaId: string | null;
  createdAt: Instant;
  expiresAt: Instant;
};

/**
 * Loads what the holder of a shared Pix address sees. Null for an address that is not ours, or that
 * has expired.
 */
export async function sharedPix(
  ctx: Context,
  { token }: { token: string },
): Promise<SharedPix | null> {
  const [, chargeId, signature] = TOKEN.exec(token) ?? [];
  if (!chargeId || !signature || !(await ctx.signer.isGenuine(PURPOSE, chargeId, signature)))
    return null;
  const [row] = await ctx.db
    .select({
      status: sql<ChargeStatus>`${charges.status}`,
      pixCode: charges.pixCode,
      amountCents: charges.amountCents,
      description: charges.description,
      payerName:
        sql<string>`(SELECT payer.name FROM profiles payer WHERE payer.person_id = ${charges.payerId})`.as(
          "payer_name",
        ),
      creatorName: profiles.name,
      creatorUsername: profiles.username,
      creatorAvatarMediaId: profiles.avatarMediaId,
      createdAt: charges.createdAt,
      expiresAt: charges.expiresAt,
    })
    .from(charges)
    .innerJoin(profiles, eq(profiles.personId, charges.creatorId))
    // A code that also sets up a Pix mandate is not shared with others.
    .where(and(eq(charges.id, chargeId), eq(charges.method, "pix"), isNull(charges.recurringPixId)))
    .limit(1);
  if (!row || row.expiresAt === null) return null;
  const { status, pixCode, payerName, expiresAt, ...shown } = row;
  const state = sharedPixState({ status, pixCode, expiresAt }, ctx.now());
  if (state === null) return null;
  return {
    ...shown,
    chargeId,
    state,
    pixCode: state === "waiting" ? pixCode : null,
    payerFirstName: payerName.split(" ")[0] ?? payerName,
    expiresAt,
  };
}
