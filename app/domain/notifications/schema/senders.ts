import type { Instant } from "#app/domain/time.ts";

/** An email as the product writes it. It is sent once per `key`, however often it is handed over. */
type Mail = {
  key: string;
  to: string;
  subject: string;
  body: string;
  /** Safe HTML in place of `body`, which then is the same as text. */
  html?: string;
  /** What programs show beside the subject, in place of the first paragraph. */
  preheader?: string;
  /** The page that the email is about, on this site, and the label of its button. */
  actionUrl?: string;
  actionLabel?: string;
  /** Why it came, as a sentence. */
  reason?: string;
  /** Where one POST stops such emails (RFC 8058); missing where they cannot be stopped. */
  unsubscribeUrl?: string;
  openingCount?: OpeningCount;
  /** It is lost rather than sent twice, if the process dies while it is handed over. */
  isAtMostOnce?: true;
};

/** An image of one pixel that counts an opening, in the HTML part only, and where to refuse it. */
type OpeningCount = { pixelUrl: string; settingsUrl: string };

/** A post as one of its readers gets it by email. */
export type NewsletterMail = {
  subject: string;
  /** The plain-text part, and its safe HTML. */
  body: string;
  html: string;
  preheader: string;
  /** The address behind the button. */
  actionUrl: string;
  button: string;
  reason: string;
  /** Missing where the reader refused it. */
  openingCount?: OpeningCount;
};

/** A push as the service worker gets it. Nothing of it is shown but the title and the text. */
export type PushPayload = {
  kind: string;
  title: string;
  body: string;
  /** The page that it opens, on this site. */
  path: string;
  /** A later push of the same tag replaces this one. */
  tag: string;
};

/**
 * Sends a push to a device, encrypted for it. Answers "gone" where the device wants none any more.
 * Throws what a later attempt may change.
 */
export type PushSender = {
  send(push: {
    key: string;
    device: { endpoint: string; p256dh: string; auth: string };
    payload: PushPayload;
  }): Promise<"sent" | "gone">;
};

/**
 * What became of an email that was handed over: nothing of note where it was sent. "suppressed":
 * the email service refuses the address. "unconfirmed": an earlier attempt to hand over one that
 * must not be sent twice ended without an answer, so that nobody knows whether it left.
 */
export type MailOutcome = "suppressed" | "unconfirmed" | void;

export type Mailer = { send(mail: Mail): Promise<MailOutcome> };

/** A text message to a phone in E.164. It is sent once per `key`, however often it is handed over. */
type TextMessage = { key: string; to: string; body: string };

export type SmsSender = { send(text: TextMessage): Promise<void> };

/**
 * Pushes to open pages. A `topic` names what they wait for. The push only says that it changed, and
 * the page then loads it with its own permissions.
 */
export type LiveUpdates = {
  /**
   * Pushes to the pages that listen now: at once, or at most once in `gatherMs`. Never fails: a
   * page that gets nothing polls.
   */
  changed(topic: string, gatherMs?: number): Promise<void>;
  /** Pushes that somebody is typing in a conversation of the topic's person. Never fails. */
  typing(topic: string, conversationId: string): Promise<void>;
  /** Whether a page listens to the topic now. False where nobody can tell. */
  isListening(topic: string): Promise<boolean>;
  /**
   * Returns the URL where a page listens to `topic`, until `until` (wall clock, epoch ms). Give it
   * only to people who may know of the topic.
   */
  address(topic: string, until: Instant): Promise<string>;
};
