import type { RouterContextProvider } from "react-router";
import { BroadcastNotFound } from "#app/domain/broadcasts/errors.ts";
import { broadcastOf } from "#app/domain/broadcasts/queries.server.ts";
import type { Broadcast } from "#app/domain/broadcasts/schema.ts";
import { requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";

/** Reads a broadcast of the page for which the request acts; otherwise a 404. */
export async function ownBroadcast(
  context: Readonly<RouterContextProvider>,
  { id }: { id: string },
): Promise<Broadcast> {
  const creatorId = requireWriter({ context }, "messages:write").space.personId;
  return foundOr404(
    await broadcastOf(context.get(domainContext), { id, creatorId }),
    new BroadcastNotFound().message,
  );
}
