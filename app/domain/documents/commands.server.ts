import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  AgeConfirmationRequired,
  DocumentsChanged,
  DocumentFilesNotOpened,
  DocumentsIncomplete,
  DocumentsNotPending,
  DocumentModeratorRequired,
  ContestNotCompared,
  SellerNotUnderage,
  DocumentsConflictOfInterest,
  DocumentExpired,
  UnlikelyBirthDate,
} from "./errors.ts";
import { documentsOfPerson, documentsUnderDecision, isModerator } from "./queries.server.ts";
import type { DocumentsUnderDecision } from "./queries.server.ts";
import {
  taxIdPartyStatement,
  contestantFilesStatement,
} from "#app/domain/documents/contests/queries.server.ts";
import { awaitsDecision, isLikelyUnderage, isOfAge, isRenewalPending } from "./rules.ts";
import { taxIdHeldUntil } from "#app/domain/documents/contests/rules.ts";
import { unopenedFilesStatement } from "#app/domain/documents/files/queries.server.ts";
import { missingFiles } from "#app/domain/documents/files/rules.ts";
import {
  isFileRejection,
  REJECTION_REASONS,
  rejectionText,
} from "#app/domain/documents/reasons/rules.ts";
import type { RejectionCode } from "#app/domain/documents/reasons/rules.ts";
import type { Documents } from "./schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { isPartyToMoney } from "#app/domain/identity/colleagues/queries.server.ts";
import { ageInYears } from "#app/domain/identity/account-status/rules/age.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { DocumentMessage } from "#app/domain/documents/schema/outbox.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import {
  purgeRemovedFiles,
  removeDocumentFilesStatement,
} from "#app/domain/documents/files/commands/files.server.ts";
import {
  contestClosedStatements,
  transferTaxIdStatements,
} from "#app/domain/documents/contests/commands.server.ts";
import { registryAnswersForApproval } from "#app/domain/documents/registry/commands.server.ts";

type DocumentDecider = {
  moderatorId: string;
  personId: string;
  /** The files version that the moderator viewed (`filesAt`). Left out, it decides the current one. */
  seenAt?: number | undefined;
};

/**
 * Approves a seller, until the last day of their document where it has one. Payouts can leave from
 * now on. For an approved seller, it approves the new document that replaces an expiring one.
 * Throws DocumentModeratorRequired. Throws DocumentsConflictOfInterest for the moderator's own
 * documents, and for members of the seller's team who see its money. Throws DocumentsNotPending,
 * and DocumentsIncomplete while files are missing. Throws DocumentFilesNotOpened while a view of
 * this moderator is not logged for every file. Throws DocumentsChanged unless they are the ones
 * that were viewed, and DocumentExpired. Throws what `transferTaxIdStatements` throws where another
 * account has the tax id. Throws what `registryAnswersForApproval` throws when the CPF or CNPJ is
 * irregular or unconfirmed. `isLookedUp`: the moderator declares that they looked it up where no
 * registry answers.
 */
export async function approveDocuments(
  ctx: Context,
  {
    expiresOn = null,
    isLookedUp = false,
    takesFrom,
    ...decider
  }: DocumentDecider & {
    expiresOn?: string | null;
    isLookedUp?: boolean;
    takesFrom?: string | undefined;
  },
): Promise<void> {
  const current = await toDecide(ctx, decider);
  if (!awaitsDecision(current)) throw new DocumentsNotPending();
  if (missingFiles(current.kinds, current.cnpj !== null).length > 0)
    throw new DocumentsIncomplete();
  const unopened = await unopenedFilesStatement(ctx, decider);
  if (unopened.length > 0) throw new DocumentFilesNotOpened(unopened.map(({ kind }) => kind));
  if (expiresOn !== null && expiresOn < isoDay(ctx.now())) throw new DocumentExpired();
  const decidedAt = ctx.now();
  const taken = await transferTaxIdStatements(ctx, current, {
    moderatorId: decider.moderatorId,
    takesFrom,
    decidedAt,
  });
  const extraWrites = [
    ...(await registryAnswersForApproval(ctx, current, {
      moderatorId: decider.moderatorId,
      isLookedUp,
    })),
    ...taken,
  ];
  await decide(ctx, {
    ...decider,
    current,
    set: {
      status: "approved",
      rejectionReason: null,
      rejectionCode: null,
      expiresOn,
      decidedAt,
      remindedAt: null,
    },
    decision: "approved",
    drops: [],
    extraWrites,
  });
}

type DocumentRejection = {
  code: RejectionCode;
  note?: string;
  /** ISO date: the birth date that the document shows, for `underage`. */
  bornOn?: string | null;
  /** The same date, after the moderator read the resulting age. Left out without confirmation. */
  confirmedBornOn?: string | null;
};

/**
 * Rejects documents with one of our reasons, which the person reads with what to do. The files that
 * the reason names must be sent again. The tax id stays reserved for a person who can correct the
 * rest (`taxIdHeldUntil`). A person whose document shows an age under 18 sells nothing more. Both
 * dates are stored, the declared and the true one. The renewals worker then refunds what was not
 * paid out to them. Approved documents that turn out false are rejected the same way: sales stop
 * and payouts wait, also claimed ones. A bad new document (`isFileRejection`) is rejected alone,
 * and the approval lasts until the old one expires. Throws what `approveDocuments` throws, and
 * SellerNotUnderage, UnlikelyBirthDate, AgeConfirmationRequired. Throws ContestNotCompared for
 * `number_of_another` where no other contestant sent a file.
 */
