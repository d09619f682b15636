import { and, eq, inArray, sql } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { commitDocuments, submitDocumentsStatements } from "#app/domain/documents/commands.server.ts";
import type { Submission } from "#app/domain/documents/commands.server.ts";
import { taxIdOf } from "#app/domain/documents/rules.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { payoutFailed, payoutPaid, payoutReturned } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { rereading } from "#app/domain/payments/commands/rereading.server.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { madeBy, payerBy } from "#app/domain/payments/rules/providers.ts";
import { transferFault } from "#app/domain/payments/rules/transfer-faults.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { payoutCostStatements } from "./commands/costs.server.ts";
import { BelowMinimum, DocumentsNotApproved, HeldByStaff, KeyMissing, LeavingIsPaidAtTheEnd, MethodOnHold, NobodyPaysAccounts, NobodyPaysOut, NotYourKey, NoWithdrawalMethod, PayoutAlreadyOpen } from "./errors.ts";
import { payoutRow, payoutStanding, withdrawalMethodOf } from "./queries.server.ts";
import type { PayoutStanding } from "./queries.server.ts";
import { askedAgainStatements, isShort, refusedFor, waitForHoursStatement, waitForProviderStatement } from "./commands/waits.server.ts";
import { setOff, stopPayout } from "./commands/stop.server.ts";
import type { RefusedFor } from "./commands/waits.server.ts";
import { isOthersDocument, METHOD_HOLD_MS, payoutProblem, payoutStatesBefore } from "./rules.ts";
import { isStopped } from "./rules/holds.ts";
import { meantBy } from "./rules/keys.ts";
import { isSamePlace, leavesAt, maskDestination, transferTo, wayTo } from "./rules/destinations.ts";
import type { Destination, DestinationKind, Payout, PixKey } from "./schema.ts";

/**
 * Who sells tells who they are and where their money goes, in one batch; of another key than before they are told. Without a key (null) the place that there is
 * stays, an account too, with its schedule and its wait. Refuses KeyMissing where there is none, NotYourKey, and as `submitDocumentsStatements`. Source: domain rules, "Documents".
 */
