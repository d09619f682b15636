import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import type { Context } from "#app/domain/context.ts";
import { loadDocumentStatus } from "#app/domain/documents/queries.server.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import {
  googleCalendarUrl,
  outlookCalendarUrl,
} from "#app/domain/events/calendar/rules/calendar-file.ts";
import type { eventSchema, EventInput, EventView } from "#app/domain/events/schema.ts";
import { uploadBytes } from "#app/domain/media/commands.server.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";

type Routed = { context: Readonly<RouterContextProvider>; params: { id: string } };

export const EVENT_MISSING = "Não encontramos este evento.";
export const REQUEST_MISSING = "Este pedido não está mais aqui.";
export const QUESTION_MISSING = "Não encontramos esta pergunta.";
export const KIND_MISSING = "Não encontramos este tipo de ingresso.";

/** Loads an event as the member sees it; 404 if it is hidden from them. */
export async function memberEvent({ context, params }: Routed): Promise<EventView> {
  return foundOr404(
    await eventFor(context.get(domainContext), {
      eventId: params.id,
      viewerId: context.get(memberContext).id,
    }),
    EVENT_MISSING,
  );
}

/**
 * Loads an event of the page that the member acts for. Who sets prices needs what sets those of
 * plans.
 */
export async function ownEvent(
  { context, params }: Routed,
  permission: "events:manage" | "plans:edit" = "events:manage",
): Promise<{ event: EditableEvent; actor: Actor }> {
  const actor = requireActor({ context }, permission);
  const event = await editableEvent(context.get(domainContext), {
    eventId: params.id,
    creatorId: actor.space.personId,
  });
  return { event: foundOr404(event, EVENT_MISSING), actor };
}

/** Runs `act` on the event of the page that the member acts for, and answers with `done`. */
export function actOnEvent(
  { request, context, params }: Routed & { request: Request },
  act: (ctx: Context, event: { eventId: string; creatorId: string }) => Promise<unknown>,
  done: () => Promise<Response>,
) {
  return submitForSpace(
    { request, context },
    "events:manage",
    z.object({}),
    async (_, { space }) => {
      await act(context.get(domainContext), { eventId: params.id, creatorId: space.personId });
      return done();
    },
  );
}

/** Converts the form of an event to the input of the commands. */
export async function eventInputOf(form: z.output<typeof eventSchema>): Promise<EventInput> {
  const { cover, revision: _, publish: __, ...input } = form;
  return { ...input, cover: cover ? { bytes: await uploadBytes(cover, "cover") } : null };
}

/** The plans that an event may be for. */
export async function eventPlans(ctx: Context, { creatorId }: { creatorId: string }) {
  const plans = await plansOfCreator(ctx, { creatorId, states: ["active", "archived"] });
  return plans.map(({ id, name }) => ({ id, name }));
}

/** Says why nothing with a price is sold yet, or null: a seller needs approved documents. */
export async function sellingNotice(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<string | null> {
  const { documents } = await loadDocumentStatus(ctx, { personId: creatorId });
  return canSell(documents, ctx.now())
    ? null
    : "Para vender ingressos, envie os seus documentos. Até lá, só os grátis podem ser pegos.";
}

/** The addresses of "Adicionar à agenda". The link of an online event stays with its ticket. */
export function calendarUrls(
  event: Pick<EventView, "title" | "startsAt" | "endsAt" | "place">,
  { fileUrl, pageUrl }: { fileUrl: string; pageUrl: string },
) {
  const linked = { ...event, details: pageUrl };
  return {
    fileUrl,
    googleUrl: googleCalendarUrl(linked),
    outlookUrl: outlookCalendarUrl(linked),
  };
}
