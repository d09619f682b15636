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
 * Limits of key lookups per person. The directory is only for people about to be paid, and Asaas
 * allows five keys a minute. They also stop people from looking up keys of others.
 */
const LOOKUP_LIMITS = [
  { windowMs: HOUR_MS, limit: 10 },
  { windowMs: DAY_MS, limit: 30 },
] as const;

type TypedDestination = DocumentOwner & { creatorId: string; place: Destination };

/**
 * Looks up the owner of a typed key, and returns the statement that saves the answer in the batch
 * of the key.
 *
 * Returns none if no lookup is needed or the provider does not answer; the claim asks again.
 * Refuses PixKeyOwnerMismatch and PixKeyNotFound on the field, and TooManyPixKeyChanges.
 */
export async function lookUpTypedKeyOwner(
  ctx: Context,
  { creatorId, place, ...documentOwner }: TypedDestination,
): Promise<BatchWrite[]> {
  if (!needsKeyLookup(place) || !documentOwner.owner || !pixKeyLookupProvider(ctx.payments))
    return [];
  await countAction(
    ctx,
    { act: "pix-key-owner", personId: creatorId, limits: LOOKUP_LIMITS },
    (freeAt) => new TooManyPixKeyChanges(freeAt),
  );
  const asked = await ask(ctx, place, documentOwner);
  if (!("answer" in asked)) return [];
  const verdict = keyVerdict(place, documentOwner, asked.answer);
  if (verdict === "other") throw new PixKeyOwnerMismatch();
  if (verdict === "not_found") throw new PixKeyNotFound();
  return [saveAnswerStatement(ctx, creatorId, place, asked.answer)];
}

/**
 * What a claim knows about the owner of a destination. `waitsUntil`: how long the claim waits
 * without an answer.
 */
export type KeyOwnerCheck =
  | { verdict: Exclude<KeyVerdict, "unasked"> }
  | { verdict: "unasked"; waitsUntil: Instant };

/**
 * Checks the owner of the destination of a payout that may otherwise be claimed.
 *
 * Looks it up if unknown and saves the answer with its date. Without an answer the payout waits and
 * asks again; an older answer stays valid meanwhile. A provider without key lookup compares
 * nothing.
 */
export async function checkKeyOwnerAtClaim(
  ctx: Context,
  {
    creatorId,
    snapshot,
  }: {
    creatorId: string;
    snapshot: Pick<PayoutSnapshot, "method" | "keyAnswer" | "owner" | "ownerName">;
  },
): Promise<KeyOwnerCheck> {
  const { method, keyAnswer, ...documentOwner } = snapshot;
  if (!method) return { verdict: "own" };
  const place = { kind: method.pixKeyKind, key: method.pixKey };
  const savedVerdict = keyVerdict(place, documentOwner, keyAnswer);
  if (!needsKeyLookup(place) || !isKeyLookupDue(savedVerdict, keyAnswer, ctx.now()))
    return { verdict: savedVerdict === "unasked" ? "own" : savedVerdict };
  if (!pixKeyLookupProvider(ctx.payments))
    return { verdict: savedVerdict === "unasked" ? "own" : savedVerdict };
  const asked = await ask(ctx, place, documentOwner);
  if ("answer" in asked) {
    await commit(ctx.db, [saveAnswerStatement(ctx, creatorId, place, asked.answer)]);
    const verdict = keyVerdict(place, documentOwner, asked.answer);
    if (verdict !== "unasked") return { verdict };
  }
  if (savedVerdict !== "unasked") return { verdict: savedVerdict };
  return {
    verdict: "unasked",
    waitsUntil:
      ctx.now() +
      Math.max(KEY_LOOKUP_RETRY_MS, "retryAfterMs" in asked ? (asked.retryAfterMs ?? 0) : 0),
  };
}

/**
 * Looks up the key owner of a creator who is about to be paid, before any payout, and saves the
 * answer.
 *
 * An answer that does not match is asked again at the claim. Does nothing if the owner is known or
 * nothing would be claimed. Without an answer a later run tries again (`allocateKeyLookups`).
 */
export async function prefetchKeyOwner(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const { method, keyAnswer, documentsApproved, isBanned, isHeldByStaff, ...documentOwner } =
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
    const asked = await ask(ctx, place, documentOwner);
    if (!("answer" in asked)) return;
    const isStill = and(
      eq(withdrawalMethods.creatorId, creatorId),
      eq(withdrawalMethods.pixKeyKind, place.kind),
      eq(withdrawalMethods.pixKey, place.key),
    );
    await commit(ctx.db, [
      mustChangeOne(ctx.db.update(withdrawalMethods).set({ askOwnerAt: null }).where(isStill)),
      saveAnswerStatement(ctx, creatorId, place, asked.answer),
    ]);
  });
}

/**
 * Returns the provider's answer, or when to ask again. An answer without a name means that nobody
 * has the key.
 */
async function ask(
  ctx: Context,
  { kind, key }: KeyDestination,
  { owner, ownerName }: DocumentOwner,
): Promise<{ answer: KeyLookupResult } | { retryAfterMs: number | null }> {
  const teller = pixKeyLookupProvider(ctx.payments);
  if (!teller) return { retryAfterMs: null };
  try {
    const ownerAnswer = await teller.pixKeyOwner({
      kind,
      key,
      expected: { name: ownerName ?? "", taxId: owner?.taxId ?? "" },
    });
    return {
      answer: {
        name: ownerAnswer?.name ?? null,
        taxId: ownerAnswer?.taxId ?? null,
        askedAt: ctx.now(),
      },
    };
  } catch (error) {
    if (!(error instanceof ProviderUnclear) && !(error instanceof ProviderRefused)) throw error;
    ctx.log("payouts.key_owner_unclear", { provider: teller.name, because: error.message });
    return { retryAfterMs: error instanceof ProviderUnclear ? error.retryAfterMs : null };
  }
}

/** Saves the answer in the one row of a creator. The answer of an earlier key is replaced. */
function saveAnswerStatement(
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
