import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  ContestConfirmationRequired,
  DocumentFilesNotOpened,
  DocumentsChanged,
  DocumentsNotEditable,
} from "#app/domain/documents/errors.ts";
import { unopenedFilesStatement } from "#app/domain/documents/files/queries.server.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { contestantsStatement, isWithoutFilesSql } from "./queries.server.ts";
import { contestVersion } from "./rules.ts";
import { CONTEST_WITHDRAWN_CODE } from "#app/domain/documents/rules.ts";
import { rejectionText } from "#app/domain/documents/reasons/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { taxIdLabel } from "#app/domain/identity/tax-ids/rules.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { DocumentMessage } from "#app/domain/documents/schema/outbox.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";

/**
 * Releases the tax id of documents without a file after their 14 days. They are rejected and their
 * owner is notified when somebody else submits or contests the same tax id. Files that arrived
 * meanwhile keep it. Source: docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
 */
export function releaseTaxIdStatements(
  ctx: Context,
  { personId, submittedAt }: { personId: string; submittedAt: Instant },
): BatchWrite[] {
  const decidedAt = ctx.now();
  const reason = rejectionText("other", "Os arquivos não chegaram em 14 dias.");
  return [
    mustChangeOne(
      ctx.db
        .update(documents)
        .set({
          status: "rejected",
          rejectionReason: reason,
          rejectionCode: "other",
          decidedAt,
          decidedBy: null,
          remindedAt: null,
        })
        .where(
          and(
            eq(documents.personId, personId),
            eq(documents.submittedAt, submittedAt),
            isWithoutFilesSql(decidedAt),
          ),
        ),
    ),
    announce<DocumentMessage>(ctx, `documents:${personId}:${submittedAt}:rejected`, {
      type: "documents.decided",
      personId,
      decision: "rejected",
      reason,
      decidedAt,
    }),
  ];
}

/**
 * Builds the statements that take a tax id from its holder, for the batch that approves the
 * contestant. Empty where nobody holds it. INVARIANT: a tax id belongs to one account at any moment
 * (index `documents_tax_id`). The former holder is notified why. They sell nothing more, and their
 * payouts wait, as after any rejection. Throws ContestConfirmationRequired without `takesFrom`,
 * DocumentsChanged unless it is the holder's current version, and DocumentFilesNotOpened until this
 * moderator opened the holder's files too. Source:
 * docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
 */
export async function transferTaxIdStatements(
  ctx: Context,
  current: Documents,
  {
    moderatorId,
    takesFrom,
    decidedAt,
  }: { moderatorId: string; takesFrom: string | undefined; decidedAt: Instant },
): Promise<BatchWrite[]> {
  if (current.status !== "contested") return [];
  const holder = (await contestantsStatement(ctx, current)).find(
    ({ status }) => status !== "contested",
  );
  if (!holder) return [];
  if (takesFrom === undefined) throw new ContestConfirmationRequired();
  if (takesFrom !== contestVersion(holder)) throw new DocumentsChanged("other_side");
  const unopened = await unopenedFilesStatement(ctx, { moderatorId, personId: holder.personId });
  if (unopened.length > 0)
    throw new DocumentFilesNotOpened(
      unopened.map(({ kind }) => kind),
      "other",
    );
  const reason = rejectionText("number_of_another", "");
  const { personId, status, submittedAt, filesAt } = holder;
  return [
    mustChangeOne(
      ctx.db
        .update(documents)
        .set({
          status: "rejected",
          rejectionReason: reason,
          rejectionCode: "number_of_another",
          decidedAt,
          decidedBy: moderatorId,
          remindedAt: null,
          numberUntil: null,
        })
        .where(
          and(
            eq(documents.personId, personId),
            eq(documents.status, status),
            eq(documents.submittedAt, submittedAt),
            sql`${documents.filesAt} IS ${filesAt}`,
          ),
        ),
    ),
    announce<DocumentMessage>(ctx, `documents:${personId}:${submittedAt}:lost`, {
      type: "documents.decided",
      personId,
      decision: "rejected",
      reason,
      decidedAt,
    }),
  ];
}

/**
 * Withdraws a contest, so that the person can submit their own tax id. INVARIANT: nothing of the
 * other account changes except its notifications. The documents leave the queue in one batch, and
 * their files stay for the next tax id. A repeated call does nothing. Throws DocumentsNotEditable
 * for documents that contest nothing, or that a moderator decided meanwhile. Source:
 * docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
 */
export async function withdrawContest(
  ctx: Context,
  { personId }: { personId: string },
): Promise<void> {
  const current = await documentsOfPerson(ctx, { personId });
  if (current?.rejectionCode === CONTEST_WITHDRAWN_CODE) return;
  if (current?.status !== "contested") throw new DocumentsNotEditable();
  const decidedAt = ctx.now();
  const reason = `Você desistiu do ${taxIdLabel(current.taxKind)} que tinha mandado.`;
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(documents)
          .set({
            status: "rejected",
            rejectionReason: reason,
            rejectionCode: CONTEST_WITHDRAWN_CODE,
            decidedAt,
            decidedBy: null,
            remindedAt: null,
            numberUntil: null,
          })
          .where(
            and(
              eq(documents.personId, personId),
              eq(documents.status, "contested"),
              eq(documents.submittedAt, current.submittedAt),
            ),
          ),
      ),
      ...(await contestClosedStatements(ctx, current)),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    // The same person's other tab withdrew it too.
    if ((await documentsOfPerson(ctx, { personId }))?.rejectionCode !== CONTEST_WITHDRAWN_CODE)
      throw new DocumentsNotEditable();
  }
}

/**
 * Notifies the holder that their tax id is contested, at most once a day. Their own page shows what
 * holds until a moderator decides.
 */
export const contestOpenedStatement = (
  ctx: Context,
  { personId, taxKind }: { personId: string } & Pick<TaxId, "taxKind">,
): BatchWrite =>
  announce<DocumentMessage>(ctx, `documents:${personId}:contest_comes:${isoDay(ctx.now())}`, {
    type: "documents.contest_comes",
    personId,
    taxKind,
  });

/**
 * Notifies the holder that nobody contests their tax id any more, when a contest (`current`) ends
 * without its loss. Empty while somebody else contests it.
 */
export async function contestClosedStatements(
  ctx: Context,
  current: Documents,
): Promise<BatchWrite[]> {
  if (current.status !== "contested") return [];
  const rivals = await contestantsStatement(ctx, current);
  const holder = rivals.find(({ status }) => status !== "contested");
  if (!holder || rivals.some(({ status }) => status === "contested")) return [];
  return [
    announce<DocumentMessage>(
      ctx,
      `documents:${holder.personId}:contest_over:${isoDay(ctx.now())}`,
      {
        type: "documents.contest_over",
        personId: holder.personId,
        taxKind: current.taxKind,
      },
    ),
  ];
}
