import type { MediaKind } from "#app/domain/media/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { cleanText, hasVisibleText } from "#app/domain/text.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Who may start a conversation with a creator. */
export const WRITER_CHOICES = ["everyone", "followers", "subscribers", "plans", "nobody"] as const;
export type WriterChoice = (typeof WRITER_CHOICES)[number];

/**
 * The list that shows a conversation to one of its people. No list shows `broadcast`: the person
 * only sent broadcasts, which open neither writing nor presence.
 */
export const BOXES = ["inbox", "request", "refused", "archived", "broadcast"] as const;
export type Box = (typeof BOXES)[number];

/** Messages that an opened conversation shows at once. */
export const CONVERSATION_PAGE = 50;
export const MESSAGE_MAX = 4_000;
/** How long a message can be edited. Source: issue 22, "The product". */
export const MESSAGE_EDIT_WINDOW_MS = 15 * MINUTE_MS;
/** Messages of a stranger before the other person accepts. */
export const REQUEST_MESSAGES_MAX = 3;
/** Pinned conversations of one person, so that the first page of the list holds them all. */
export const PINNED_MAX = 5;
/** How long a message stays unread before its notification. */
export const NOTIFY_AFTER_MS = 30 * SECOND_MS;

export const MESSAGE_LIMITS: readonly RateLimit[] = [
  { windowMs: MINUTE_MS, limit: 20 },
  { windowMs: HOUR_MS, limit: 300 },
];
export const CONVERSATION_LIMITS: readonly RateLimit[] = [{ windowMs: DAY_MS, limit: 20 }];
export const REACTION_LIMITS: readonly RateLimit[] = [{ windowMs: MINUTE_MS, limit: 60 }];

/** Files of one message. */
export const MESSAGE_FILES_MAX = 10;
/** Files of messages of one person. */
export const MESSAGE_FILES_A_DAY = 50;
export const MESSAGE_FILE_LIMITS: readonly RateLimit[] = [
  { windowMs: DAY_MS, limit: MESSAGE_FILES_A_DAY },
];

/** Edits, deletions and the buttons of a conversation, counted together. */
export const MESSAGE_CHANGE_LIMITS: readonly RateLimit[] = [{ windowMs: MINUTE_MS, limit: 60 }];

export const REACTIONS = ["👍", "❤️", "😂", "😮", "😢", "🙏"] as const;
export type Reaction = (typeof REACTIONS)[number];

/** Cleans a typed message for storage: trimmed, with at most one blank line in a row. */
export function cleanMessageText(typed: string): string {
  const text = cleanText(typed)
    .replaceAll("\t", " ")
    .replaceAll(/[^\S\n]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return hasVisibleText(text) ? text : "";
}

export const FILE_LABELS: Record<MediaKind, string> = {
  image: "Foto",
  video: "Vídeo",
  audio: "Áudio",
  document: "PDF",
};
const FILE_PLURALS: Record<MediaKind, string> = {
  image: "fotos",
  video: "vídeos",
  audio: "áudios",
  document: "PDFs",
};

/** What a list and an answer show of files without a text: "Foto", "3 fotos" or "2 arquivos". */
export function filesLabel(kinds: readonly MediaKind[]): string {
  const [first] = kinds;
  if (first === undefined) return "Arquivo";
  if (kinds.length === 1) return FILE_LABELS[first];
  const isOneKind = kinds.every((kind) => kind === first);
  return `${kinds.length} ${isOneKind ? FILE_PLURALS[first] : "arquivos"}`;
}

/** The line of a paid tip in its conversation. */
export const tipText = (amountCents: Cents): string => `Apoio de ${formatMoney(amountCents)}`;

const LINK =
  /\[([^\]\n]{1,200})\]\((https?:\/\/[^\s<>"()]+)\)|(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/g;

export type MessagePart =
  | { kind: "text"; text: string }
  | { kind: "link"; text: string; href: string; host: string | null };

/**
 * Splits a message into text and links: web addresses, and `[text](address)` of Markdown. `host` is
 * set where the text hides the address. Other Markdown stays text.
 */
export function messageParts(body: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let from = 0;
  for (const match of body.matchAll(LINK)) {
    const [whole, label, labelled, bare] = match;
    const href = labelled ?? bare ?? "";
    const url = URL.parse(href);
    if (!url) continue;
    if (match.index > from) parts.push({ kind: "text", text: body.slice(from, match.index) });
    parts.push({ kind: "link", text: label ?? href, href, host: label ? url.host : null });
    from = match.index + whole.length;
  }
  if (from < body.length) parts.push({ kind: "text", text: body.slice(from) });
  return parts;
}

/** Parses the address of a link in a message. Null for anything but http and https. */
export function webAddress(text: string): URL | null {
  const url = URL.parse(text);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : null;
}

/** The page that asks before a link of a message is followed. */
export const linkQuestionPath = (href: string): string =>
  `/messages/link?${new URLSearchParams({ to: href })}`;

/** Whether a sender may still edit their message at `now`. */
export const isEditable = (
  { createdAt, isDeleted }: { createdAt: Instant; isDeleted: boolean },
  now: Instant,
): boolean => !isDeleted && now < createdAt + MESSAGE_EDIT_WINDOW_MS;

/** The topic on which the open pages of a person hear that one of their conversations changed. */
export const inboxTopic = (personId: string): string => `inbox:${personId}`;

/** After so long an open page asks for the next address of its socket. */
export const LISTENING_MS = 10 * MINUTE_MS;

/**
 * When an address of an inbox that is given at `now` expires: 10 to 20 minutes later, at one moment
 * for all of some minutes. Whoever may no longer read hears nothing after it.
 */
export const inboxListenedUntil = (now: Instant): Instant =>
  (Math.floor(now / LISTENING_MS) + 2) * LISTENING_MS;

/** Orders a pair of people, as `conversations` stores it. */
export const pairOf = (one: string, other: string): { lowId: string; highId: string } =>
  one < other ? { lowId: one, highId: other } : { lowId: other, highId: one };
