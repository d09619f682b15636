import type { ChangesAnswer } from "#app/components/messages/live/use-conversation.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import { WRITING_PROBLEM_TEXTS } from "#app/domain/messages/rules/writing.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { markOpened } from "#app/http/message-reading.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/changes.ts";

const PAGE = 100;

/** What changed in a conversation after a revision, for its open page: a page of messages. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { personId } = requireActor({ context }, "messages:read").space;
  const { head, messages } = foundOr404(
    await conversationWith(context.get(domainContext), {
      conversationId: params.id,
      personId,
      changedAfter: Number(/^\d{1,9}$/.exec(url.searchParams.get("after") ?? "")?.[0] ?? 0),
      limit: PAGE,
    }),
  );
  await markOpened(context, { head, personId });
  const answer: ChangesAnswer = {
    messages,
    otherReadSeq: head.otherReadSeq,
    box: head.box,
    closed: head.writingProblem && WRITING_PROBLEM_TEXTS[head.writingProblem],
    isComplete: messages.length < PAGE,
  };
  return Response.json(answer, { headers: { "Cache-Control": "private, no-store" } });
}