export async function submitSellerDetails(
  ctx: Context,
  { pixKey, ...submission }: Submission & { pixKey: PixKey | null },
): Promise<void> {
  const { personId } = submission;
  const before = await withdrawalMethodOf(ctx, { creatorId: personId });
  const kept = before && { kind: before.pixKeyKind, key: before.pixKey };
  const place = pixKey ?? kept;
  if (!place) throw new KeyMissing();
  if (isOthersDocument(place, taxIdOf(submission))) throw new NotYourKey();
  const documents = await submitDocumentsStatements(ctx, submission);
  if (!pixKey) return await commitDocuments(ctx, { submission, writes: documents });
  const isAnother = before !== null && !isSamePlace(before, pixKey);
  const now = ctx.now();
  const outboxId = `withdrawal:${ctx.newId()}:changed`;
  const writes = [
    ...documents,
    ...(isAnother ? [changedAnnounced(ctx, outboxId, { creatorId: personId, to: pixKey, holdUntil: now + METHOD_HOLD_MS })] : []),
    ctx.db
      .insert(withdrawalMethods)
      .values({ creatorId: personId, pixKeyKind: pixKey.kind, pixKey: pixKey.key, schedule: "weekly", holdUntil: null, createdAt: now, updatedAt: now })
      .onConflictDoUpdate({ target: withdrawalMethods.creatorId, set: { pixKeyKind: pixKey.kind, pixKey: pixKey.key, holdUntil: heldOnChange(pixKey, now + METHOD_HOLD_MS), updatedAt: now } }),
  ];
  await commitDocuments(ctx, { submission, writes });
  if (isAnother) await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

/** The form sent twice is no change of key, and holds nothing. */
function heldOnChange({ kind, key }: PixKey, holdUntil: Instant) {
  return sql`CASE WHEN ${withdrawalMethods.pixKeyKind} = ${kind} AND ${withdrawalMethods.pixKey} = ${key} THEN ${withdrawalMethods.holdUntil} ELSE CAST(${holdUntil} AS INTEGER) END`;
}

/**
 * Another Pix key, or a bank account, for the money to come; its owner is told, and payouts wait 24 hours. Refuses NotYourKey, NobodyPaysAccounts and
 * NoWithdrawalMethod (documents first). Whose an account is nobody types: at each claim it is the owner of the approved documents, whom the bank compares.
 */
export async function changeWithdrawalMethod(ctx: Context, { creatorId, to: typed }: { creatorId: string; to: Destination }): Promise<void> {
  const standing = await payoutStanding(ctx, { creatorId });
  if (!standing.method) throw new NoWithdrawalMethod();
  const to = meantBy(typed, standing.owner);
  if (isOthersDocument(to, standing.owner)) throw new NotYourKey();
  if (isSamePlace(standing.method, to)) return;
  if (to.kind === "bank_account" && !payerBy(ctx.payments, wayTo(to.kind))) throw new NobodyPaysAccounts();
  const now = ctx.now();
  const holdUntil = now + METHOD_HOLD_MS;
  const outboxId = `withdrawal:${ctx.newId()}:changed`;
  await commit(ctx.db, [
    exactlyOne(
      ctx.db
        .update(withdrawalMethods)
        .set({ pixKeyKind: to.kind, pixKey: to.key, holdUntil, updatedAt: now })
        .where(and(eq(withdrawalMethods.creatorId, creatorId), eq(withdrawalMethods.updatedAt, standing.method.updatedAt))),
    ),
    changedAnnounced(ctx, outboxId, { creatorId, to, holdUntil }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

function changedAnnounced(ctx: Context, outboxId: string, { to: { kind, key }, ...news }: { creatorId: string; to: Destination; holdUntil: Instant }): Write {
  return announce(ctx, outboxId, { type: "withdrawal.changed", pixKeyMasked: maskDestination(kind, key), isAccount: kind === "bank_account", ...news });
}

/** `actedBy`: who of the creator's team asks; nobody when the creator does. */
type PayoutRequest = {
  creatorId: string;
  actedBy?: { id: string; name: string } | null;
  isClosing?: boolean;
  /** What is written with it. */
  also?: (payoutId: string) => Write[];
};

/**
 * Asks for everything available to be paid out; the payouts worker claims and sends it. Two clicks make one payout: the
 * database allows one open payout a creator. The money goes to the creator's own key whoever asks, and asked by their team they are told.
 * Refuses LeavingIsPaidAtTheEnd, NoWithdrawalMethod, DocumentsNotApproved, PayoutAlreadyOpen, NobodyPaysOut, HeldByStaff, MethodOnHold, BelowMinimum (`leastPayout`).
 */
export async function requestPayout(ctx: Context, { creatorId, actedBy = null, isClosing = false, also = () => [] }: PayoutRequest): Promise<{ payoutId: string; to: DestinationKind }> {
  const standing = await payoutStanding(ctx, { creatorId });
  if (standing.isLeaving && !isClosing) throw new LeavingIsPaidAtTheEnd();
  refuse(ctx, standing, isClosing);
  if (!standing.method) throw new NoWithdrawalMethod();
  const provider = payerBy(ctx.payments, wayTo(standing.method.pixKeyKind));
  if (!provider) throw new NobodyPaysOut();
  const payoutId = ctx.newId();
  const outboxId = `payout:${payoutId}:requested`;
  try {
    await commit(ctx.db, [
      ctx.db.insert(payouts).values({
        id: payoutId,
        creatorId,
        amountCents: 0,
        status: "requested",
        pixKeyKind: standing.method.pixKeyKind,
        pixKey: standing.method.pixKey,
        provider: provider.name,
        requestedAt: ctx.now(),
        actedBy: actedBy?.id ?? null,
      }),
      ...(actedBy ? [announce(ctx, outboxId, { type: "payout.requested", payoutId, creatorId, memberName: actedBy.name })] : []),
      ...also(payoutId),
    ]);
  } catch (error) {
    throw error instanceof UniqueViolation ? new PayoutAlreadyOpen() : error;
  }
  await ctx.queues.payouts.send({ version: 1, type: "payout.claim", id: payoutId });
  if (actedBy) await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  return { payoutId, to: standing.method.pixKeyKind };
}

function refuse(ctx: Context, standing: PayoutStanding, isClosing: boolean): void {
  const holdUntil = standing.method?.holdUntil ?? null;
  const problem = payoutProblem({ ...standing, hasMethod: standing.method !== null, holdUntil, isClosing, now: ctx.now() });
  if (problem === "no_method") throw new NoWithdrawalMethod();
  if (problem === "documents") throw new DocumentsNotApproved();
  if (problem === "already_open") throw new PayoutAlreadyOpen();
  if (problem === "no_provider") throw new NobodyPaysOut();
  if (problem === "held_by_staff") throw new HeldByStaff();
  if (problem === "below_minimum") throw new BelowMinimum();
  if (problem === "method_on_hold") throw new MethodOnHold(holdUntil ?? ctx.now());
}

/**
 * Sends a claimed payout under its own id: asking twice moves money once. An unclear answer (ProviderUnclear) is thrown, the
 * money stays in transit, and the next run asks under the same key. What a provider refuses for our own account there is no failure: it waits, and is asked
 * for again under the same key; what it refuses for the place where the money goes is one, however little it holds. To a bank account nothing new is sent outside the hours of banks. While the books are broken nothing new is sent: the money waits in transit, and what
 * the provider has already is only asked about. Where somebody holds it meanwhile, is banned, or its papers are not approved any more, what the provider does not have is given back (`stopPayout`). Source: domain rules, "Ledger"; decisions 0169 and 0258.
 */
export async function sendPayout(ctx: Context, { payoutId }: { payoutId: string }): Promise<void> {
  const payout = await payoutRow(ctx, { payoutId });
  if (!payout || payout.status !== "claimed") return;
  const standing = await payoutStanding(ctx, payout);
  if (standing.isHeldByBooks) {
    ctx.log("payouts.held_by_books", { payoutId });
    return await settlePayout(ctx, { payoutId });
  }
  if (isStopped(standing)) {
    await settlePayout(ctx, { payoutId });
    return await stopPayout(ctx, { payoutId, isBanned: standing.isBanned });
  }
  // Claimed within the hours of banks, and sent after them: what the provider has already is asked about, nothing new leaves before they open.
  const leaves = leavesAt(payout.pixKeyKind, ctx.now());
  if (leaves > ctx.now()) {
    await settlePayout(ctx, { payoutId });
    return await commit(ctx.db, [waitForHoursStatement(ctx, payout, leaves)]);
  }
  if (payout.waitsFor === "balance" && (await isShort(ctx, payout))) return await waitForProvider(ctx, payout, { waitsFor: "balance" });
  if (!(await setOff(ctx, payout))) return;
  try {
    const said = await madeBy(ctx, payout).transfer({ payoutId, amountCents: payout.amountCents, readyAt: payout.claimedAt, ...transferTo(payout) });
    await settlePayout(ctx, { payoutId, said });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const refused = await refusedFor(ctx, payout, error.code);
    if (refused) return await waitForProvider(ctx, payout, refused);
    await settlePayout(ctx, { payoutId, said: { id: "", reference: payoutId, status: "failed", amountCents: payout.amountCents, failureCode: error.code } });
  }
}

/** What the provider has of it already waits for nothing, and may be why so little is left. */
async function waitForProvider(ctx: Context, payout: Payout, refused: RefusedFor): Promise<void> {
  await settlePayout(ctx, { payoutId: payout.id });
  await commit(ctx.db, [waitForProviderStatement(ctx, payout, refused)]);
}

type PayoutNews = {
  payoutId: string;
  said?: ProviderTransfer;
  /** The payout where its caller has just read it: it is read again only when it moved meanwhile. */
  read?: Payout;
  /** Written in the batch of whatever this changes, or by itself when that is nothing: the stamp of the delivery that told of it. */
  alongside?: Write[];
};

/** Brings a payout to what the provider says of its transfer, once; asks when not told. */
export async function settlePayout(ctx: Context, { payoutId, said: told, read, alongside = [] }: PayoutNews): Promise<void> {
  const known = read ?? (await payoutRow(ctx, { payoutId }));
  if (!known || known.claimedAt === null) return await commit(ctx.db, alongside);
  const said = told ?? (known.providerTransferId ? await madeBy(ctx, known).transferById(known.providerTransferId) : await madeBy(ctx, known).transferByReference(payoutId, { readyAt: known.claimedAt }));
  if (!said) return await commit(ctx.db, alongside);
  let payout: Payout | null = known;
  await rereading(async () => {
    let now = payout ?? (await payoutRow(ctx, { payoutId }));
    payout = null;
    // A transfer that came back was paid before, even if nobody told us.
    if (now && said.status === "returned" && payoutStatesBefore("paid").includes(now.status)) {
      await commit(ctx.db, settlementStatements(ctx, now, { ...said, status: "paid" }));
      now = await payoutRow(ctx, { payoutId });
    }
    await commit(ctx.db, [...(now ? settledStatements(ctx, now, said) : []), ...alongside]);
  });
}

function settledStatements(ctx: Context, payout: Payout, said: ProviderTransfer): Write[] {
  if (payoutStatesBefore(said.status).includes(payout.status)) return [...settlementStatements(ctx, payout, said), ...payoutCostStatements(ctx, payout, said)];
  return payout.providerTransferId === said.id ? payoutCostStatements(ctx, payout, said) : [];
}

function settlementStatements(ctx: Context, payout: Payout, said: ProviderTransfer): Write[] {
  const now = ctx.now();
  const ref = { ...payout, payoutId: payout.id };
  const moved = (values: Partial<typeof payouts.$inferInsert>) =>
    exactlyOne(
      ctx.db
        .update(payouts)
        .set({ ...values, providerTransferId: said.id || payout.providerTransferId, askedAt: now, waitsFor: null, waitsUntil: null })
        .where(and(eq(payouts.id, payout.id), eq(payouts.status, payout.status), inArray(payouts.status, [...payoutStatesBefore(said.status)]))),
    );
  const told = { payoutId: payout.id, creatorId: payout.creatorId, amountCents: payout.amountCents };
  switch (said.status) {
    case "processing":
      return [moved({ status: "sent", sentAt: now })];
    case "paid":
      return [
        moved({ status: "paid", settledAt: now }),
        ...postingStatements(ctx, payoutPaid(ref)),
        announce(ctx, `payout:${payout.id}:paid`, { type: "payout.paid", ...told }),
      ];
    case "failed":
      return [
        moved({ status: "failed", settledAt: now, failureCode: said.failureCode }),
        ...postingStatements(ctx, payoutFailed(ref)),
        ...(transferFault(said.failureCode) === "house" ? askedAgainStatements(ctx, payout, said.failureCode) : [announce(ctx, `payout:${payout.id}:failed`, { type: "payout.failed", ...told })]),
      ];
    case "returned":
      return [
        moved({ status: "returned", settledAt: now, failureCode: said.failureCode }),
        ...postingStatements(ctx, payoutReturned(ref)),
        announce(ctx, `payout:${payout.id}:returned`, { type: "payout.returned", ...told }),
      ];
  }
}
