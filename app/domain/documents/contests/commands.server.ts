import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  ContestConfirmationRequired,
  DocumentsChanged,
  DocumentsNotEditable,
} from "#app/domain/documents/errors.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { contestantsStatement, isWithoutFilesSql } from "./queries.server.ts";
import { contestVersion, CONTEST_WITHDRAWN_CODE } from "./rules.ts";
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
 * Documents without a file after their 14 days keep no number: they go back, and their owner is
 * told, when somebody else sends or contests the same number. Files that came meanwhile keep it.
 * Source: docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
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
 * What takes the number from the account that has it, for the batch that approves who contested it;
 * none where nobody has it. INVARIANT: a number is of one account at any moment (index
 * `documents_tax_id`). Whose documents go back is told why; they sell nothing more, and their
 * payouts wait as of any rejected papers. Refuses ContestToConfirm without `takesFrom`, and
 * DocumentsChanged where it is not of the other side as it is now. Source:
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
 * Takes back what somebody said of a number that another account has, so that they can send their
 * own. INVARIANT: nothing of the other account changes but what it is told. What they sent goes out
 * of the queue in one batch; their files stay for the next number. Taken back twice it is once.
 * Refuses DocumentsClosed for documents that contest nothing, or of which a moderator decided
 * meanwhile. Source: docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
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
    // Their own other tab took it back too.
    if ((await documentsOfPerson(ctx, { personId }))?.rejectionCode !== CONTEST_WITHDRAWN_CODE)
      throw new DocumentsNotEditable();
  }
}

/**
 * Tells whose number somebody contests, at most once a day: each time what is true until a
 * moderator decides is on their own page.
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
 * Tells whose number it is that nobody contests it any more, once a contest (`current`) ends
 * without them losing it; none while somebody else does.
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
