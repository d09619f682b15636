import { z } from "zod";
import type { TeamRole } from "#app/domain/teams/rules/roles.ts";
import type { MembershipEvent, TeamEvent } from "#app/domain/teams/schema/provider-event.ts";

const id = z.string().min(1);

/**
 * The part of an organisation's events that the product reads. Source: `OrganizationJSON` of
 * @clerk/backend.
 */
export const organizationEventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.enum(["organization.created", "organization.updated"]),
    data: z.object({
      id,
      name: z.string().min(1),
      slug: z.string().nullish(),
      created_by: id,
      updated_at: z.number().int(),
    }),
  }),
  z.object({ type: z.literal("organization.deleted"), data: z.object({ id }) }),
]);

/**
 * Source: `OrganizationMembershipJSON` of @clerk/backend; `timestamp` is the event's own time,
 * milliseconds.
 */
export const membershipEventSchema = z.object({
  type: z.enum([
    "organizationMembership.created",
    "organizationMembership.updated",
    "organizationMembership.deleted",
  ]),
  timestamp: z.number().int().optional(),
  data: z.object({
    organization: z.object({ id }),
    public_user_data: z.object({ user_id: id }),
    role: z.string(),
    permissions: z.array(z.string()).default([]),
    updated_at: z.number().int(),
  }),
});

const MANAGES_BILLING = "org:sys_billing:manage";

/** A deletion is always the last event, whatever its timestamp. */
export function teamEventOf({ type, data }: z.infer<typeof organizationEventSchema>): TeamEvent {
  if (type === "organization.deleted")
    return { kind: "deleted", organizationId: data.id, version: Number.MAX_SAFE_INTEGER };
  return {
    kind: "changed",
    organizationId: data.id,
    version: data.updated_at,
    name: data.name,
    slug: data.slug ?? null,
    ownerUserId: data.created_by,
  };
}

/** The end of a membership is later than the membership's last change. */
export function membershipEventOf({
  type,
  timestamp,
  data,
}: z.infer<typeof membershipEventSchema>): MembershipEvent {
  const of = { organizationId: data.organization.id, userId: data.public_user_data.user_id };
  if (type === "organizationMembership.deleted")
    return { kind: "removed", ...of, version: Math.max(timestamp ?? 0, data.updated_at + 1) };
  return {
    kind: "changed",
    ...of,
    version: data.updated_at,
    role: roleOf(data.role),
    mayManageBilling: data.permissions.includes(MANAGES_BILLING),
  };
}

/** Clerk's roles are keys of its dashboard; unknown ones get the lowest role. */
function roleOf(key: string): TeamRole {
  if (/^(?:org:)?admin$/.test(key)) return "admin";
  return /^(?:org:member|(?:org:)?basic_member)$/.test(key) ? "basic_member" : "guest_member";
}
