import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { people } from "#drizzle/schema/identity.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { payoutActs, payoutHolds, payouts, pixKeyOwners } from "#drizzle/schema/payouts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { teamMembersWithMoneyAccess } from "#app/domain/identity/colleagues/queries.server.ts";
import { sellerWithTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import type { PixKeyOwner } from "#app/domain/payments/schema.ts";
import { keyVerdict } from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import type { KeyVerdict } from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { toPayout } from "#app/domain/payouts/queries.server.ts";
import type { ReviewView } from "#app/domain/payouts/staff-review/rules.ts";
import { REVIEW_VIEW_FILTERS } from "#app/domain/payouts/staff-review/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";

export type ReviewRow = {
  payout: Payout;
  name: string | null;
  username: string | null;
  /** What would leave now. The amount that left is the payout's own. */
  availableCents: Cents;
};

const AVAILABLE = sql<Cents>`COALESCE(-${ledgerAccounts.balanceCents}, 0)`;

/** Lists the payouts of all creators in one staff view, newest first. */
export async function reviewPayouts(
  ctx: Context,
  { view, cursor, limit }: { view: ReviewView; cursor: string | null; limit: number },
): Promise<Page<ReviewRow>> {
  const after = decodeCursor(cursor);
  const { statuses, reason, waitsFor } = REVIEW_VIEW_FILTERS[view];
  const rows = await ctx.db
    .select({
      payout: payouts,
      name: profiles.name,
      username: profiles.username,
      availableCents: AVAILABLE,
    })
    .from(payouts)
    .leftJoin(profiles, eq(profiles.personId, payouts.creatorId))
    .leftJoin(
      ledgerAccounts,
      eq(ledgerAccounts.id, sql`'creator_available:' || ${payouts.creatorId}`),
    )
    .where(
      and(
        inArray(payouts.status, [...statuses]),
        reason === null ? undefined : eq(payouts.heldReason, reason),
        waitsFor === undefined ? undefined : inArray(payouts.waitsFor, [...waitsFor]),
        after
          ? sql`(${payouts.requestedAt}, ${payouts.id}) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(payouts.requestedAt), desc(payouts.id))
    .limit(limit + 1);
  return pageOf(
    rows.map((row) => ({ ...row, payout: toPayout(row.payout) })),
    limit,
    ({ payout }) => ({ at: payout.requestedAt, id: payout.id }),
  );
}

/** Finds the open payout of a creator, of which there is at most one; null for nobody. */
export async function openPayoutOfCreator(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<{ payoutId: string | null } | null> {
  const [row] = await ctx.db
    .select({ payoutId: payouts.id })
    .from(people)
    .leftJoin(
      payouts,
      and(
        eq(payouts.creatorId, people.id),
        inArray(payouts.status, ["requested", "held", "claimed", "sent"]),
      ),
    )
    .where(eq(people.id, creatorId))
    .limit(1);
  return row ?? null;
}

/** Finds the open hold of a creator's payouts, of which there is at most one. */
export async function openHoldOfCreator(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<{ id: string } | null> {
  const [row] = await ctx.db
    .select({ id: payoutHolds.id })
    .from(payoutHolds)
    .where(and(eq(payoutHolds.creatorId, creatorId), isNull(payoutHolds.endedAt)))
    .limit(1);
  return row ?? null;
}

/**
 * Counts the payouts that wait for a moderator's approval, and those that wait for money or our
 * account at their provider.
 */
export async function reviewCounts(ctx: Context): Promise<{ approval: number; short: number }> {
  const [row] = await ctx.db
    .select({
      approval: sql<number>`(SELECT COUNT(*) FROM ${payouts} WHERE status = 'held' AND held_reason = 'approval' AND approved_cents IS NULL)`,
      short: sql<number>`(SELECT COUNT(*) FROM ${payouts} WHERE waits_for IN ('balance', 'provider', 'key_owner'))`,
    })
    .from(sql`(SELECT 1)`);
  return row ?? { approval: 0, short: 0 };
}

/** Builds the statement that counts payouts that wait for an approval, for the staff's home. */
export function payoutsForApprovalStatement(ctx: Context) {
  return ctx.db
    .select({
      count: sql<number>`COUNT(*)`.as("payouts_count"),
      oldestAt: sql<Instant | null>`MIN(${payouts.requestedAt})`.as("payouts_oldest_at"),
    })
    .from(payouts)
    .where(
      and(
        eq(payouts.status, "held"),
        eq(payouts.heldReason, "approval"),
        isNull(payouts.approvedCents),
      ),
    );
}

/** Whether a moderator requested this payout, in staff review. */
export async function isRequestedByModerator(
  ctx: Context,
  { payoutId, moderatorId }: { payoutId: string; moderatorId: string },
): Promise<boolean> {
  return (
    (await ctx.db.$count(
      payoutActs,
      and(
        eq(payoutActs.payoutId, payoutId),
        eq(payoutActs.moderatorId, moderatorId),
        eq(payoutActs.act, "retry"),
      ),
    )) > 0
  );
}

export const DESTINATION_SIGNATURE_PURPOSE = "payout place";
export const destinationSigningText = ({
  id,
  pixKeyKind,
  pixKey,
}: Pick<Payout, "id" | "pixKeyKind" | "pixKey">): string => `${id} ${pixKeyKind} ${pixKey}`;

/**
 * Signs the destination that a page showed, for its form. Two destinations may have the same masked
 * text, and neither leaves the server. Source:
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export const destinationSignature = async (
  ctx: Context,
  payout: Pick<Payout, "id" | "pixKeyKind" | "pixKey">,
): Promise<string> =>
  await ctx.signer.sign(DESTINATION_SIGNATURE_PURPOSE, destinationSigningText(payout));

export type StaffAction = {
  act: (typeof payoutActs.$inferSelect)["act"];
  note: string;
  createdAt: number;
  moderatorId: string;
  moderatorName: string | null;
};
export type ReviewedPayout = ReviewRow & {
  hold: { reason: string; heldAt: number } | null;
  acts: StaffAction[];
  /** Members of the creator's team who see the money. */ teamIds: string[];
  keyOwner: KeyOwnerComparison | null;
};

/**
 * Who owns the key by the Pix directory (null for nobody) and by the approved documents. `askedAt`:
 * when the directory was asked. It stays on the server: staff see `maskOwner`.
 */
type KeyOwnerComparison = {
  askedAt: number;
  directoryOwner: PixKeyOwner | null;
  documentOwner: PixKeyOwner | null;
  verdict: KeyVerdict;
};

const ACTS_SHOWN = 50;

/** Loads one payout with the moderators' actions on it, or null. */
export async function reviewedPayout(
  ctx: Context,
  { payoutId }: { payoutId: string },
): Promise<ReviewedPayout | null> {
  const [[row], [hold], acts, team, [notice]] = await ctx.db.batch([
    ctx.db
      .select({
        payout: payouts,
        name: profiles.name,
        username: profiles.username,
        availableCents: AVAILABLE,
      })
      .from(payouts)
      .leftJoin(profiles, eq(profiles.personId, payouts.creatorId))
      .leftJoin(
        ledgerAccounts,
        eq(ledgerAccounts.id, sql`'creator_available:' || ${payouts.creatorId}`),
      )
      .where(eq(payouts.id, payoutId))
      .limit(1),
    ctx.db
      .select({ reason: payoutHolds.reason, heldAt: payoutHolds.heldAt })
      .from(payoutHolds)
      .innerJoin(payouts, eq(payouts.creatorId, payoutHolds.creatorId))
      .where(and(eq(payouts.id, payoutId), isNull(payoutHolds.endedAt)))
      .limit(1),
    ctx.db
      .select({
        act: payoutActs.act,
        note: payoutActs.note,
        createdAt: payoutActs.createdAt,
        moderatorId: payoutActs.moderatorId,
        moderatorName: profiles.name,
      })
      .from(payoutActs)
      .leftJoin(profiles, eq(profiles.personId, payoutActs.moderatorId))
      .where(eq(payoutActs.payoutId, payoutId))
      .orderBy(desc(payoutActs.createdAt), desc(payoutActs.id))
      .limit(ACTS_SHOWN),
    teamMembersWithMoneyAccess(ctx, {
      creatorId: sql<string>`(SELECT paid.creator_id FROM payouts paid WHERE paid.id = ${payoutId})`,
    }),
    comparedStatement(ctx, { payoutId }),
  ]);
  return row
    ? {
        ...row,
        payout: toPayout(row.payout),
        hold: hold ?? null,
        acts,
        teamIds: team.map(({ personId }) => personId),
        keyOwner: notice ? comparedOf(notice) : null,
      }
    : null;
}

/** Statement of the directory's answer for a payout's key, with the creator's approved documents. */
const comparedStatement = (ctx: Context, { payoutId }: { payoutId: string }) =>
  ctx.db
    .select({
      kind: pixKeyOwners.pixKeyKind,
      key: pixKeyOwners.pixKey,
      name: pixKeyOwners.ownerName,
      taxId: pixKeyOwners.ownerTaxId,
      askedAt: pixKeyOwners.askedAt,
      sellerName: documents.sellerName,
      paperKind: documents.taxKind,
      paperTaxId: documents.taxId,
    })
    .from(payouts)
    .innerJoin(
      pixKeyOwners,
      and(
        eq(pixKeyOwners.creatorId, payouts.creatorId),
        eq(pixKeyOwners.pixKeyKind, payouts.pixKeyKind),
        eq(pixKeyOwners.pixKey, payouts.pixKey),
      ),
    )
    .leftJoin(
      documents,
      and(eq(documents.personId, payouts.creatorId), eq(documents.status, "approved")),
    )
    .where(eq(payouts.id, payoutId))
    .limit(1);

function comparedOf({
  kind,
  key,
  name,
  taxId,
  askedAt,
  sellerName,
  paperKind,
  paperTaxId,
}: Awaited<ReturnType<typeof comparedStatement>>[number]): KeyOwnerComparison {
  const owner = sellerWithTaxId({ sellerName, taxKind: paperKind, taxId: paperTaxId });
  const verdict = keyVerdict(
    { kind, key },
    { owner, ownerName: owner?.name ?? null },
    { name, taxId, askedAt },
  );
  return {
    askedAt,
    verdict,
    directoryOwner: name === null ? null : { name, taxId: taxId ?? "" },
    documentOwner: owner && { name: owner.name, taxId: owner.taxId },
  };
}
