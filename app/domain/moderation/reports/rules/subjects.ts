import { FILE_LABELS } from "#app/domain/messages/rules.ts";
import { quoted } from "#app/domain/text.ts";
import type {
  CaseDecision,
  Evidence,
  ReportSubject,
  SubjectKind,
} from "#app/domain/moderation/reports/schema.ts";

type Subject = {
  /** "Publicação", for lists of staff and reporters. */
  label: string;
  /** The end of "Denunciar …". */
  reported: string;
  decisions: readonly CaseDecision[];
};

/** What the screens say of each kind of subject, and what can be decided on it. */
export const SUBJECTS: Record<SubjectKind, Subject> = {
  post: {
    label: "Publicação",
    reported: "publicação",
    decisions: ["dismiss", "hide", "warn", "suspend", "ban"],
  },
  comment: {
    label: "Comentário",
    reported: "comentário",
    decisions: ["dismiss", "hide", "warn", "suspend", "ban"],
  },
  event: {
    label: "Evento",
    reported: "evento",
    decisions: ["dismiss", "hide", "warn", "suspend", "ban"],
  },
  // A profile is hidden by a suspension.
  profile: {
    label: "Perfil",
    reported: "perfil",
    decisions: ["dismiss", "warn", "suspend", "ban"],
  },
  // A message stays between two people, who can block and delete.
  message: {
    label: "Mensagem",
    reported: "mensagem",
    decisions: ["dismiss", "warn", "suspend", "ban"],
  },
};

const TITLE_MAX = 80;

/** Names a message that has a file and no words. */
function fileTitle(evidence: Evidence): string {
  const file = evidence.kind === "message" ? evidence.files?.[0] : undefined;
  return file ? FILE_LABELS[file.kind] : "";
}

/** Names the subject in a list: its title, its first words or its username. */
export function evidenceTitle(evidence: Evidence | null): string {
  if (evidence === null) return "Conteúdo já apagado";
  const text =
    evidence.kind === "post" || evidence.kind === "event"
      ? evidence.title
      : evidence.kind === "profile"
        ? `@${evidence.username}`
        : evidence.body.replaceAll(/\s+/g, " ") || fileTitle(evidence);
  const letters = Array.from(text);
  return letters.length > TITLE_MAX ? `${letters.slice(0, TITLE_MAX - 1).join("")}…` : text;
}

/** Names the subject in a sentence to its author: "a sua publicação “Rabeca”". */
export function ownSubjectText(evidence: Evidence): string {
  const title = quoted(evidenceTitle(evidence));
  switch (evidence.kind) {
    case "post":
      return `a sua publicação ${title}`;
    case "event":
      return `o seu evento ${title}`;
    case "comment":
      return `o seu comentário ${title}`;
    case "message":
      return `a sua mensagem ${title}`;
    case "profile":
      return "o seu perfil";
  }
}

/** Names the subject in a sentence to its reporter: "a publicação “Rabeca”". */
export function reportedSubjectText(evidence: Evidence): string {
  const title = evidenceTitle(evidence);
  switch (evidence.kind) {
    case "post":
      return `a publicação ${quoted(title)}`;
    case "event":
      return `o evento ${quoted(title)}`;
    case "comment":
      return `o comentário ${quoted(title)}`;
    case "message":
      return `a mensagem ${quoted(title)}`;
    case "profile":
      return `o perfil ${title}`;
  }
}

/** The same in a notification. It is stored, so it does not name the person. */
export function notifiedSubjectText(evidence: Evidence): string {
  if (evidence.kind === "profile") return "um perfil";
  return evidence.kind === "message" ? "uma mensagem" : reportedSubjectText(evidence);
}

/** The id of a message as a subject: its conversation and its place there. */
export const messageSubjectId = (message: { conversationId: string; seq: number }): string =>
  `${message.conversationId}-${message.seq}`;

/** Reads such an id; null for any other. */
export function parseMessageSubjectId(id: string): { conversationId: string; seq: number } | null {
  const [, conversationId, seq] = /^([0-9a-zA-Z-]+)-(\d{1,9})$/.exec(id) ?? [];
  return conversationId === undefined ? null : { conversationId, seq: Number(seq) };
}

/** Where the subject is shown. */
export function subjectPath({ kind, id }: ReportSubject, evidence: Evidence): string {
  if (kind === "post") return `/post/${id}`;
  if (kind === "event") return `/events/${id}`;
  if (evidence.kind === "message") {
    const { conversationId, seq, isOfEvent } = evidence;
    return `${isOfEvent ? `/events/${conversationId}/live` : `/messages/${conversationId}`}#m-${seq}`;
  }
  return evidence.kind === "comment" ? `/post/${evidence.postId}/comments/${id}` : `/space/${id}`;
}
