import { z } from "zod";
import { TicketKindForm } from "#app/components/events/ticket-kinds/ticket-kind-form.tsx";
import { kindSaleText } from "#app/components/events/ticket-kinds/ticket-kind-text.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { createTicketKind } from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { ticketKindsOf } from "#app/domain/events/tickets/queries/ticket-kinds.server.ts";
import { refundRuleText } from "#app/domain/events/rules/tickets.ts";
import { ticketKindSchema } from "#app/domain/events/schema.ts";
import { scopeSchema } from "#app/domain/events/series/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { counted } from "#app/domain/text.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent, sellingNotice } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/ticket-kinds.ts";

const EMPTY = {};

export const meta: Route.MetaFunction = () => [{ title: "Ingressos · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const ctx = args.context.get(domainContext);
  const { event, actor } = await ownEvent(args, "plans:edit");
  const { id, title, status, timeZone, capacity, refundHours, seriesId } = event;
  return {
    event: { id, title, status, timeZone, capacity, refundHours },
    isRepeating: seriesId !== null,
    kinds: await ticketKindsOf(ctx, { eventId: id }),
    now: ctx.now(),
    feeBasisPoints: ctx.settings.feeBasisPoints,
    notice: await sellingNotice(ctx, { creatorId: actor.space.personId }),
  };
}

export async function action(args: Route.ActionArgs) {
  const { request, context, params } = args;
  const { event } = await ownEvent(args, "plans:edit");
  return submitForSpace(
    { request, context },
    "plans:edit",
    z.intersection(ticketKindSchema(event.timeZone), scopeSchema),
    async (form, { space }) => {
      await createTicketKind(context.get(domainContext), {
        eventId: params.id,
        creatorId: space.personId,
        ...form,
      });
      return redirectWithToast(request, `/events/${params.id}/ticket-kinds`, {
        kind: "success",
        message: "Tipo de ingresso criado.",
      });
    },
  );
}

export default function TicketKinds({ loaderData, actionData }: Route.ComponentProps) {
  const { event, kinds, now, feeBasisPoints, notice, isRepeating } = loaderData;
  const isChangeable = event.status !== "canceled";
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Ingressos" lead={event.title}>
        <ButtonLink to={`/events/${event.id}`} variant="outline" size="sm">
          Ver o evento
        </ButtonLink>
      </PageHeader>
      {notice ? (
        <Card className="flex flex-col items-start gap-3 p-5">
          <p className="font-medium">{notice}</p>
          <ButtonLink to="/settings/documents" variant="outline" size="sm">
            Ver os meus documentos
          </ButtonLink>
        </Card>
      ) : null}
      {kinds.length === 0 ? (
        <p>
          Sem tipos de ingresso, as vagas são de graça. Com o primeiro tipo, cada pessoa escolhe o
          seu ingresso, e quem paga passa pelo pagamento do Coreto.
        </p>
      ) : (
        <KindList kinds={kinds} event={event} now={now} />
      )}
      <p className="text-small text-muted">
        {refundRuleText(event.refundHours)} O que você vende é repassado a partir de um dia depois
        do fim do evento. Se você cancelar o evento, todos recebem tudo de volta.
      </p>
      {isChangeable ? (
        <Card as="section" label="Novo tipo de ingresso" className="flex flex-col gap-4 p-5 sm:p-6">
          <h2 className="text-heading">Novo tipo de ingresso</h2>
          <TicketKindForm
            key={kinds.length}
            values={EMPTY}
            timeZone={event.timeZone}
            feeBasisPoints={feeBasisPoints}
            problem={actionData}
            submitLabel="Criar tipo de ingresso"
            scopeLegend={isRepeating ? "Para quais datas" : null}
          />
        </Card>
      ) : null}
    </div>
  );
}

type KindsData = Route.ComponentProps["loaderData"];

/** The kinds of the event with what was sold of each. */
function KindList({ kinds, event, now }: Pick<KindsData, "kinds" | "event" | "now">) {
  return (
    <ul className="flex flex-col gap-3">
      {kinds.map((kind) => (
        <Card as="li" key={kind.id} className="flex flex-wrap items-center gap-3 p-5">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <p className="font-semibold wrap-anywhere">
              {kind.name}: {kind.priceCents === 0 ? "grátis" : formatMoney(kind.priceCents)}
            </p>
            <p className="text-small text-muted">
              {counted(kind.seatsTaken, "vaga ocupada", "vagas ocupadas")}
              {kind.capacity === null ? "" : ` de ${kind.capacity}`}
              {kind.seatsHeld > 0 ? `, e ${kind.seatsHeld} em pagamento` : ""}
              {". "}
              {kindSaleText(kind, event.timeZone, now)}
            </p>
          </div>
          {kind.retiredAt !== null ? (
            <Badge>Fora de venda</Badge>
          ) : event.status !== "canceled" ? (
            <ButtonLink
              to={`/events/${event.id}/ticket-kinds/${kind.id}`}
              variant="outline"
              size="sm"
              aria-label={`Editar ${kind.name}`}
            >
              Editar
            </ButtonLink>
          ) : null}
        </Card>
      ))}
    </ul>
  );
}
