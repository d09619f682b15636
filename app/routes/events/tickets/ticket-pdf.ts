import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { publicEventPath, shownTicketCode } from "#app/domain/events/rules.ts";
import { eventMomentText, zoneText } from "#app/domain/events/times/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { pdfResponse } from "#app/http/files/document-pdf.server.ts";
import { ticketPdf } from "#app/http/files/ticket-pdf.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import { memberEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/ticket-pdf.ts";

/** Returns the member's valid tickets as a PDF; 404 without one. */
export async function loader(args: Route.LoaderArgs) {
  const ctx = args.context.get(domainContext);
  const member = args.context.get(memberContext);
  const event = await memberEvent(args);
  const own =
    event.status === "published"
      ? await ticketsOf(ctx, { eventId: event.id, personId: member.id })
      : [];
  const tickets = foundOr404(own.length > 0 ? own : null, "Você não tem vaga neste evento.");
  const bytes = await ticketPdf(
    {
      title: event.title,
      creatorName: event.creatorName,
      when: `${eventMomentText(event.startsAt, event.timeZone)}, ${zoneText(event.startsAt, event.timeZone)}`,
      place: event.place,
      url: ctx.settings.appOrigin + publicEventPath(event.creatorUsername, event.id),
    },
    tickets.map(({ code, holderName, kindName }) => ({
      code: shownTicketCode(code),
      name: holderName ?? member.name,
      kindName,
      qr: qrDrawing(code),
    })),
    { at: ctx.now(), seed: event.creatorUsername },
  );
  return pdfResponse(bytes, "coreto-ingresso");
}
