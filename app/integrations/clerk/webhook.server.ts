import { Webhook } from "standardwebhooks";
import { z } from "zod";
import type { ProviderTold } from "#app/domain/identity/schema/provider-told.ts";
import { clerkUserSchema, primaryEmail } from "./user.ts";

const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["user.created", "user.updated"]), data: clerkUserSchema }),
  z.object({ type: z.literal("user.deleted"), data: z.object({ id: z.string().min(1) }) }),
]);

/**
 * What a delivery of Clerk says, after its Svix signature and its time (within five minutes of now) are checked. `null` for events
 * that this product has no use for; `"refused"` for a signature that is not Clerk's, or a user of another shape.
 */
export function clerkTold(secret: string, headers: Headers, rawBody: string): ProviderTold | null | "refused" {
  const body = verified(secret, headers, rawBody);
  if (body === undefined) return "refused";
  const kind = z.object({ type: z.string() }).safeParse(body);
  if (!kind.success) return "refused";
  if (!kind.data.type.startsWith("user.")) return null;
  const event = eventSchema.safeParse(body);
  if (!event.success) return "refused";
  const { type, data } = event.data;
  if (type === "user.deleted") return { kind: "deleted", providerUserId: data.id };
  return { kind: "changed", providerUserId: data.id, version: data.updated_at, email: primaryEmail(data), isBanned: data.banned };
}

/** Svix names its headers `svix-*` and else does what Standard Webhooks says. */
function verified(secret: string, headers: Headers, rawBody: string): unknown {
  const signed = Object.fromEntries(["id", "timestamp", "signature"].map((name) => [`webhook-${name}`, headers.get(`svix-${name}`) ?? ""]));
  try {
    return new Webhook(secret).verify(rawBody, signed);
  } catch {
    return undefined;
  }
}
