import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { sendNews } from "#app/domain/product-news/commands.server.ts";
import { newsItem } from "#app/domain/product-news/queries.server.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/news-item.ts";

export const meta: Route.MetaFunction = () => [{ title: "Novidade · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { id, text, path, sentAt } = foundOr404(
    await newsItem(context.get(domainContext), { id: params.id }),
    "Não encontramos esta novidade. Ela pode ter sido descartada.",
  );
  return { id, text, path, sent: sentAt === null ? null : formatMinute(sentAt) };
}

/** Sends the draft to everybody. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await sendNews(context.get(domainContext), {
      id: params.id,
      staffId: context.get(memberContext).id,
    });
    return await redirectWithToast(request, "/admin/news", {
      kind: "success",
      message: "A novidade está a caminho.",
    });
  });
}

/** One piece of news as people see it in their list, and the buttons to send or discard it. */
export default function NewsItem({
  loaderData: { id, text, path, sent },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title={sent === null ? "Como fica" : "Novidade enviada"}
        lead={sent === null ? "Assim ela aparece em Notificações." : `Enviada em ${sent}.`}
      >
        <ButtonLink to="/admin/news" variant="outline" size="sm">
          Todas as novidades
        </ButtonLink>
      </PageHeader>
      <Card className="flex flex-col gap-1 p-5 sm:p-6">
        <p className="font-semibold [overflow-wrap:anywhere]">{text}</p>
        <p className="text-small text-muted [overflow-wrap:anywhere]">Leva a {path}</p>
      </Card>
      {sent === null ? (
        <>
          <FormMessage message={actionData?.message} />
          <div className="flex flex-wrap gap-3">
            <Form method="post">
              <Button disabled={isBusy}>Enviar para todos</Button>
            </Form>
            <ButtonLink to={`/admin/news/${id}/discard`} variant="outline">
              Descartar
            </ButtonLink>
          </div>
          <p className="text-small text-muted">Depois de enviada, ela não muda nem volta.</p>
        </>
      ) : null}
    </>
  );
}
