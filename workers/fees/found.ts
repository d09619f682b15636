import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { builtOnce } from "#app/db/built-once.ts";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { InboxEvent } from "#app/domain/payments/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";

/** A delivery, and what applies it: that asks the provider, changes what is to change and stamps it in one batch, or gives the reason why it cannot be applied, and then stamps nothing. */
export type Found = { event: InboxEvent; apply(): Promise<string | null> };

/** What the reads of a delivery are built with; `now` is a moment, and everything else is theirs to find out. */
export type Reading = { db: Database; adultSpaces: boolean; inboxId: SQL<string>; now: SQL<Instant> };

const value = <Value>(name: string): SQL<Value> => sql<Value>`${sql.placeholder(name)}`;

/** `Reading` for the charge that a provider named. */
export type ReadingOfCharge = Omit<Reading, "inboxId"> & { provider: SQL<string>; providerChargeId: SQL<string> };

/** `readsOfDelivery` for what the provider says that a delivery is about, where its own id was not known. */
export function readsOfCharge<const Asked extends readonly [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]>(build: (reading: ReadingOfCharge) => Asked) {
  const of = (adultSpaces: boolean) => builtOnce((db) => build({ db, adultSpaces, provider: value<string>("provider"), providerChargeId: value<string>("providerChargeId"), now: value<Instant>("now") }));
  const built = { true: of(true), false: of(false) };
  return async (ctx: Context, charge: { provider: string; providerChargeId: string }) => await ctx.db.batch(built[`${ctx.settings.adultSpaces}`](ctx.db, { ...charge, now: ctx.now() }));
}

/** Reads of one delivery, built once in the life of an isolate, in one trip to the database. */
export function readsOfDelivery<const Asked extends readonly [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]>(build: (reading: Reading) => Asked) {
  const of = (adultSpaces: boolean) => builtOnce((db) => build({ db, adultSpaces, inboxId: value<string>("inboxId"), now: value<Instant>("now") }));
  const built = { true: of(true), false: of(false) };
  return async (ctx: Context, inboxId: string) => await ctx.db.batch(built[`${ctx.settings.adultSpaces}`](ctx.db, { inboxId, now: ctx.now() }));
}
