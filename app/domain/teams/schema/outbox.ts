import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const teamMessages = {
  "team.invited": z.object({
    invitationId: z.string(),
    email: z.string(),
    personId: z.string().nullable(),
    teamName: z.string(),
    ownerName: z.string(),
    inviterName: z.string(),
    roleWord: z.string(),
    link: z.string(),
    expiresAt: z.number(),
  }),
  "team.joined": z.object({
    ownerId: z.string(),
    slug: z.string(),
    teamName: z.string(),
    memberName: z.string(),
  }),
  "team.requested": z.object({
    ownerId: z.string(),
    slug: z.string(),
    teamName: z.string(),
    memberName: z.string(),
  }),
  "team.request_decided": z.object({
    personId: z.string(),
    isApproved: z.boolean(),
    slug: z.string(),
    teamName: z.string(),
  }),
  "team.removed": z.object({ memberId: z.string(), slug: z.string(), teamName: z.string() }),
  "team.billing_granted": z.object({
    ownerId: z.string(),
    memberId: z.string(),
    memberName: z.string(),
    slug: z.string(),
    teamName: z.string(),
  }),
};

export type TeamMessage = MessageOf<typeof teamMessages>;
