import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { SecretText } from "#app/components/account/api-keys/secret-text.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { issueCalendar } from "#app/domain/events/calendar/commands.server.ts";
import { calendarSince } from "#app/domain/events/calendar/queries.server.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { mintFeedToken } from "#app/http/public-pages/feeds.server.ts";
import type { Route } from "./+types/calendar.ts";

export const meta: Route.MetaFunction = () => [{ title: "Assinar a agenda · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const since = await calendarSince(context.get(domainContext), {
    personId: context.get(memberContext).id,
  });
  return { since: since && formatDay(since) };
}

type Made = { address: string };

/** Creates the address. Only the answer to this form shows it. */
export async function action({ request, context }: Route.ActionArgs) {
  return handleForm(request, z.object({}), async (): Promise<Made> => {
    const ctx = context.get(domainContext);
    const { token, tokenHash } = await mintFeedToken();
    await issueCalendar(ctx, { personId: context.get(memberContext).id, tokenHash });
    return { address: `${ctx.settings.appOrigin}/events/calendar/${token}/coreto.ics` };
  });
}

export default function Calendar({ loaderData: { since }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  if (actionData && "address" in actionData) return <MadeCalendar {...actionData} />;
  return (
    <>
      <PageHeader
        title="Assinar a agenda"
        lead="Os eventos em que você tem vaga, sempre em dia no seu programa de agenda."
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <p>
          {since
            ? `Você tem um endereço desde ${since}. Ele só aparece quando é criado; se o perdeu, gere outro, e o de agora para de funcionar.`
            : "O endereço é só seu: quem o tiver vê os eventos em que você tem vaga, com os links. Você pode desligá-lo quando quiser."}
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <Button disabled={isBusy}>{since ? "Gerar outro endereço" : "Gerar endereço"}</Button>
          {since ? (
            <ButtonLink to="/events/calendar/revocation" variant="outline">
              Desligar
            </ButtonLink>
          ) : null}
          <ButtonLink to="/events" variant="ghost">
            Voltar aos eventos
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}

function MadeCalendar({ address }: Made) {
  return (
    <>
      <PageHeader
        title="Copie o seu endereço agora"
        lead="É a única vez que ele aparece: não guardamos o endereço."
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <SecretText label="Endereço da agenda" copyLabel="Copiar endereço" text={address} />
        <p className="text-small text-muted">
          Cole no seu programa de agenda, em “Adicionar por URL” ou “Assinar calendário”. Não o
          passe a ninguém.
        </p>
        <ButtonLink to="/events" className="self-start">
          Já guardei
        </ButtonLink>
      </Card>
    </>
  );
}
