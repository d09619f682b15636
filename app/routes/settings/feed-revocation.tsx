import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { revokePrivateFeed } from "#app/domain/syndication/commands/private-feeds.server.ts";
import { feedOfSubscription } from "#app/domain/syndication/queries/feeds.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/feed-revocation.ts";

const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Desligar feed particular · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const asked = { personId: context.get(memberContext).id, username: params.username };
  const { name, username } = foundOr404(
    await feedOfSubscription(context.get(domainContext), asked),
    "O feed particular é de quem assina esta página.",
  );
  return { name, username };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return handleForm(request, NO_FIELDS, async () => {
    await revokePrivateFeed(context.get(domainContext), {
      personId: context.get(memberContext).id,
      username: params.username,
    });
    return redirectWithToast(request, "/settings/feeds", {
      kind: "success",
      message: "Feed desligado. O endereço já não abre nada.",
    });
  });
}

export default function RevokeFeed({
  loaderData: { name, username },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const back = `/settings/feeds/${username}`;
  return (
    <>
      <AccountCrumb to={back}>{name}</AccountCrumb>
      <PageHeader
        title="Desligar este feed?"
        lead="O endereço para de abrir na hora, em todos os aparelhos. Você pode gerar outro quando quiser."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Desligar feed
          </Button>
          <ButtonLink to={back} variant="outline">
            Manter
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
