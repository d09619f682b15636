import { Form, Link, redirect, useNavigation } from "react-router";
import { CodeField } from "#app/components/account/sign-in/code-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { verifyCodeSchema } from "#app/domain/identity/account/schema.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { finishRegistration } from "#app/http/identity/after-registration.server.ts";
import { registrationSubmitLabel } from "#app/http/checkout/texts.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import type { Route } from "./+types/register-code.ts";

export const meta: Route.MetaFunction = () => [{ title: "Confirmar e-mail · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  if (context.get(viewerContext)) throw redirect("/");
  const pending = await embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).registration.waitingRegistration();
  if (!pending) throw redirect("/auth/register");
  if (pending.isEmailProven || pending.email === null) throw redirect("/auth/register/profile");
  return {
    email: pending.email,
    cartPath: pending.cart === null ? null : pending.returnTo,
    button: registrationSubmitLabel(pending.cart),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, verifyCodeSchema, async (input) =>
    finishRegistration(
      asked,
      await asIdentityUnavailable(asked.ctx, () => embedded(asked).registration.proveByCode(input)),
    ),
  );
}

export default function RegisterCode({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <h1 className="text-title">Confirme o seu e-mail</h1>
      <p className="mt-1 text-muted wrap-anywhere">
        Enviamos um código para {loaderData.email}. Ele vale por 10 minutos, neste navegador.
      </p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <CodeField defaultValue={actionData?.values.code} error={actionData?.errors.code} />
        <Button size="lg" disabled={isBusy}>
          {loaderData.button}
        </Button>
      </Form>
      <Form method="post" action="/auth/register/code/send" className="mt-4">
        <Button variant="outline" disabled={isBusy}>
          Enviar outro código
        </Button>
      </Form>
      <p className="mt-6 text-muted">
        E-mail errado?{" "}
        <Link
          to={loaderData.cartPath ?? "/auth/register/profile"}
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          Corrigir
        </Link>
      </p>
    </>
  );
}
