import { commit } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import {
  chargeByProviderId,
  chargeRow,
  waitingRefunds,
} from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import { disputeStanding } from "#app/domain/payments/queries/dispute-standing.server.ts";
import type { DisputeStanding } from "#app/domain/payments/queries/dispute-standing.server.ts";
import { isDecided, isUnpaid, leftCents } from "#app/domain/payments/rules.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import { FLYING_TRANSFERS, OPEN_TRANSFERS } from "#app/domain/payments/rules/refund-transfers.ts";
import type { ProviderDispute } from "#app/domain/payments/schema.ts";
import {
  disputeCostStatements,
  disputeDecidedStatements,
  disputeOpenedStatements,
  disputeStageStatements,
  withoutDispute,
} from "./disputes.server.ts";
import { kindOf } from "./kinds.server.ts";
import type { PurchaseKinds } from "./kinds.server.ts";
import { decidedTransferStatements, heldTransferStatements } from "./refund-transfers.server.ts";
import { sendRefundWith } from "./refunds.server.ts";
import { rereading } from "./rereading.server.ts";
import { settleWith } from "./settle.server.ts";

/** Why a dispute could not be applied; its delivery is quarantined with it, and nothing was written. */
export type DisputeOutcome = "applied" | "unknown_charge" | "amount_differs";

export type DisputeNews = {
  provider: string;
  providerDisputeId: string;
  said?: ProviderDispute;
  /**
   * The charge and all that is known of its disputes, where its caller has just read them: they are
   * read again only when something moved meanwhile.
   */
  read?: DisputeStanding;
  /**
   * Written in the last batch of what is applied, or by itself when there is nothing to apply: the
   * stamp of the delivery that told of it.
   */
  alongside?: Write[];
};

/**
 * Applies what the provider says of a dispute or MED over all that is left of a charge or a part of
 * it, once: reserved when it opens; given back when it is lost, with what was paid for ended where
 * nothing is left of it; free again when it is won. What was set aside to go back by a Pix of ours
 * waits for it, and is not sent when it is lost. A dispute first heard of when it is decided goes
 * through both steps. Throws ProviderUnclear while a refund that the provider took from the same
 * charge is not confirmed: the dispute is over the rest. Source: domain rules, "Ledger".
 */
export async function settleDisputeWith(
  ctx: Context,
  kinds: PurchaseKinds,
  { provider, providerDisputeId, alongside = [], ...news }: DisputeNews,
): Promise<DisputeOutcome> {
  const said = news.said ?? (await madeBy(ctx, { provider }).disputeById(providerDisputeId));
  const known = news.read?.charge ?? (await disputedCharge(ctx, provider, said));
  if (!known) return "unknown_charge";
  const chargeId = known.id;
  // The news of a dispute may be faster than those of the payment, which may be lost for good.
  const isEarly = isUnpaid(known.status);
  if (isEarly) await settleWith(ctx, kinds, { chargeId });
  const standing = firstAsRead(
    isEarly ? null : (news.read ?? null),
    async () => await disputeStanding(ctx, { chargeId, providerDisputeId: said.id }),
  );
  const opened = await openedBesideRefunds(ctx, kinds, {
    chargeId,
    said,
    standing,
    alongside: isDecided(said.status) ? [] : alongside,
  });
  if (opened.outcome !== "applied") return opened.outcome;
  // What opened now is as the provider says, until it is decided.
  if (opened.isNew && !isDecided(said.status)) return "applied";
  const rest = firstAsRead(opened.known, standing);
  await rereading(async () => {
    const now = await rest();
    await commit(ctx.db, [
      ...(now ? await laterStatements(ctx, kinds, now, said) : []),
      ...alongside,
    ]);
  });
  return "applied";
}

type Standing = () => Promise<DisputeStanding | null>;

/**
 * Gives `known` to the first who asks, and what is true then to whoever asks again because
 * something moved.
 */
function firstAsRead(known: DisputeStanding | null, read: Standing): Standing {
  let unused = known;
  return async () => {
    const standing = unused ?? (await read());
    unused = null;
    return standing;
  };
}

/**
 * Also one whose making was never answered, so that we know it only by the reference that we gave
 * it.
 */
async function disputedCharge(
  ctx: Context,
  provider: string,
  { chargeId: providerChargeId }: ProviderDispute,
): Promise<Charge | null> {
  const known = await chargeByProviderId(ctx, { provider, providerChargeId });
  const reference = known
    ? null
    : (await madeBy(ctx, { provider }).chargeById(providerChargeId)).reference;
  const told = reference === null ? known : await chargeRow(ctx, { chargeId: reference });
  // What one provider says is never about a charge of another.
  return told?.provider === provider ? told : null;
}

