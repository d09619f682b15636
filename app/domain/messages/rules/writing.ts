import { REQUEST_MESSAGES_MAX } from "#app/domain/messages/rules.ts";
import type { Box, WriterChoice } from "#app/domain/messages/rules.ts";

/** What decides whether a person may write to another. Both boxes are null without a conversation. */
export type WritingSnapshot = {
  isSelf: boolean;
  /** Banned, deleted, leaving, or with a page that the sender's age closes. */
  isUnreachable: boolean;
  isBlocked: boolean;
  isSenderCreator: boolean;
  isRecipientCreator: boolean;
  isRecipientMinor: boolean;
  writers: WriterChoice;
  senderFollows: boolean;
  recipientFollows: boolean;
  /** The sender has a subscription to the recipient's page. */
  senderSubscribes: boolean;
  /** The sender subscribes to one of the plans of the choice `plans`. */
  senderHasChosenPlan: boolean;
  /** The recipient has a subscription to the sender's page. */
  recipientSubscribes: boolean;
  senderBox: Box | null;
  recipientBox: Box | null;
  /** How many messages the sender wrote in the conversation. Tips and broadcasts are none. */
  writtenCount: number;
};

export type WritingProblem =
  | "unreachable"
  | "followers_only"
  | "subscribers_only"
  | "plans_only"
  | "nobody"
  | "no_follow"
  | "waits_for_answer";

/** Where the message arrives, or why it cannot be sent. */
export type WritingDecision =
  | { box: "inbox" | "request"; problem: null }
  | { box: null; problem: WritingProblem };

/**
 * Decides whether a message may be sent, and whether it arrives as a request. An accepted
 * conversation goes on, whatever the recipient chooses later. A request of somebody whom the
 * recipient knows meanwhile is one no more; a refused one stays refused. A refusal looks like a
 * wait to its sender. A broadcast is no acceptance: who answers one must be allowed to start a
 * conversation. Source: issue 22, "The product" and "Safety".
 */
export function decideWriting(snapshot: WritingSnapshot): WritingDecision {
  if (snapshot.isSelf || snapshot.isUnreachable || snapshot.isBlocked)
    return refused("unreachable");
  const { recipientBox } = snapshot;
  if (recipientBox === "inbox" || recipientBox === "archived") return arrives("inbox");
  const problem = startProblem(snapshot);
  if (problem) return refused(problem);
  if (recipientBox !== "refused" && isKnown(snapshot)) return arrives("inbox");
  const isRequested = recipientBox === "request" || recipientBox === "refused";
  if (isRequested && snapshot.writtenCount >= REQUEST_MESSAGES_MAX)
    return refused("waits_for_answer");
  if (snapshot.isRecipientMinor) return refused("unreachable");
  return arrives("request");
}

/** Who the recipient follows, sells to or pays is no stranger. */
function isKnown(snapshot: WritingSnapshot): boolean {
  return snapshot.recipientFollows || snapshot.senderSubscribes || snapshot.recipientSubscribes;
}

function startProblem(snapshot: WritingSnapshot): WritingProblem | null {
  const { senderFollows, senderSubscribes, recipientFollows, recipientSubscribes } = snapshot;
  if (recipientSubscribes) return null;
  if (!snapshot.isRecipientCreator) return recipientFollows || senderFollows ? null : "no_follow";
  switch (snapshot.writers) {
    case "everyone":
      return null;
    case "followers":
      return senderFollows || senderSubscribes ? null : "followers_only";
    case "subscribers":
      return senderSubscribes ? null : "subscribers_only";
    case "plans":
      return snapshot.senderHasChosenPlan ? null : "plans_only";
    case "nobody":
      return "nobody";
  }
}

const arrives = (box: "inbox" | "request"): WritingDecision => ({ box, problem: null });
const refused = (problem: WritingProblem): WritingDecision => ({ box: null, problem });

/** The sentence of each problem, for the composer's place and for refusals. */
export const WRITING_PROBLEM_TEXTS: Record<WritingProblem, string> = {
  unreachable: "Você não pode escrever para esta pessoa.",
  followers_only: "Só quem segue esta página pode escrever. Siga a página e tente de novo.",
  subscribers_only: "Só quem assina esta página pode escrever.",
  plans_only: "Só quem assina certos planos desta página pode escrever.",
  nobody: "Esta página não recebe mensagens novas.",
  no_follow: "Vocês podem conversar quando uma pessoa seguir a outra.",
  waits_for_answer: "O seu pedido foi enviado. Espere a resposta para escrever mais.",
};
