import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { asCharge } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import type { Authorisation } from "#app/domain/subscriptions/schema/automatic.ts";
import { charges, inbox } from "#drizzle/schema/payments.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";
import { purchaseFactsOf, purchaseFactsStatements } from "./purchase-facts.server.ts";
import type { PurchaseFacts } from "./purchase-facts.server.ts";

/** An authorisation, what it renews, and the charge that its code carries. */
export type AuthorisationStanding = { authorisation: Authorisation; facts: PurchaseFacts | null; first: Charge | null };

type Reading = { db: Database; adultSpaces: boolean };

/** The statements of the authorisation that a delivery tells of by the provider's id of it; `authorisationStandingOf` reads what they give. They may be built once. */
export function authorisationToldStatements({ db, adultSpaces }: Reading, { inboxId }: { inboxId: SQL<string> }) {
  const subscriptionId = sql<string>`(SELECT agreed.subscription_id FROM inbox telling JOIN recurring_pix agreed ON agreed.provider = telling.provider AND agreed.provider_recurring_pix_id = telling.object_id WHERE telling.id = ${inboxId})`;
  return [
    db
      .select({ authorisation: recurringPix, first: charges })
      .from(inbox)
      .innerJoin(recurringPix, and(eq(recurringPix.provider, inbox.provider), eq(recurringPix.providerRecurringPixId, inbox.objectId)))
      .leftJoin(charges, eq(charges.id, recurringPix.firstChargeId))
      .where(eq(inbox.id, inboxId))
      .limit(1),
    ...purchaseFactsStatements({ db, adultSpaces }, { subscriptionId }),
  ] as const;
}

type Rows<Statements> = { readonly [Index in keyof Statements]: Awaited<Statements[Index]> };

export function authorisationStandingOf(ctx: Context, [[found], ...facts]: Rows<ReturnType<typeof authorisationToldStatements>>): AuthorisationStanding | null {
  return found ? { authorisation: found.authorisation, facts: purchaseFactsOf(ctx, facts), first: found.first && asCharge(found.first) } : null;
}

/** In one round trip; null when there is no such authorisation. */
export async function authorisationStanding(ctx: Context, { authorisationId }: { authorisationId: string }): Promise<AuthorisationStanding | null> {
  const subscriptionId = sql<string>`(SELECT agreed.subscription_id FROM recurring_pix agreed WHERE agreed.id = ${authorisationId})`;
  const rows = await ctx.db.batch([
    ctx.db.select({ authorisation: recurringPix, first: charges }).from(recurringPix).leftJoin(charges, eq(charges.id, recurringPix.firstChargeId)).where(eq(recurringPix.id, authorisationId)).limit(1),
    ...purchaseFactsStatements({ db: ctx.db, adultSpaces: ctx.settings.adultSpaces }, { subscriptionId }),
  ]);
  return authorisationStandingOf(ctx, rows);
}
