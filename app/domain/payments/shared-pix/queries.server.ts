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
/** A charge's id, and the signature of it. */
const TOKEN = /^([0-9a-f]{32})([\w-]{43})$/;

/** The last part of the address where anybody may pay this charge's Pix; given only to who owes it. */
export async function sharedPixToken(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<string> {
  return chargeId + (await ctx.signer.sign(PURPOSE, chargeId));
}

export type SharedPix = {
  chargeId: string;
  state: SharedPixState;
  /** Null once it is not to be paid any more. */
  pixCode: string | null;
  amountCents: Cents;
  description: string;
  /** Of who asks, the first name and nothing else. */
  payerFirstName: string;
  creatorName: string;
  creatorUsername: string;
  creatorAvatarMediaId: string | null;
  createdAt: Instant;
  expiresAt: Instant;
};

/**
 * What whoever bears the address of a Pix sees of it; null for an address that we never gave, and
 * for one that is dead.
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
    // A code that also asks to debit whoever pays it is not for somebody else.
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
