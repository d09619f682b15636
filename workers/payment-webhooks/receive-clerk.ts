import type { Context } from "#app/domain/context.ts";
import { applyProviderTold } from "#app/domain/identity/commands/provider-told.server.ts";
import { memberByProviderUser } from "#app/domain/identity/queries.server.ts";
import type { ProviderTold } from "#app/domain/identity/schema/provider-told.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { AlreadyLeaving } from "#app/domain/deletion/errors.ts";
import {
  applyMembershipTold,
  applyTeamTold,
} from "#app/domain/teams/commands/provider-told.server.ts";
import { clerkTold } from "#app/integrations/clerk/webhook.server.ts";
import type { ClerkTold } from "#app/integrations/clerk/webhook.server.ts";
import { answer, limitedText } from "./body.ts";

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
  const rawBody = await limitedText(request);
  if (rawBody === null) return answer(413, "too large");
  const told = clerkTold(secret, request.headers, rawBody);
  if (told === "refused") {
    ctx.log("webhooks.refused", { provider: "clerk", reason: "signature or shape" });
    return answer(401, "refused");
  }
  if (told === null) return answer(200, "ok");
  const applied = await apply(ctx, told);
  ctx.log("identity.provider_told", {
    provider: "clerk",
    of: told.of,
    kind: told.told.kind,
    applied,
  });
  return applied === "unknown" ? answer(503, "later") : answer(200, "ok");
}

/**
 * Whoever was deleted at Clerk leaves us too, as if they had asked here: nothing renews any more,
 * and unused days go back.
 */
async function applyToUser(ctx: Context, told: ProviderTold): Promise<string> {
  const applied = await applyProviderTold(ctx, { provider: "clerk", told });
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
    if (!(error instanceof AlreadyLeaving)) throw error;
  }
  return applied;
}

function apply(ctx: Context, { of, told }: ClerkTold) {
  if (of === "user") return applyToUser(ctx, told);
  return of === "team"
    ? applyTeamTold(ctx, { provider: "clerk", told })
    : applyMembershipTold(ctx, { provider: "clerk", told });
}
