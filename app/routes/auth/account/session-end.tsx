import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { removeDevicesOfSessions } from "#app/domain/notifications/commands/devices.server.ts";
import { formatMinute } from "#app/domain/time.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { openSessions } from "#app/http/identity/session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/session-end.ts";

const NO_FIELDS = z.object({});
const GONE = "Esta sessão já terminou.";

export const meta: Route.MetaFunction = () => [{ title: "Encerrar sessão · Coreto" }];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const sessions = await openSessions({ env: context.get(cloudflareContext).env, request });
  const { id, device, createdAt, isCurrent } = foundOr404(
    sessions.find((open) => open.id === params.sessionId),
    GONE,
  );
  if (isCurrent) throw redirect("/auth/logout");
  return { session: { id, device, createdAt } };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, NO_FIELDS, async () => {
    const isEnded = await embedded(asked).account.endOneSession({ sessionId: params.sessionId });
    if (isEnded)
      await removeDevicesOfSessions(asked.ctx, {
        personId: context.get(memberContext).id,
        sessionId: params.sessionId,
      });
    return redirectWithToast(request, "/auth/account", {
      kind: isEnded ? "success" : "info",
      message: isEnded ? "Sessão encerrada." : GONE,
    });
  });
}

export default function EndSession({ loaderData: { session }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title="Encerrar esta sessão?"
        lead={`${session.device}, aberta em ${formatMinute(session.createdAt)}. Em até um minuto ela deixa de abrir a sua conta.`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Encerrar sessão
          </Button>
          <ButtonLink to="/auth/account" variant="outline">
            Manter
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
