import { Form } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { cancelSeats } from "#app/domain/events/commands/seats.server.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { shownTicketCode } from "#app/domain/events/rules.ts";
import { quoted } from "#app/domain/text.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberEvent } from "./event-page.server.ts";
import type { Route } from "./+types/seat-cancellation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Cancelar minha vaga · Coreto" }];

/** Empty for all of them. */
const schema = z.object({
  seatId: z
    .string()
    .regex(/^[0-9a-f]{0,64}$/)
    .default("")
    .transform((id) => (id === "" ? undefined : id)),
});

export async function loader(args: Route.LoaderArgs) {
  const { id, title, status } = await memberEvent(args);
  const tickets = await ticketsOf(args.context.get(domainContext), {
    eventId: id,
    personId: args.context.get(memberContext).id,
  });
  return {
    title,
    tickets:
      status === "published" ? tickets.filter(({ checkedInAt }) => checkedInAt === null) : [],
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, schema, async ({ seatId }) => {
    await cancelSeats(context.get(domainContext), { eventId: params.id, personId, seatId });
    return redirectWithToast(request, `/events/${params.id}`, {
      kind: "success",
      message: seatId ? "Vaga cancelada." : "Você não vai mais. A vaga passou adiante.",
    });
  });
}

export default function SeatCancellation({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, tickets } = loaderData;
  return (
    <>
      <PageHeader title="Cancelar minha vaga" />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <p>
          {tickets.length === 0
            ? `Você não tem vaga que possa cancelar em ${quoted(title)}.`
            : `${quoted(title)}. A sua vaga passa para quem espera na fila, e o ingresso deixa de valer.`}
        </p>
        <Form method="post" className="flex flex-col gap-4">
          {tickets.length > 1 ? (
            <Choices
              legend="Quais"
              name="seatId"
              defaultValue=""
              options={[
                { value: "", label: "Todas" },
                ...tickets.map(({ seatId, code }) => ({
                  value: seatId,
                  label: `Só a do ingresso ${shownTicketCode(code)}`,
                })),
              ]}
            />
          ) : null}
          <div className="flex flex-wrap gap-2">
            {tickets.length > 0 ? <Button variant="danger">Cancelar minha vaga</Button> : null}
            <ButtonLink to={`/events/${params.id}`} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
