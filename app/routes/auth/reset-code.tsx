import { Form, redirect, useNavigation } from "react-router";
import { CodeField } from "#app/components/account/sign-in/code-field.tsx";
import { NewPasswordField } from "#app/components/account/sign-in/new-password-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { resetByCodeSchema } from "#app/domain/identity/account/schema.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/reset-code.ts";

export const meta: Route.MetaFunction = () => [{ title: "Nova senha · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const identifier = await embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).passwordReset.resetWaiting();
  if (identifier === null) throw redirect("/auth/reset");
  return { identifier };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, resetByCodeSchema, async (input) => {
    await asIdentityUnavailable(asked.ctx, () => embedded(asked).passwordReset.resetByCode(input));
    return redirectWithToast(request, "/auth/login", {
      kind: "success",
      message: "Senha nova criada. Agora entre com ela.",
    });
  });
}

export default function ResetByCode({
  loaderData: { identifier },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <h1 className="text-title">Nova senha</h1>
      <p className="mt-1 text-muted wrap-anywhere">
        Se {identifier} tem uma conta, o código já está a caminho. Ele vale por 10 minutos, neste
        navegador.
      </p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <input type="hidden" name="username" autoComplete="username" value={identifier} />
        <CodeField defaultValue={actionData?.values.code} error={actionData?.errors.code} />
        <NewPasswordField label="Nova senha" error={actionData?.errors.password} />
        <Button size="lg" disabled={isBusy}>
          Criar nova senha
        </Button>
      </Form>
      <Form method="post" action="/auth/reset" className="mt-4">
        <input type="hidden" name="identifier" value={identifier} />
        <Button variant="outline" disabled={isBusy}>
          Enviar outro código
        </Button>
      </Form>
    </>
  );
}
