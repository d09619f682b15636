import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit } from "#app/db/client.server.ts";
import type { BillingDetails } from "./schema.ts";
import type { Context } from "#app/domain/context.ts";
import { billingDetails, savedMethodAttempts, savedMethods } from "#drizzle/schema/billing.ts";

/**
 * Saves the billing details that receipts show from now on, also those of old payments.
 * `wantsInvoice`: sellers may see name and tax id, from the first consent until it is withdrawn.
 */
export async function saveBillingDetails(
  ctx: Context,
  {
    personId,
    details,
    wantsInvoice = false,
  }: { personId: string; details: BillingDetails; wantsInvoice?: boolean },
): Promise<void> {
  const updatedAt = ctx.now();
  await commit(ctx.db, [
    ctx.db
      .insert(billingDetails)
      .values({
        personId,
        ...details,
        forInvoicesAt: wantsInvoice ? updatedAt : null,
        createdAt: updatedAt,
        updatedAt,
      })
      .onConflictDoUpdate({
        target: billingDetails.personId,
        set: {
          ...details,
          updatedAt,
          forInvoicesAt: wantsInvoice
            ? sql`COALESCE(${billingDetails.forInvoicesAt}, ${updatedAt})`
            : null,
        },
      }),
  ]);
}

/**
 * Saves the payer's CPF or CNPJ where they have no billing details yet. The address stays empty
 * until a form asks for it.
 */
export function saveTaxIdStatement(
  ctx: Context,
  {
    personId,
    name,
    taxKind,
    taxId,
  }: { personId: string; name: string } & Pick<BillingDetails, "taxKind" | "taxId">,
): BatchWrite {
  const now = ctx.now();
  const address = {
    cep: "",
    street: "",
    number: "",
    complement: "",
    district: "",
    city: "",
    state: "",
  };
  return ctx.db
    .insert(billingDetails)
    .values({ personId, name, taxKind, taxId, ...address, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: billingDetails.personId });
}

/** Saves the tax id for later payments. Saved details do not change. */
export async function saveTaxId(
  ctx: Context,
  payer: Parameters<typeof saveTaxIdStatement>[1],
): Promise<void> {
  await commit(ctx.db, [saveTaxIdStatement(ctx, payer)]);
}

/**
 * Erases a person's billing details. Their cards are deleted once the provider deleted them. Their
 * payments stay in the ledger.
 */
export function eraseBillingStatements(
  ctx: Context,
  { personId }: { personId: string },
): BatchWrite[] {
  return [
    ctx.db.delete(billingDetails).where(eq(billingDetails.personId, personId)),
    ctx.db.delete(savedMethodAttempts).where(eq(savedMethodAttempts.personId, personId)),
    ctx.db
      .update(savedMethods)
      .set({ removedAt: ctx.now(), isDefault: false })
      .where(and(eq(savedMethods.personId, personId), isNull(savedMethods.removedAt))),
  ];
}
