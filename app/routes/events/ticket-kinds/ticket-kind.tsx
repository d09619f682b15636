import { Form } from "react-router";
import { z } from "zod";
import { TicketKindForm } from "#app/components/events/ticket-kinds/ticket-kind-form.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { updateTicketKind } from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { ticketKindsOf } from "#app/domain/events/tickets/queries/ticket-kinds.server.ts";
import { wallTimeOf, wallTimeText } from "#app/domain/events/times/rules/wall-time.ts";
import { ticketKindSchema } from "#app/domain/events/schema.ts";
import { scopeSchema } from "#app/domain/events/series/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { KIND_MISSING, ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/ticket-kind.ts";

export const meta: Route.MetaFunction = () => [{ title: "Editar ingresso · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const ctx = args.context.get(domainContext);
  const { event } = await ownEvent(args, "plans:edit");
  const kinds = await ticketKindsOf(ctx, { eventId: event.id });
  const kind = foundOr404(
    kinds.find(({ id, retiredAt }) => id === args.params.kindId && retiredAt === null),
    KIND_MISSING,
  );
  const wall = (at: number | null): string =>
    at === null ? "" : wallTimeText(wallTimeOf(at, event.timeZone));
  return {
    name: kind.name,
    title: event.title,
    /** Left the sale at once, with a way back. */
    leavesAtOnce: event.seriesId === null && event.status !== "draft",
    timeZone: event.timeZone,
    scopeLegend: event.seriesId === null ? null : "Mudar em quais datas",
    feeBasisPoints: ctx.settings.feeBasisPoints,
    values: {
      name: kind.name,
      price: kind.priceCents === 0 ? "" : (kind.priceCents / 100).toFixed(2).replace(".", ","),
      kindCapacity: kind.capacity === null ? "" : String(kind.capacity),
      saleStartsAt: wall(kind.saleStartsAt),
      saleEndsAt: wall(kind.saleEndsAt),
    },
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
      await updateTicketKind(context.get(domainContext), {
        eventId: params.id,
        kindId: params.kindId,
        creatorId: space.personId,
        ...form,
      });
      return redirectWithToast(request, `/events/${params.id}/ticket-kinds`, {
        kind: "success",
        message: "Tipo de ingresso salvo.",
      });
    },
  );
}

export default function TicketKind({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, leavesAtOnce, ...form } = loaderData;
  const kinds = `/events/${params.id}/ticket-kinds`;
  return (
    <>
      <PageHeader title="Editar ingresso" lead={title}>
        <ButtonLink to={kinds} variant="outline" size="sm">
          Voltar
        </ButtonLink>
        {leavesAtOnce ? (
          <Form method="post" action={`${kinds}/${params.kindId}/retirement`}>
            <ActingField />
            <Button variant="ghost" size="sm">
              Tirar de venda
            </Button>
          </Form>
        ) : (
          <ButtonLink to={`${kinds}/${params.kindId}/retirement`} variant="ghost" size="sm">
            Tirar de venda
          </ButtonLink>
        )}
      </PageHeader>
      <Card className="p-5 sm:p-6">
        <TicketKindForm {...form} problem={actionData} submitLabel="Salvar alterações" />
      </Card>
    </>
  );
}
