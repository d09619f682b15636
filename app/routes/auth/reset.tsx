import { Form, Link, redirect, useNavigation } from "react-router";
import { IdentifierField } from "#app/components/account/sign-in/identifier-field.tsx";
import { useTypedIdentifier } from "#app/components/account/external-accounts/link-with-identifier.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { codeRequestSchema } from "#app/domain/identity/account/schema.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import type { Route } from "./+types/reset.ts";

export const meta: Route.MetaFunction = () => [{ title: "Esqueci minha senha · Coreto" }];

export async function action({ request, context }: Route.ActionArgs) {
  const { env, ctx: execution } = context.get(cloudflareContext);
  const asked = {
    env,
    ctx: context.get(domainContext),
    request,
    waitUntil: (work: Promise<unknown>) => execution.waitUntil(work),
  };
  return handleForm(request, codeRequestSchema, async (input) => {
    const { cookie } = await asIdentityUnavailable(asked.ctx, () =>
      embedded(asked).passwordReset.requestReset(asked, input),
    );
    return redirect("/auth/reset/code", { headers: { "Set-Cookie": cookie } });
  });
}

export default function Reset({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  const typed = useTypedIdentifier();
  useFirstError(actionData);
  return (
    <>
      <h1 className="text-title">Esqueci minha senha</h1>
      <p className="mt-1 text-muted">
        Diga como você entra na sua conta. Enviamos um código para o seu e-mail ou celular, e com
        ele você cria uma nova senha.
      </p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <IdentifierField
          defaultValue={actionData?.values.identifier ?? typed}
          error={actionData?.errors.identifier}
        />
        <Button size="lg" disabled={isBusy}>
          Enviar código
        </Button>
      </Form>
      <p className="mt-6 text-muted">
        Lembrou?{" "}
        <Link
          to="/auth/login"
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          Entrar
        </Link>
      </p>
    </>
  );
}
