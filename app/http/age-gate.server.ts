import { redirect } from "react-router";
import { ageGateOfCollection, ageGateOfPost } from "#app/domain/age/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { found } from "#app/http/refusal.ts";

type Gated = { kind: "post" | "collection"; id: string; viewer: Member | null };

/**
 * `found` for a post or a collection: when it is not there for the viewer because of their age, they are led to the page that it is of, which
 * says so and has the way in. Costs a question only when nothing was found.
 */
export async function foundPastAgeGate<Value>(ctx: Context, value: Value | null | undefined, message: string, { kind, id, viewer }: Gated): Promise<Value> {
  if (value === null || value === undefined) {
    const viewerId = viewer?.id ?? null;
    const gate = kind === "post" ? await ageGateOfPost(ctx, { postId: id, viewerId }) : await ageGateOfCollection(ctx, { collectionId: id, viewerId });
    if (gate && ctx.settings.adultSpaces) throw redirect(viewer ? `/space/${gate.username}` : `/space/${gate.username}/public`);
  }
  return found(value, message);
}