type Opening = { chargeId: string; said: ProviderDispute; standing: Standing; alongside: Write[] };
/** `known`: as it stands, where it was opened before; `isNew`: it was opened now. */
type Opened = { outcome: DisputeOutcome; isNew: boolean; known: DisputeStanding | null };

/**
 * Less than we know to be left may be a part of it, or all of it beside a refund of ours that we do
 * not know to be done: then that is asked about, and what is left is compared again.
 */
async function openedBesideRefunds(
  ctx: Context,
  kinds: PurchaseKinds,
  opening: Opening,
): Promise<Opened> {
  const open = (isPartTrusted: boolean) =>
    rereading(() => openDispute(ctx, opening, { isPartTrusted }));
  const opened = await open(false);
  if (opened.outcome !== "amount_differs") return opened;
  for (const { id: refundId } of await waitingRefunds(ctx, opening))
    await sendRefundWith(ctx, kinds, { refundId });
  const isStillTaking = (await waitingRefunds(ctx, opening)).some(
    (refund) => refund.providerRefundId !== null,
  );
  const again = await open(!isStillTaking);
  if (again.outcome === "amount_differs" && isStillTaking)
    throw new ProviderUnclear("a refund of the disputed charge is not confirmed yet");
  return again;
}

async function openDispute(
  ctx: Context,
  { said, standing, alongside }: Opening,
  { isPartTrusted }: { isPartTrusted: boolean },
): Promise<Opened> {
  const now = await standing();
  if (!now) return { outcome: "unknown_charge", isNew: false, known: null };
  const { charge, dispute } = now;
  if (dispute || now.transfers.some(({ disputedBy }) => disputedBy === said.id))
    return { outcome: "applied", isNew: false, known: now };
  const transfers = now.transfers.filter(({ status }) => OPEN_TRANSFERS.includes(status));
  if (transfers.some(({ status }) => FLYING_TRANSFERS.includes(status)))
    throw new ProviderUnclear("a refund of the disputed charge is on its way to who paid");
  const left = leftCents(charge);
  const asideCents = transfers.reduce((sum, { amountCents }) => sum + amountCents, 0);
  // All that is left of the charge and is set aside of it is fought over, or a part of what is
  // left; anything else needs a human.
  const isWhole = said.amountCents === left + asideCents;
  const isPart = said.amountCents > 0 && said.amountCents <= left && isPartTrusted;
  if ((!isWhole && !isPart) || charge.succeededAt === null)
    return { outcome: "amount_differs", isNew: false, known: null };
  const disputedCents = isWhole ? left : said.amountCents;
  await commit(ctx.db, [
    ...(disputedCents > 0
      ? disputeOpenedStatements(ctx, now, { ...said, amountCents: disputedCents })
      : []),
    ...(isWhole ? heldTransferStatements(ctx, transfers, { providerDisputeId: said.id }) : []),
    ...alongside,
  ]);
  return { outcome: "applied", isNew: true, known: null };
}

/**
 * What became of a dispute that is open: it was decided, or the bank looks at an answer; the
 * provider may also have moved the day.
 */
async function laterStatements(
  ctx: Context,
  kinds: PurchaseKinds,
  { charge, dispute, transfers, money, othersOpen }: DisputeStanding,
  said: ProviderDispute,
): Promise<Write[]> {
  const cost = dispute ? disputeCostStatements(ctx, dispute, said) : [];
  if (!isDecided(said.status))
    return [...(dispute ? disputeStageStatements(ctx, dispute, said) : []), ...cost];
  const held = transfers.filter(
    ({ heldBy, status }) => heldBy === said.id && OPEN_TRANSFERS.includes(status),
  );
  const aside = decidedTransferStatements(ctx, charge, held, said.status);
  if (dispute?.status !== "open") return [...aside, ...cost];
  return [
    ...aside,
    ...disputeDecidedStatements(ctx, { charge, money, dispute, othersOpen }, said.status),
    ...(othersOpen > 0
      ? []
      : await paidForStatements(
          ctx,
          kinds,
          said.status === "won" ? withoutDispute(charge, dispute) : charge,
        )),
    ...cost,
  ];
}

/**
 * What was paid for ends where nothing is left of its payment; a part that is lost ends it no more
 * than a part that is given back.
 */
async function paidForStatements(
  ctx: Context,
  kinds: PurchaseKinds,
  decided: Charge,
): Promise<Write[]> {
  const kind = kindOf(kinds, decided);
  return leftCents(decided) === 0
    ? await kind.endedStatements(ctx, decided, "dispute_lost")
    : ((await kind.keptStatements?.(ctx, decided)) ?? []);
}
