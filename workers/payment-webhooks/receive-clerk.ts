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
 * Handles `POST /webhooks/clerk`: verifies the signature over the raw body, and applies the event
 * at once. It is one small batch, safe to repeat and in any order, so that nothing is stored. Clerk
 * retries after any status other than 200. An event about an unknown team or team member is also
 * retried.
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
  const event = verifyClerkWebhook(secret, request.headers, rawBody);
  if (event === "refused") {
    ctx.log("webhooks.refused", { provider: "clerk", reason: "signature or shape" });
    return textResponse(401, "refused");
  }
  if (event === null) return textResponse(200, "ok");
  const applied = await apply(ctx, event);
  ctx.log("identity.provider_told", {
    provider: "clerk",
    of: event.of,
    kind: event.event.kind,
    applied,
  });
  return applied === "unknown" ? textResponse(503, "later") : textResponse(200, "ok");
}

/**
 * Applies an event about a user. A user deleted at Clerk requests account deletion here: renewals
 * stop, and unused days are refunded.
 */
async function applyToUser(ctx: Context, event: IdentityProviderEvent): Promise<string> {
  const applied = await applyProviderEvent(ctx, { provider: "clerk", event });
  if (event.kind !== "deleted") return applied;
  const person = await memberByProviderUser(ctx, {
    provider: "clerk",
    providerUserId: event.providerUserId,
  });
  if (!person || person.deletedAt !== null || person.leavingAt !== null) return applied;
  try {
    await requestDeletion(ctx, { personId: person.id });
  } catch (error) {
    // Another delivery of the same event came first.
    if (!(error instanceof DeletionAlreadyRequested)) throw error;
  }
  return applied;
}

function apply(ctx: Context, { of, event }: ClerkEvent) {
  if (of === "user") return applyToUser(ctx, event);
  return of === "team"
    ? applyTeamEvent(ctx, { provider: "clerk", event })
    : applyMembershipEvent(ctx, { provider: "clerk", event });
}
