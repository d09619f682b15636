import { Form, Link, redirect, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { EMAIL_MAX } from "#app/domain/identity/schema.ts";
import { resetRequestSchema } from "#app/domain/identity/schema/account.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { requestReset } from "#app/http/password-reset.server.ts";
import type { Route } from "./+types/reset.ts";

export const meta: Route.MetaFunction = () => [{ title: "Esqueci minha senha · Coreto" }];

export async function action({ request, context }: Route.ActionArgs) {
  const { env, ctx: execution } = context.get(cloudflareContext);
  const asked = { env, ctx: context.get(domainContext), request, waitUntil: (work: Promise<unknown>) => execution.waitUntil(work) };
  return submitted(request, resetRequestSchema, async (input) => {
    const { cookie } = await requestReset(asked, input);
    return redirect("/auth/reset/code", { headers: { "Set-Cookie": cookie } });
  });
}

export default function Reset({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <h1 className="text-title">Esqueci minha senha</h1>
      <p className="mt-1 text-muted">Diga o e-mail da sua conta. Enviamos um código para você criar uma nova senha.</p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          maxLength={EMAIL_MAX}
          defaultValue={actionData?.values.email}
          error={actionData?.errors.email}
        />
        <Button size="lg" disabled={isBusy}>
          Enviar código
        </Button>
      </Form>
      <p className="mt-6 text-muted">
        Lembrou?{" "}
        <Link to="/auth/login" className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2">
          Entrar
        </Link>
      </p>
    </>
  );
}
