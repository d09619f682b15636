import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { SecretText } from "#app/components/account/api-keys/secret-text.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { issuePrivateFeed } from "#app/domain/syndication/commands/private-feeds.server.ts";
import { feedOfSubscription } from "#app/domain/syndication/queries/feeds.server.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { mintFeedToken, privateFeedPath } from "#app/http/public-pages/feeds.server.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/feed.ts";

const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Feed particular · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const asked = { personId: context.get(memberContext).id, username: params.username };
  const { name, username, feedSince } = foundOr404(
    await feedOfSubscription(context.get(domainContext), asked),
    "O feed particular é de quem assina esta página.",
  );
  return { name, username, since: feedSince && formatDay(feedSince) };
}

type Made = { made: { rss: string; atom: string; json: string } };

/** Creates the addresses. Only the answer to this form shows them. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return handleForm(request, NO_FIELDS, async (): Promise<Made> => {
    const ctx = context.get(domainContext);
    const { token, tokenHash } = await mintFeedToken();
    await issuePrivateFeed(ctx, {
      personId: context.get(memberContext).id,
      username: params.username,
      tokenHash,
    });
    const at = (file: "rss.xml" | "atom.xml" | "feed.json") =>
      ctx.settings.appOrigin + privateFeedPath(token, file);
    return { made: { rss: at("rss.xml"), atom: at("atom.xml"), json: at("feed.json") } };
  });
}

export default function PrivateFeed({
  loaderData: { name, username, since },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  if (actionData && "made" in actionData) return <MadeFeed name={name} {...actionData.made} />;
  return (
    <>
      <AccountCrumb to="/settings/feeds">Feeds particulares</AccountCrumb>
      <PageHeader
        title={`Feed particular de ${name}`}
        lead="Tudo o que a sua assinatura abre, no seu tocador de podcasts ou leitor de feeds."
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <p>
          {since
            ? `Você tem um endereço desde ${since}. Ele só aparece quando é criado; se o perdeu, gere outro, e o de agora para de funcionar.`
            : "O endereço é só seu: quem o tiver lê e ouve no seu lugar. Ele para de funcionar quando a assinatura terminar."}
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <Button disabled={isBusy}>{since ? "Gerar outro endereço" : "Gerar endereço"}</Button>
          {since ? (
            <ButtonLink to={`/settings/feeds/${username}/revocation`} variant="outline">
              Desligar
            </ButtonLink>
          ) : null}
        </Form>
      </Card>
    </>
  );
}

function MadeFeed({ name, rss, atom, json }: Made["made"] & { name: string }) {
  return (
    <>
      <PageHeader
        title="Copie o seu endereço agora"
        lead={`É a única vez que o feed particular de ${name} aparece: não guardamos o endereço.`}
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <SecretText label="Endereço do feed (RSS)" copyLabel="Copiar endereço" text={rss} />
        <p className="text-small text-muted">
          Cole no seu tocador de podcasts, em “Adicionar por endereço”. Não o passe a ninguém: quem
          o tiver lê e ouve no seu lugar.
        </p>
        <details className="rounded-field border border-line px-4">
          <summary className="flex min-h-12 items-center font-semibold">
            Outros formatos: Atom e JSON Feed
          </summary>
          <div className="flex flex-col gap-4 pb-4">
            <SecretText label="Endereço do feed (Atom)" copyLabel="Copiar Atom" text={atom} />
            <SecretText
              label="Endereço do feed (JSON Feed)"
              copyLabel="Copiar JSON Feed"
              text={json}
            />
          </div>
        </details>
        <ButtonLink to="/settings/feeds" className="self-start">
          Já guardei
        </ButtonLink>
      </Card>
    </>
  );
}
