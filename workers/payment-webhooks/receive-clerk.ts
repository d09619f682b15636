import type { Context } from "#app/domain/context.ts";
import { applyProviderEvent } from "#app/domain/identity/identity-provider/commands/provider-event.server.ts";
import { memberByProviderUser } from "#app/domain/identity/queries.server.ts";
import type { IdentityProviderEvent } from "#app/domain/identity/identity-provider/schema/provider-event.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { DeletionAlreadyRequested } from "#app/domain/deletion/errors.ts";
import {
  applyMembershipEvent,
  applyTeamEvent,
} from "#app/domain/teams/commands/provider-event.server.ts";
import { verifyClerkWebhook } from "#app/integrations/clerk/webhook.server.ts";
import type { ClerkEvent } from "#app/integrations/clerk/webhook.server.ts";
import { textResponse, readLimitedText } from "./body.ts";

/**
 * `POST /webhooks/clerk`: the signature over the raw body, then what it says, applied at once: it
 * is one small batch, safe to repeat and in any order, so that there is nothing to store. Anything
 * but 200 makes Clerk send it again: so does a team, or somebody in it, of whom nothing was told
 * yet.
 */
export async function receiveClerkWebhook(
  ctx: Context,
  secret: string,
  request: Request,
): Promise<Response> {
  if (request.method !== "POST")
    return new Response("method not allowed\n", { status: 405, headers: { allow: "POST" } });
  const rawBody = await readLimitedText(request);
  if (rawBody === null) return textResponse(413, "too large");
  const told = verifyClerkWebhook(secret, request.headers, rawBody);
  if (told === "refused") {
    ctx.log("webhooks.refused", { provider: "clerk", reason: "signature or shape" });
    return textResponse(401, "refused");
  }
  if (told === null) return textResponse(200, "ok");
  const applied = await apply(ctx, told);
  ctx.log("identity.provider_told", {
    provider: "clerk",
    of: told.of,
    kind: told.told.kind,
    applied,
  });
  return applied === "unknown" ? textResponse(503, "later") : textResponse(200, "ok");
}

/**
 * Whoever was deleted at Clerk leaves us too, as if they had asked here: nothing renews any more,
 * and unused days go back.
 */
async function applyToUser(ctx: Context, told: IdentityProviderEvent): Promise<string> {
  const applied = await applyProviderEvent(ctx, { provider: "clerk", told });
  if (told.kind !== "deleted") return applied;
  const person = await memberByProviderUser(ctx, {
    provider: "clerk",
    providerUserId: told.providerUserId,
  });
  if (!person || person.deletedAt !== null || person.leavingAt !== null) return applied;
  try {
    await requestDeletion(ctx, { personId: person.id });
  } catch (error) {
    // Another delivery of the same news was first.
    if (!(error instanceof DeletionAlreadyRequested)) throw error;
  }
  return applied;
}

function apply(ctx: Context, { of, told }: ClerkEvent) {
  if (of === "user") return applyToUser(ctx, told);
  return of === "team"
    ? applyTeamEvent(ctx, { provider: "clerk", told })
    : applyMembershipEvent(ctx, { provider: "clerk", told });
}
