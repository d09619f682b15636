import type { RouterContextProvider } from "react-router";
import type { Context } from "#app/domain/context.ts";
import { openRequest } from "#app/domain/events/requests/queries.server.ts";
import { requestReplySchema } from "#app/domain/events/requests/schema.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent, REQUEST_MISSING } from "#app/routes/events/event-page.server.ts";

type Routed = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  params: { id: string; personId: string };
};
type Decision = { eventId: string; personId: string; creatorId: string; reply: string };

/** Loads the name of who asked; 404 without a request that can be answered. */
export async function loadRequester(args: Routed): Promise<{ name: string }> {
  await ownEvent(args);
  const ctx = args.context.get(domainContext);
  const { id: eventId, personId } = args.params;
  foundOr404(await openRequest(ctx, { eventId, personId }), REQUEST_MISSING);
  return { name: (await profileOfPerson(ctx, { personId }))?.name ?? "" };
}

/** Answers the request by `decide`, and goes back to the list with `message`. */
export function answerRequest(
  { request, context, params }: Routed,
  decide: (ctx: Context, decision: Decision) => Promise<void>,
  message: string,
) {
  const act = { request, context };
  return submitForSpace(act, "events:manage", requestReplySchema, async ({ reply }, { space }) => {
    const { id: eventId, personId } = params;
    await decide(context.get(domainContext), {
      reply,
      eventId,
      personId,
      creatorId: space.personId,
    });
    return redirectWithToast(request, `/events/${eventId}/requests`, { kind: "success", message });
  });
}
