import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { discardNews } from "#app/domain/product-news/commands.server.ts";
import { newsItem } from "#app/domain/product-news/queries.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/news-discard.ts";

export const meta: Route.MetaFunction = () => [{ title: "Descartar novidade · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { text } = foundOr404(
    await newsItem(context.get(domainContext), { id: params.id }),
    "Não encontramos esta novidade. Ela pode ter sido descartada.",
  );
  return { text };
}

/** Deletes a draft. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await discardNews(context.get(domainContext), { id: params.id });
    return await redirectWithToast(request, "/admin/news", {
      kind: "success",
      message: "Novidade descartada.",
    });
  });
}

/** Asks first: nothing else has the text. */
export default function NewsDiscard({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Descartar novidade"
      title={loaderData.text}
      means="O rascunho some. Ninguém chegou a receber."
      button={<Button>Descartar</Button>}
      backTo={`/admin/news/${params.id}`}
      message={actionData?.message}
    />
  );
}
