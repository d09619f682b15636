import { Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { nameTicket } from "#app/domain/events/tickets/commands/holder.server.ts";
import { HOLDER_NAME_MAX, shownTicketCode } from "#app/domain/events/rules.ts";
import { holderNameSchema } from "#app/domain/events/schema/names.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberTicket } from "./member-ticket.server.ts";
import type { Route } from "./+types/ticket-name.ts";

export const meta: Route.MetaFunction = () => [{ title: "Nome no ingresso · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event, ticket } = await memberTicket(args);
  return {
    title: event.title,
    code: shownTicketCode(ticket.code),
    name: ticket.holderName ?? "",
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, holderNameSchema, async ({ name }) => {
    await nameTicket(context.get(domainContext), {
      eventId: params.id,
      seatId: params.seatId,
      personId,
      name,
    });
    return redirectWithToast(request, `/events/${params.id}/ticket`, {
      kind: "success",
      message: "Nome salvo. O QR code continua o mesmo.",
    });
  });
}

export default function TicketName({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, code, name } = loaderData;
  return (
    <>
      <PageHeader title="Nome no ingresso" lead={title} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-4" noValidate>
          <FormMessage message={actionData?.message} />
          <p>
            Ingresso <span className="font-mono">{code}</span>. Quem organiza vê este nome na
            entrada.
          </p>
          <TextField
            label="Nome"
            name="name"
            autoComplete="off"
            limit={HOLDER_NAME_MAX}
            defaultValue={actionData?.values["name"] ?? name}
            error={actionData?.errors["name"]}
            required={false}
            hint="Em branco, vale o seu nome."
          />
          <div className="flex flex-wrap gap-2">
            <Button>Salvar nome</Button>
            <ButtonLink to={`/events/${params.id}/ticket`} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
