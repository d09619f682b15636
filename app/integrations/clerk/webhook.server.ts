import { Webhook } from "standardwebhooks";
import { z } from "zod";
import type { IdentityProviderEvent } from "#app/domain/identity/identity-provider/schema/provider-event.ts";
import type { MembershipEvent, TeamEvent } from "#app/domain/teams/schema/provider-event.ts";
import {
  membershipEventSchema,
  membershipEventOf,
  organizationEventSchema,
  teamEventOf,
} from "./organization.ts";
import { clerkUserSchema, primaryEmail } from "./user.ts";

const userEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["user.created", "user.updated"]), data: clerkUserSchema }),
  z.object({ type: z.literal("user.deleted"), data: z.object({ id: z.string().min(1) }) }),
]);

/** The event of a Clerk webhook, and its kind. */
export type ClerkEvent =
  | { of: "user"; event: IdentityProviderEvent }
  | { of: "team"; event: TeamEvent }
  | { of: "membership"; event: MembershipEvent };

/**
 * Verifies a Clerk webhook: its Svix signature and its time (within five minutes of now). `null`
 * for events without a use here, such as an organisation's invitations; an accepted one arrives as
 * a membership. `"refused"` for a wrong signature, or an unexpected shape.
 */
export function verifyClerkWebhook(
  secret: string,
  headers: Headers,
  rawBody: string,
): ClerkEvent | null | "refused" {
  const body = verified(secret, headers, rawBody);
  if (body === undefined) return "refused";
  const kind = z.object({ type: z.string() }).safeParse(body);
  if (!kind.success) return "refused";
  const [noun = ""] = kind.data.type.split(".");
  if (noun === "user")
    return shaped(userEventSchema, body, (event) => ({ of: "user", event: userEvent(event) }));
  if (noun === "organization")
    return shaped(organizationEventSchema, body, (event) => ({
      of: "team",
      event: teamEventOf(event),
    }));
  if (noun === "organizationMembership")
    return shaped(membershipEventSchema, body, (event) => ({
      of: "membership",
      event: membershipEventOf(event),
    }));
  return null;
}

function shaped<Event>(
  schema: z.ZodType<Event>,
  body: unknown,
  read: (event: Event) => ClerkEvent,
): ClerkEvent | "refused" {
  const event = schema.safeParse(body);
  return event.success ? read(event.data) : "refused";
}

function userEvent({ type, data }: z.infer<typeof userEventSchema>): IdentityProviderEvent {
  if (type === "user.deleted") return { kind: "deleted", providerUserId: data.id };
  return {
    kind: "changed",
    providerUserId: data.id,
    version: data.updated_at,
    email: primaryEmail(data),
    isBanned: data.banned,
  };
}

/** Svix names its headers `svix-*`, and otherwise follows Standard Webhooks. */
function verified(secret: string, headers: Headers, rawBody: string): unknown {
  const signed = Object.fromEntries(
    ["id", "timestamp", "signature"].map((name) => [
      `webhook-${name}`,
      headers.get(`svix-${name}`) ?? "",
    ]),
  );
  try {
    return new Webhook(secret).verify(rawBody, signed);
  } catch {
    return undefined;
  }
}
