import { asc, desc, eq } from "drizzle-orm";
import { z } from "zod";
import { productView } from "#workers/sandbox-psp/product.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import {
  charges,
  deliveries,
  disputes,
  events,
  instructions,
  recurringPix,
  transfers,
} from "#workers/sandbox-psp/tables.ts";

const SHOWN = 40;
const MOST_SHOWN = 1_000;

const shownSchema = z.coerce.number().int().min(1).max(MOST_SHOWN).catch(SHOWN);

/** How many rows of each list were requested. */
export const shownOf = (params: URLSearchParams): number =>
  shownSchema.parse(params.get("shown") ?? SHOWN);

/** Loads the console's lists, newest first; each is also `GET /sandbox/<its name>`. */
export async function consoleData(psp: Psp, shown: number) {
  const [chargeRows, transferRows, disputeRows, deliveryRows, recurringRows, instructionRows] =
    await psp.db.batch([
      psp.db.select().from(charges).orderBy(desc(charges.createdAt), asc(charges.id)).limit(shown),
      psp.db
        .select()
        .from(transfers)
        .orderBy(desc(transfers.createdAt), asc(transfers.id))
        .limit(shown),
      psp.db.select().from(disputes).orderBy(desc(disputes.createdAt)).limit(shown),
      psp.db
        .select()
        .from(deliveries)
        .innerJoin(events, eq(events.id, deliveries.eventId))
        .orderBy(desc(deliveries.id))
        .limit(shown),
      psp.db
        .select()
        .from(recurringPix)
        .orderBy(desc(recurringPix.createdAt), asc(recurringPix.id))
        .limit(shown),
      psp.db
        .select()
        .from(instructions)
        .orderBy(desc(instructions.createdAt), asc(instructions.id))
        .limit(shown),
    ]);
  const product = await productView(psp, shown);
  return {
    charges: chargeRows,
    transfers: transferRows,
    disputes: disputeRows,
    recurring: recurringRows,
    instructions: instructionRows,
    deliveries: deliveryRows.map(({ deliveries: delivery, events: event }) => ({
      ...delivery,
      event,
    })),
    ...product,
  };
}

export type ConsoleData = Awaited<ReturnType<typeof consoleData>>;
