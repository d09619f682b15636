import { z } from "zod";
import {
  isNotificationKind,
  NOTIFICATION_CHANNELS,
} from "#app/domain/notifications/rules/kinds.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import type { Instant } from "#app/domain/time.ts";
import { DIGEST_RHYTHMS } from "./rules/digests.ts";
import { arePushKeys, isPushEndpoint } from "./rules/devices.ts";
import { DEFAULT_HOURS, isTimeZone, minuteOfDay } from "./rules/quiet-hours.ts";

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

/** Whether a hidden image counts that the person opened a post's email. */
const OPENINGS_CHOICES = ["counted", "refused"] as const;

const timeOfDay = z
  .string()
  .default("")
  .transform((typed, check) => {
    const minute = minuteOfDay(typed.trim());
    if (minute !== null || typed.trim() === "") return minute;
    check.addIssue({ code: "custom", message: "Escreva a hora assim: 22:00." });
    return z.NEVER;
  });

/**
 * The form of /settings/notifications: what stays switched on, each as `kind:channel`, and the
 * quiet hours, both times or neither.
 */
export const notificationSettingsSchema = z
  .object({
    on: listed,
    /** The kinds that the form showed. */
    shown: listed,
    /** The channels that it showed. A form without them showed no pushes. */
    channels: listed.transform((names) =>
      names.length === 0
        ? (["app", "mail"] as const)
        : NOTIFICATION_CHANNELS.filter((channel) => names.includes(channel)),
    ),
    digest: z.enum(DIGEST_RHYTHMS, { error: "Escolha uma das opções." }),
    /** A form that did not ask changes nothing. */
    openings: z.enum(OPENINGS_CHOICES, { error: "Escolha uma das opções." }).optional(),
    timeZone: z
      .string()
      .default(DEFAULT_HOURS.timeZone)
      .refine(isTimeZone, "Escolha um dos fusos da lista."),
    quietFrom: timeOfDay,
    quietUntil: timeOfDay,
  })
  .superRefine(({ quietFrom, quietUntil }, check) => {
    const problem = (field: string, message: string) =>
      check.addIssue({ code: "custom", path: [field], message });
    if (quietFrom !== null && quietUntil === null) problem("quietUntil", "Diga até que horas.");
    if (quietFrom === null && quietUntil !== null) problem("quietFrom", "Diga a partir de quando.");
    if (quietFrom !== null && quietFrom === quietUntil)
      problem("quietUntil", "Escolha um fim diferente do começo, ou deixe os dois vazios.");
  });

/** The form of /post/:id/mute. It sends the wanted state, so that two clicks never toggle twice. */
export const postMuteSchema = z.object({
  muted: z.enum(["true", "false"]).transform((text) => text === "true"),
});

/** What a link at the end of an email stops. */
export type UnsubscribeSubject = NotificationKind | "digest" | `${typeof CREATOR}${string}`;

const CREATOR = "creator-";

/** The posts of one creator by email, as the subject of an address. */
export const creatorSubject = (creatorId: string): UnsubscribeSubject => `${CREATOR}${creatorId}`;

/** The creator of such a subject; null for any other. */
export const creatorOfSubject = (subject: UnsubscribeSubject): string | null =>
  isCreatorSubject(subject) ? subject.slice(CREATOR.length) : null;

const isCreatorSubject = (subject: string): subject is `${typeof CREATOR}${string}` =>
  /^creator-[0-9a-z-]{1,64}$/.test(subject);

/** The address at the end of an email. */
export const unsubscribeAddressSchema = z.object({
  personId: z.string().max(64),
  kind: z
    .string()
    .max(80)
    .refine(
      (kind): kind is UnsubscribeSubject =>
        kind === "digest" || isNotificationKind(kind) || isCreatorSubject(kind),
    ),
  signature: z.string().max(100),
});

export const notificationFilterSchema = z
  .enum(["all", "unread", "people", "posts", "money", "account"])
  .catch("all");
export type NotificationFilter = z.output<typeof notificationFilterSchema>;

/** What could not be delivered: an email or push to one person, or a whole outbox message. */
export type FailedDelivery = {
  source: "delivery" | "message";
  /** The number of its row: the delivery's key names the person. */
  id: string;
  /** The kind of notification, or the type of the message. */
  about: string;
  channel: string;
  failure: string;
  attempts: number;
  /** Product time for a delivery, real time for a message. */
  createdAt: Instant;
  failedAt: Instant;
};

/** The form that tries a stopped address again: the reason that it showed. */
export const addressResumptionSchema = z.object({ reason: z.enum(["bounced", "complained"]) });

/** The form that tries a failed delivery again. */
export const deliveryRetrySchema = z.object({
  source: z.enum(["delivery", "message"]),
  id: z.string().regex(/^\d{1,15}$/),
});

/** The form of "Ativar avisos neste aparelho": what the browser answered. */
export const pushDeviceSchema = z
  .object({
    endpoint: z.string().refine(isPushEndpoint, "Este navegador não recebe avisos."),
    p256dh: z.string().max(200),
    auth: z.string().max(100),
  })
  .refine(arePushKeys, "Este navegador não recebe avisos.");
