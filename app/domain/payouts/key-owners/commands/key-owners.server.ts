import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { pixKeyLookupProvider } from "#app/domain/payments/providers/rules/providers.ts";
import {
  PixKeyNotFound,
  PixKeyOwnerMismatch,
  TooManyPixKeyChanges,
} from "#app/domain/payouts/errors.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import type { PayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import {
  needsKeyLookup,
  isKeyLookupDue,
  keyVerdict,
  KEY_LOOKUP_RETRY_MS,
} from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import type {
  KeyDestination,
  KeyLookupResult,
  KeyVerdict,
  DocumentOwner,
} from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import type { Destination } from "#app/domain/payouts/schema/destinations.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { pixKeyOwners, withdrawalMethods } from "#drizzle/schema/payouts.ts";

/**
 * The directory is for who is about to be paid, and at Asaas for five keys a minute: nobody looks
 * up keys here.
 */
const LOOKUP_LIMITS = [
  { windowMs: HOUR_MS, limit: 10 },
  { windowMs: DAY_MS, limit: 30 },
] as const;

type TypedDestination = DocumentOwner & { creatorId: string; place: Destination };

/**
 * Asks whose a key is that somebody types, and gives the statement that keeps the answer, for the
 * batch that keeps the key. Gives none where nothing has to be asked, or nobody answers now: then
 * it is asked at the claim. Refuses KeyOfAnother and KeyNotFound, beside the field, and
 * TooManyKeys.
 */
export async function lookUpTypedKeyOwner(
  ctx: Context,
  { creatorId, place, ...papers }: TypedDestination,
): Promise<BatchWrite[]> {
  if (!needsKeyLookup(place) || !papers.owner || !pixKeyLookupProvider(ctx.payments)) return [];
  await countAction(
    ctx,
    { act: "pix-key-owner", personId: creatorId, limits: LOOKUP_LIMITS },
    (freeAt) => new TooManyPixKeyChanges(freeAt),
  );
  const asked = await ask(ctx, place, papers);
  if (!("answer" in asked)) return [];
  const verdict = keyVerdict(place, papers, asked.answer);
  if (verdict === "other") throw new PixKeyOwnerMismatch();
  if (verdict === "not_found") throw new PixKeyNotFound();
  return [keptStatement(ctx, creatorId, place, asked.answer)];
}

/** What a claim knows of the place where money goes; until when it waits where nobody told. */
export type KeyOwnerCheck =
  | { verdict: Exclude<KeyVerdict, "unasked"> }
  | { verdict: "unasked"; waitsUntil: Instant };

/**
 * Whose the place is of a payout that may be claimed otherwise, asked for where it is not known and
 * kept with its date. What nobody answers waits, and is asked for again; an older answer stands
 * meanwhile. A provider that tells of no keys compares nothing.
 */
export async function checkKeyOwnerAtClaim(
  ctx: Context,
  {
    creatorId,
    standing,
  }: {
    creatorId: string;
    standing: Pick<PayoutSnapshot, "method" | "keyAnswer" | "owner" | "ownerName">;
  },
): Promise<KeyOwnerCheck> {
  const { method, keyAnswer, ...papers } = standing;
  if (!method) return { verdict: "own" };
  const place = { kind: method.pixKeyKind, key: method.pixKey };
  const known = keyVerdict(place, papers, keyAnswer);
  if (!needsKeyLookup(place) || !isKeyLookupDue(known, keyAnswer, ctx.now()))
    return { verdict: known === "unasked" ? "own" : known };
  if (!pixKeyLookupProvider(ctx.payments)) return { verdict: known === "unasked" ? "own" : known };
  const asked = await ask(ctx, place, papers);
  if ("answer" in asked) {
    await commit(ctx.db, [keptStatement(ctx, creatorId, place, asked.answer)]);
    const verdict = keyVerdict(place, papers, asked.answer);
    if (verdict !== "unasked") return { verdict };
  }
  if (known !== "unasked") return { verdict: known };
  return {
    verdict: "unasked",
    waitsUntil:
      ctx.now() +
      Math.max(KEY_LOOKUP_RETRY_MS, "retryAfterMs" in asked ? (asked.retryAfterMs ?? 0) : 0),
  };
}

/**
 * Asks ahead of any payout whose the key is of somebody who is about to be paid, and keeps what was
 * told: what does not fit is asked again at the claim. Does nothing where that is known, or nothing
 * would be claimed; what nobody answers has another turn (`allocateKeyLookups`).
 */
export async function prefetchKeyOwner(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const { method, keyAnswer, documentsApproved, isBanned, isHeldByStaff, ...papers } =
      await loadPayoutSnapshot(ctx, { creatorId });
    const place = method && { kind: method.pixKeyKind, key: method.pixKey };
    if (
      !place ||
      !needsKeyLookup(place) ||
      keyAnswer ||
      !documentsApproved ||
      isBanned ||
      isHeldByStaff
    )
      return;
    const asked = await ask(ctx, place, papers);
    if (!("answer" in asked)) return;
    const isStill = and(
      eq(withdrawalMethods.creatorId, creatorId),
      eq(withdrawalMethods.pixKeyKind, place.kind),
      eq(withdrawalMethods.pixKey, place.key),
    );
    await commit(ctx.db, [
      mustChangeOne(ctx.db.update(withdrawalMethods).set({ askOwnerAt: null }).where(isStill)),
      keptStatement(ctx, creatorId, place, asked.answer),
    ]);
  });
}

/** An answer, or when to ask again. Of a key that is not taken as one nobody has it. */
async function ask(
  ctx: Context,
  { kind, key }: KeyDestination,
  { owner, ownerName }: DocumentOwner,
): Promise<{ answer: KeyLookupResult } | { retryAfterMs: number | null }> {
  const teller = pixKeyLookupProvider(ctx.payments);
  if (!teller) return { retryAfterMs: null };
  try {
    const said = await teller.pixKeyOwner({
      kind,
      key,
      expected: { name: ownerName ?? "", taxId: owner?.taxId ?? "" },
    });
    return { answer: { name: said?.name ?? null, taxId: said?.taxId ?? null, askedAt: ctx.now() } };
  } catch (error) {
    if (!(error instanceof ProviderUnclear) && !(error instanceof ProviderRefused)) throw error;
    ctx.log("payouts.key_owner_unclear", { provider: teller.name, because: error.message });
    return { retryAfterMs: error instanceof ProviderUnclear ? error.retryAfterMs : null };
  }
}

/** One row a creator: of the key before nothing is kept. */
function keptStatement(
  ctx: Context,
  creatorId: string,
  { kind: pixKeyKind, key: pixKey }: KeyDestination,
  { name: ownerName, taxId: ownerTaxId, askedAt }: KeyLookupResult,
): BatchWrite {
  const row = { pixKeyKind, pixKey, ownerName, ownerTaxId, askedAt };
  return ctx.db
    .insert(pixKeyOwners)
    .values({ creatorId, ...row })
    .onConflictDoUpdate({
      target: pixKeyOwners.creatorId,
      set: row,
      setWhere: sql`${pixKeyOwners.askedAt} <= ${askedAt}`,
    });
}
