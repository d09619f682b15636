import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";
import { disputeDetail } from "#app/domain/disputes/queries/dispute-detail.server.ts";
import type { DisputeDetail } from "#app/domain/disputes/queries/dispute-detail.server.ts";
import { disputeStateOf, evidenceEditProblem } from "#app/domain/disputes/rules/answers.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";

type DisputeRouteContext = { context: Readonly<RouterContextProvider> };

export const disputePath = (disputeId: string): string =>
  `/settings/transactions/disputes/${disputeId}`;

/** Whether a moderator is uninvolved in a dispute: neither payer nor seller. */
export const isUninvolvedModerator = (
  member: { id: string; isModerator: boolean },
  { payerId, creatorId }: { payerId: string; creatorId: string },
): boolean => member.isModerator && payerId !== member.id && creatorId !== member.id;

/** Loads a dispute of the actor's page, or any for an uninvolved moderator; a 404 for anybody else. */
export async function loadDisputeForViewer(
  routed: DisputeRouteContext,
  disputeId: string,
): Promise<DisputeDetail & { side: "seller" | "moderation" }> {
  const { member, space } = requireActor(routed, "money:see");
  const ctx = routed.context.get(domainContext);
  const detail = foundOr404(
    await disputeDetail(ctx, { disputeId }),
    "Não encontramos esta contestação.",
  );
  const isSeller = detail.dispute.creatorId === space.personId;
  const isStaff = isUninvolvedModerator(member, {
    payerId: detail.charge.payerId,
    creatorId: detail.dispute.creatorId,
  });
  foundOr404(isSeller || isStaff ? detail : null, "Não encontramos esta contestação.");
  if (!isSeller) ctx.log("disputes.opened", { disputeId, moderatorId: member.id });
  return { ...detail, side: isSeller ? "seller" : "moderation" };
}

/**
 * `loadDisputeForViewer` for the pages that edit its answer. Without permission, or if it accepts
 * no answer, redirects to the dispute.
 */
export async function loadEditableDispute(
  routed: DisputeRouteContext,
  disputeId: string,
): Promise<DisputeDetail> {
  requireActor(routed, "disputes:answer");
  const detail = await loadDisputeForViewer(routed, disputeId);
  const problem = evidenceEditProblem(
    detail.dispute,
    detail.answer,
    routed.context.get(domainContext).now(),
  );
  if (detail.side !== "seller" || problem) throw redirect(disputePath(disputeId));
  return detail;
}

/** The list fields of a dispute. */
export function toDisputeListItem<
  Row extends {
    id: string;
    status: "open" | "won" | "lost";
    respondBy: number | null;
    underReviewAt: number | null;
    answer: string | null;
  },
>(row: Row, now: number) {
  const { status: _status, underReviewAt: _underReviewAt, answer, ...shown } = row;
  return {
    ...shown,
    state: disputeStateOf(row, now),
    isAnswered: answer !== null && answer !== "draft",
    to: disputePath(row.id),
  };
}