export async function rejectDocuments(
  ctx: Context,
  {
    code,
    note = "",
    bornOn = null,
    confirmedBornOn = bornOn,
    ...decider
  }: DocumentDecider & DocumentRejection,
): Promise<void> {
  const current = await toDecide(ctx, decider);
  const shown =
    code === "underage"
      ? {
          birthDate: underageDate(ctx, { bornOn, confirmedBornOn }),
          statedBirthDate: current.birthDate,
        }
      : {};
  if (code === "number_of_another" && (await contestantFilesStatement(ctx, current)).length === 0)
    throw new ContestNotCompared();
  const reason = rejectionText(code, note);
  const decidedAt = ctx.now();
  const { drops } = REJECTION_REASONS[code];
  const decision = { rejectionReason: reason, rejectionCode: code, decidedAt };
  const staysApproved = isRenewalPending(current) && isFileRejection(code);
  const set = staysApproved
    ? {
        ...decision,
        status: "approved" as const,
        expiresOn: current.expiresOn,
        remindedAt: current.remindedAt,
      }
    : {
        ...decision,
        status: "rejected" as const,
        expiresOn: null,
        remindedAt: null,
        numberUntil: taxIdHeldUntil(current, code, decidedAt),
        ...shown,
      };
  await decide(ctx, {
    ...decider,
    current,
    decision: "rejected",
    set,
    drops,
    extraWrites: await contestClosedStatements(ctx, current),
  });
  await purgeRemovedFiles(ctx, decider);
}

function underageDate(
  ctx: Context,
  { bornOn, confirmedBornOn }: Required<Pick<DocumentRejection, "bornOn" | "confirmedBornOn">>,
): string {
  const now = ctx.now();
  if (!bornOn || isOfAge(bornOn, now)) throw new SellerNotUnderage();
  if (!isLikelyUnderage(bornOn, now)) throw new UnlikelyBirthDate();
  if (confirmedBornOn !== bornOn) throw new AgeConfirmationRequired(ageInYears(bornOn, now));
  return bornOn;
}

/** Documents that were rejected are closed. An approval can still be revoked. */
async function toDecide(
  ctx: Context,
  { moderatorId, personId, seenAt }: DocumentDecider,
): Promise<DocumentsUnderDecision> {
  if (!(await isModerator(ctx, { personId: moderatorId }))) throw new DocumentModeratorRequired();
  if (await isPartyToMoney(ctx, { creatorId: personId, moderatorId }))
    throw new DocumentsConflictOfInterest();
  const current = await documentsUnderDecision(ctx, { personId });
  if (!current || current.status === "rejected") throw new DocumentsNotPending();
  // A moderator decides nothing about a tax id that they have, had or contest.
  if ((await taxIdPartyStatement(ctx, { moderatorId, personId })).length > 0)
    throw new DocumentsConflictOfInterest();
  if (seenAt !== undefined && seenAt !== (current.filesAt ?? 0))
    throw new DocumentsChanged("files");
  return current;
}

type DocumentDecision = DocumentDecider & {
  current: DocumentsUnderDecision;
  decision: "approved" | "rejected";
  set: {
    status: "approved" | "rejected";
    rejectionReason: string | null;
    rejectionCode: string | null;
    expiresOn: string | null;
    decidedAt: Instant;
    remindedAt: Instant | null;
    numberUntil?: Instant | null;
    birthDate?: string;
    statedBirthDate?: string;
  };
  drops: readonly FileKind[];
  /** Extra writes that come before it, in the same batch. */
  extraWrites: BatchWrite[];
};

async function decide(
  ctx: Context,
  { moderatorId, personId, current, decision, set, drops, extraWrites }: DocumentDecision,
): Promise<void> {
  try {
    await commit(ctx.db, [
      ...extraWrites,
      mustChangeOne(
        ctx.db
          .update(documents)
          .set({ ...set, decidedBy: moderatorId })
          // The decision applies to the documents that were read. Documents or files sent again
          // meanwhile have another `submittedAt` or `filesAt`.
          .where(
            and(
              eq(documents.personId, personId),
              eq(documents.status, current.status),
              eq(documents.submittedAt, current.submittedAt),
              sql`${documents.filesAt} IS ${current.filesAt}`,
              sql`${documents.decidedAt} IS ${current.decidedAt}`,
            ),
          ),
      ),
      ...(drops.length > 0 ? [removeDocumentFilesStatement(ctx, { personId, kinds: drops })] : []),
      announce<DocumentMessage>(ctx, `documents:${personId}:${set.decidedAt}:${decision}`, {
        type: "documents.decided",
        personId,
        decision,
        reason: set.rejectionReason ?? "",
        decidedAt: set.decidedAt,
        ...(decision === "rejected" && current.status === "approved"
          ? {
              approval:
                set.status === "approved" && set.expiresOn !== null
                  ? { until: set.expiresOn }
                  : ("taken_back" as const),
            }
          : {}),
      }),
    ]);
  } catch (error) {
    // Another registry answer came meanwhile, or somebody else has the tax id.
    if (error instanceof UniqueViolation) throw new DocumentsChanged("number");
    if (error instanceof RuleViolation && error.rule === "documents_not_regular")
      throw new DocumentsChanged("registry");
    if (!(error instanceof StaleWrite)) throw error;
    throw changed(current, await documentsOfPerson(ctx, { personId }));
  }
}

/**
 * Returns why a decision on `seen` found other rows. If the person's own rows are unchanged, those
 * of the other contestant changed.
 */
function changed(seen: Documents, now: Documents | null): DocumentsChanged | DocumentsNotPending {
  if (!now || now.decidedAt !== seen.decidedAt) return new DocumentsNotPending();
  if (now.status !== seen.status || now.submittedAt !== seen.submittedAt)
    return new DocumentsChanged("papers");
  return new DocumentsChanged(now.filesAt === seen.filesAt ? "other_side" : "files");
}
