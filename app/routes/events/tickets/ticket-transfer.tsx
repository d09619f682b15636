import { Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { shownTicketCode } from "#app/domain/events/rules.ts";
import { offerTicket } from "#app/domain/events/transfers/commands.server.ts";
import { transferSchema } from "#app/domain/events/transfers/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberTicket } from "./member-ticket.server.ts";
import type { Route } from "./+types/ticket-transfer.ts";

export const meta: Route.MetaFunction = () => [{ title: "Passar adiante · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event, ticket } = await memberTicket(args);
  const { code, orderId, transfer } = ticket;
  return {
    title: event.title,
    code: shownTicketCode(code),
    isPaid: orderId !== null,
    passingTo: transfer?.to ?? null,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, transferSchema, async ({ to }) => {
    await offerTicket(context.get(domainContext), {
      eventId: params.id,
      seatId: params.seatId,
      personId,
      to,
    });
    return redirectWithToast(request, `/events/${params.id}/ticket`, {
      kind: "success",
      message:
        "username" in to
          ? `Avisamos @${to.username}. O ingresso é seu até a pessoa aceitar.`
          : "Mandamos o link por e-mail. O ingresso é seu até a pessoa aceitar.",
    });
  });
}

export default function TicketTransfer({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, code, isPaid, passingTo } = loaderData;
  const back = (
    <ButtonLink to={`/events/${params.id}/ticket`} variant="outline">
      Voltar
    </ButtonLink>
  );
  return (
    <>
      <PageHeader title="Passar adiante" lead={title} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <p>
          Ingresso <span className="font-mono">{code}</span>. Quando a pessoa aceitar, ele passa a
          ser dela, e o seu QR code deixa de valer.
          {isPaid ? " Se o dinheiro for devolvido, ele volta para quem pagou." : ""}
        </p>
        {passingTo === null ? (
          <Form method="post" className="flex flex-col gap-4" noValidate>
            <TextField
              label="Para quem"
              name="to"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="@bia"
              defaultValue={actionData?.values["to"]}
              error={actionData?.errors["to"]}
              required
              hint="Nome de usuário no Coreto, ou um e-mail: mandamos um link que uma pessoa aceita."
            />
            <div className="flex flex-wrap gap-2">
              <Button>Passar ingresso</Button>
              {back}
            </div>
          </Form>
        ) : (
          <>
            <p className="font-medium wrap-anywhere">Esperando {passingTo} aceitar.</p>
            <div className="flex flex-wrap gap-2">
              <Form
                method="post"
                action={`/events/${params.id}/tickets/${params.seatId}/withdrawal`}
              >
                <Button variant="danger">Desistir de passar</Button>
              </Form>
              {back}
            </div>
          </>
        )}
      </Card>
    </>
  );
}
