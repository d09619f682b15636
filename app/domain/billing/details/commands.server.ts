import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit } from "#app/db/client.server.ts";
import type { BillingDetails } from "./schema.ts";
import type { Context } from "#app/domain/context.ts";
import { billingDetails, savedMethodAttempts, savedMethods } from "#drizzle/schema/billing.ts";

/**
 * Keeps how receipts name a person from now on, those of old payments too. `wantsInvoice`: who
 * sells to them may see name and number, from when they first said so until they take it back.
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
 * The write that keeps the CPF or CNPJ of who pays, where no details are kept yet; the address is
 * told where it is asked.
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

/** Keeps it for the payments that follow; what is kept already stays. */
export async function saveTaxId(
  ctx: Context,
  payer: Parameters<typeof saveTaxIdStatement>[1],
): Promise<void> {
  await commit(ctx.db, [saveTaxIdStatement(ctx, payer)]);
}

/**
 * The statements after which nothing is kept of how somebody paid: their cards go once the provider
 * forgot them. What they paid stays in the books.
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
