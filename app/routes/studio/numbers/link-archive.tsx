import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { archiveLink } from "#app/domain/analytics/links/commands.server.ts";
import { countedLinks } from "#app/domain/analytics/links/queries.server.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { INVITATION_SLUG } from "#app/lib/link-mark.ts";
import type { Route } from "./+types/link-archive.ts";

export const meta: Route.MetaFunction = () => [{ title: "Arquivar link · Coreto" }];

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const creatorId = requireActor({ context }, "posts:publish").space.personId;
  const ctx = context.get(domainContext);
  const range = { from: 0, until: 0 };
  const [link] =
    slug === INVITATION_SLUG ? [] : await countedLinks(ctx, { creatorId, range, slug });
  const { name, archivedAt } = foundOr404(link ?? null, "Não encontramos este link.");
  return { name, isArchived: archivedAt !== null };
}

const wanted = z.enum(["true", "false"]).optional();
const schema = z.object({ archived: wanted });

export async function action({ request, context, params: { slug } }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "posts:publish",
    schema,
    async ({ archived }, { space }) => {
      // "Desfazer" sends no fields: what it wants is in its address.
      const asked = archived ?? new URL(request.url).searchParams.get("archived");
      const isArchived = asked !== "false";
      await archiveLink(context.get(domainContext), {
        creatorId: space.personId,
        slug,
        isArchived,
      });
      return await redirectWithToast(request, `/analytics/links/${slug}`, {
        kind: "success",
        message: isArchived ? "Link arquivado." : "O link conta de novo.",
        undo: `/analytics/links/${slug}/archive?archived=${!isArchived}`,
      });
    },
  );
}

/** Archives a link, or takes it back. */
export default function LinkArchive({ loaderData, actionData, params }: Route.ComponentProps) {
  const { name, isArchived } = loaderData;
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title={isArchived ? `Contar ${name} de novo?` : `Arquivar ${name}?`} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p>
          {isArchived
            ? "O que chegar por ele conta outra vez, a partir de agora."
            : "O endereço continua a abrir a sua página, mas o que chegar por ele não conta mais. O que ele já trouxe fica nos seus números."}
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          <FormMessage message={actionData?.message} />
          <input type="hidden" name="archived" value={String(!isArchived)} />
          <Button disabled={isBusy}>{isArchived ? "Contar de novo" : "Arquivar link"}</Button>
          <ButtonLink to={`/analytics/links/${params.slug}`} variant="outline">
            Voltar
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
