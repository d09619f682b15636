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
  // A profile is hidden by a suspension.
  profile: {
    label: "Perfil",
    reported: "perfil",
    decisions: ["dismiss", "warn", "suspend", "ban"],
  },
};

const TITLE_MAX = 80;

/** Names the subject in a list: its title, its first words or its username. */
export function evidenceTitle(evidence: Evidence | null): string {
  if (evidence === null) return "Conteúdo já apagado";
  const text =
    evidence.kind === "post"
      ? evidence.title
      : evidence.kind === "comment"
        ? evidence.body.replaceAll(/\s+/g, " ")
        : `@${evidence.username}`;
  const letters = Array.from(text);
  return letters.length > TITLE_MAX ? `${letters.slice(0, TITLE_MAX - 1).join("")}…` : text;
}

/** Names the subject in a sentence to its author: "a sua publicação “Rabeca”". */
export function ownSubjectText(evidence: Evidence): string {
  const title = quoted(evidenceTitle(evidence));
  switch (evidence.kind) {
    case "post":
      return `a sua publicação ${title}`;
    case "comment":
      return `o seu comentário ${title}`;
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
    case "comment":
      return `o comentário ${quoted(title)}`;
    case "profile":
      return `o perfil ${title}`;
  }
}

/** The same in a notification. It is stored, so it does not name the person. */
export const notifiedSubjectText = (evidence: Evidence): string =>
  evidence.kind === "profile" ? "um perfil" : reportedSubjectText(evidence);

/** Where the subject is shown. */
export function subjectPath({ kind, id }: ReportSubject, evidence: Evidence): string {
  if (kind === "post") return `/post/${id}`;
  return evidence.kind === "comment" ? `/post/${evidence.postId}/comments/${id}` : `/space/${id}`;
}
