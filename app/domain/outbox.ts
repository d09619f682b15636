import type { z } from "zod";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import type { Instant } from "./time.ts";

/**
 * One message of a module's declarations: `{ type, ...fields }`. A module declares its messages as
 * a record of zod objects by type (`schema/outbox.ts`). A message holds all that is shown, so its
 * renderer reads nothing.
 */
export type MessageOf<Schemas extends Record<string, z.ZodObject>> = {
  [Type in keyof Schemas & string]: { type: Type } & z.output<Schemas[Type]>;
}[keyof Schemas & string];

/** `button` is the label of the link to the draft's `path`. */
export type MailText = { subject: string; body: string; button?: string };

/** A notification to one person, in the text shown. `path` is where it leads. */
export type NotificationDraft = {
  /** Null for a person without an account, who only gets the email. */
  personId: string | null;
  /** Where the email goes when it is not the person's own address. */
  email?: string;
  /** The type of the message. */
  kind: string;
  /** What it is about, when that is not what the message's type usually is. */
  about?: NotificationKind;
  body: string;
  path: string;
  mail: MailText | null;
  group?: NotificationGroup;
  /** The post that it is about. Who muted the post does not get it. */
  mutablePostId?: string;
  /** The member whom it comes from. Who muted or blocked them meanwhile gets no email of it. */
  fromId?: string;
  /**
   * What it says instead where the person and `fromId` block one another. A block never hides what
   * was paid, received or changed: the commands refuse new payments between the two, and of one
   * that was under way only the other's own words are left out.
   */
  ifBlocked?: { fromId: string; body: string; mail: MailText | null };
  /** The email to each address that the person replaced within thirty days, with when. */
  formerMail?: (leftAt: Instant) => MailText;
};

/** Stands for the number of the others in the text of a group. Nothing that people type has it. */
export const OTHERS_COUNT = "\u0001";

/**
 * Joins notifications about one thing into one row while it is unread, for twelve hours. `key`
 * names the thing. The row's text is `two` when the second comes, and `many` after that, with
 * `OTHERS_COUNT` for the number of earlier ones. All texts begin with the actor's name. Only the
 * one that opens the row is sent by email or push.
 */
export type NotificationGroup = {
  key: string;
  actorId: string;
  actorName: string;
  two: string;
  many: string;
};

/** Types of messages that go to many people, page by page, through the fan-out queue. */
export const FAN_OUT_TYPES = [
  "post.published",
  "post.opened",
  "post.mailed",
  "broadcast.delivered",
  "product_news.sent",
  "terms.announced",
] as const;

/** A notification, without an email, to everyone who can see a new post, page by page. */
export type AudienceNotification = { postId: string; kind: string; body: string };

/**
 * A notification to everybody who has an account and did not switch its kind off, page by page.
 * `key` begins the key of each person's row, so that nobody gets it twice.
 */
export type EveryoneNotification = {
  key: string;
  kind: string;
  about: NotificationKind;
  body: string;
  path: string;
  mail: MailText | null;
};

/** Notifications to many people, which are read from the database page by page. */
export type FanOutNotification = AudienceNotification | EveryoneNotification;

/** The rendered message: notifications of a few named people, or of many. */
export type Rendered = readonly NotificationDraft[] | FanOutNotification;

/** Returns whether a rendered message goes to many people. */
export const goesToMany = <One>(
  rendered: readonly One[] | FanOutNotification,
): rendered is FanOutNotification => "kind" in rendered;

/** A notification with what it is about. */
export type CategorizedNotification = NotificationDraft & { about: NotificationKind };

/** The rendered message, each notification with what it is about. */
export type RenderedNotifications = readonly CategorizedNotification[] | FanOutNotification;

/** A module's notification renderer: one pure function for each of its messages. */
export type NotificationRenderers<Message extends { type: string }> = {
  [Type in Message["type"]]: (message: Extract<Message, { type: Type }>) => Rendered;
};
