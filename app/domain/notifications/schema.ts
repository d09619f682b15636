import { z } from "zod";
import { isNotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import type { Instant } from "#app/domain/time.ts";
import { DIGEST_RHYTHMS } from "./rules/digests.ts";

export type NotificationRow = {
  id: string;
  kind: string;
  body: string;
  path: string;
  readAt: Instant | null;
  createdAt: Instant;
};

const listed = z
  .union([z.string(), z.array(z.string()).max(100)])
  .default([])
  .transform((value) => (typeof value === "string" ? [value] : value));

/** The form of /settings/notifications: what stays switched on, each as `kind:channel`. */
export const notificationSettingsSchema = z.object({
  on: listed,
  /** The kinds that the form showed. */
  shown: listed,
  digest: z.enum(DIGEST_RHYTHMS, { error: "Escolha uma das opções." }),
});

/** What a link at the end of an email stops. */
export type UnsubscribeSubject = NotificationKind | "digest";

/** The address at the end of an email. */
export const unsubscribeAddressSchema = z.object({
  personId: z.string().max(64),
  kind: z
    .string()
    .refine((kind): kind is UnsubscribeSubject => kind === "digest" || isNotificationKind(kind)),
  signature: z.string().max(100),
});

export const notificationFilterSchema = z
  .enum(["all", "unread", "people", "posts", "money", "account"])
  .catch("all");
export type NotificationFilter = z.output<typeof notificationFilterSchema>;
