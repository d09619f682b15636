import { Form, useNavigation } from "react-router";
import { LinkOutcomeText } from "#app/components/account/external-accounts/link-outcome.tsx";
import { NewPasswordField } from "#app/components/account/sign-in/new-password-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { resetByLinkSchema } from "#app/domain/identity/account/schema.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/reset-link.ts";

export const meta: Route.MetaFunction = () => [{ title: "Nova senha · Coreto" }];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return { outcome: await embedded(asked).passwordReset.resetLinkOutcome({ token: params.token }) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, resetByLinkSchema, async ({ password }) => {
    await asIdentityUnavailable(asked.ctx, () =>
      embedded(asked).passwordReset.resetByLink({ token: params.token, password }),
    );
    return redirectWithToast(request, "/auth/login", {
      kind: "success",
      message: "Senha nova criada. Agora entre com ela.",
    });
  });
}

export default function ResetByLink({ loaderData: { outcome }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  if (outcome !== "ready") {
    return (
      <>
        <LinkOutcomeText outcome={outcome} />
        <div className="mt-6 flex flex-wrap gap-3">
          <ButtonLink to="/auth/reset" size="lg">
            Pedir outro
          </ButtonLink>
          <ButtonLink to="/auth/login" variant="outline" size="lg">
            Entrar
          </ButtonLink>
        </div>
      </>
    );
  }
  return (
    <>
      <h1 className="text-title">Nova senha</h1>
      <p className="mt-1 text-muted">As sessões abertas em outros lugares serão encerradas.</p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message ?? actionData?.errors.code} />
        <NewPasswordField label="Nova senha" error={actionData?.errors.password} />
        <Button size="lg" disabled={isBusy}>
          Criar nova senha
        </Button>
      </Form>
    </>
  );
}
