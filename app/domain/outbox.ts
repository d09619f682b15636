import type { z } from "zod";
import type { Instant } from "./time.ts";

/**
 * One message of a module's declarations: `{ type, ...fields }`. A module declares its messages as
 * a record of zod objects by type (`schema/outbox.ts`). A message holds all that is shown, so that
 * its renderer reads nothing.
 */
export type MessageOf<Schemas extends Record<string, z.ZodObject>> = {
  [Type in keyof Schemas & string]: { type: Type } & z.output<Schemas[Type]>;
}[keyof Schemas & string];

type MailText = { subject: string; body: string };

/** One person to tell, in the product's words; `path` is where it leads. */
export type NotificationDraft = {
  /** Null for somebody who has no account, who is told by mail only. */
  personId: string | null;
  /** Where the mail goes when it is not the person's own e-mail. */
  email?: string;
  kind: string;
  body: string;
  path: string;
  mail: MailText | null;
  /** The mail to each e-mail that the person left within thirty days, with when they left it. */
  formerMail?: (leftAt: Instant) => MailText;
};

/** The notification, without a mail, of everyone who may see a new post: page after page. */
export type AudienceNotification = { postId: string; kind: string; body: string };

/** What a message becomes: notifications of a few people by name, or of a post's audience. */
export type Rendered = readonly NotificationDraft[] | AudienceNotification;

/** A module's notification renderer: one pure function for each of its messages. */
export type NotificationRenderers<Message extends { type: string }> = {
  [Type in Message["type"]]: (message: Extract<Message, { type: Type }>) => Rendered;
};
