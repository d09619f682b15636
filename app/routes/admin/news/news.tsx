import { Form, Link, redirect, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import {
  formatTermsVersion,
  TERMS_VERSION,
} from "#app/domain/identity/registration/rules/terms.ts";
import { draftNews } from "#app/domain/product-news/commands.server.ts";
import { newestNews, termsAnnouncedAt } from "#app/domain/product-news/queries.server.ts";
import { canAnnounceTerms, NEWS_TEXT_MAX, termsApplyAt } from "#app/domain/product-news/rules.ts";
import { productNewsSchema } from "#app/domain/product-news/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { Route } from "./+types/news.ts";

const LIMIT = 50;

export const meta: Route.MetaFunction = () => [{ title: "Novidades do Coreto · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const [items, announcedAt] = await Promise.all([
    newestNews(ctx, { limit: LIMIT }),
    termsAnnouncedAt(ctx, { version: TERMS_VERSION }),
  ]);
  return {
    terms: {
      from: formatTermsVersion(TERMS_VERSION),
      announced: announcedAt === null ? null : formatMinute(announcedAt),
      canAnnounce: canAnnounceTerms(TERMS_VERSION, ctx.now()),
      apply: ctx.now() >= termsApplyAt(TERMS_VERSION),
    },
    items: items.map(({ id, text, sentAt }) => ({
      id,
      text,
      state: sentAt === null ? "Rascunho" : `Enviada em ${formatMinute(sentAt)}`,
    })),
  };
}

/** Stores a draft and shows it as people would see it. */
export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, productNewsSchema, async (written) => {
    const { id } = await draftNews(context.get(domainContext), {
      staffId: context.get(memberContext).id,
      ...written,
    });
    return redirect(`/admin/news/${id}`);
  });
}

/** What staff told everybody about Coreto, and the form for the next piece of news. */
export default function News({ loaderData: { items, terms }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Novidades do Coreto"
        lead="Um aviso na lista de notificações de quem tem conta e não desligou as novidades. No máximo um por dia."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5" noValidate>
          <FormMessage message={actionData?.message} />
          <TextArea
            label="Novidade"
            name="text"
            rows={3}
            limit={NEWS_TEXT_MAX}
            defaultValue={actionData?.values["text"]}
            error={actionData?.errors["text"]}
            hint="Uma frase: o que muda para quem lê."
          />
          <TextField
            label="Leva à página"
            name="path"
            defaultValue={actionData?.values["path"] ?? "/ajuda"}
            error={actionData?.errors["path"]}
            hint="O endereço a partir da barra."
          />
          <Button className="self-start" disabled={isBusy}>
            Ver como fica
          </Button>
        </Form>
      </Card>
      {items.length === 0 ? (
        <EmptyState title="Nenhuma novidade ainda">O que você enviar fica listado aqui.</EmptyState>
      ) : (
        <Card className="overflow-hidden">
          <ul aria-label="Novidades" className="divide-y divide-line">
            {items.map(({ id, text, state }) => (
              <li key={id} className="flex flex-col gap-1 px-5 py-4">
                <Link to={`/admin/news/${id}`} className="font-semibold [overflow-wrap:anywhere]">
                  {text}
                </Link>
                <span className="text-small text-muted">{state}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <TermsCard {...terms} />
    </>
  );
}

type Terms = Route.ComponentProps["loaderData"]["terms"];

/** From when the newest terms apply, and whether everybody was told. */
function TermsCard({ from, announced, canAnnounce, apply }: Terms) {
  return (
    <Card as="section" label="Termos de uso" className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-heading">Termos de uso</h2>
      <p>
        {apply ? "Valem desde" : "Os termos novos valem a partir de"} {from}.{" "}
        {announced === null
          ? "Ninguém recebeu um aviso desta versão."
          : `Todas as contas foram avisadas em ${announced}.`}
      </p>
      {announced !== null || apply ? null : canAnnounce ? (
        <ButtonLink to="/admin/news/terms" variant="outline" className="self-start">
          Avisar dos termos novos
        </ButtonLink>
      ) : (
        <p className="text-small text-muted">
          Eles prometem 15 dias de antecedência, e falta menos que isso: adie a data da versão antes
          de avisar.
        </p>
      )}
    </Card>
  );
}
