import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { vacationShifts } from "#drizzle/schema/subscriptions.ts";

type NewShift = { subscriptionId: string; vacationId: string; shiftedUntil: number; movedMs: number; beforeEndsAt: number };

/** The statement that notes by how much a vacation moved a subscription; a UniqueViolation when it did already. */
export const newShiftStatement = (ctx: Context, shift: NewShift): Write => ctx.db.insert(vacationShifts).values({ ...shift, createdAt: ctx.now() });
