import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/register-code-send.ts";

const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Enviar código · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const pending = await embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).registration.waitingRegistration();
  if (!pending?.email || pending.isEmailProven) throw redirect("/auth/register");
  return { email: pending.email };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { env, ctx: execution } = context.get(cloudflareContext);
  const asked = {
    env,
    ctx: context.get(domainContext),
    request,
    waitUntil: (work: Promise<unknown>) => execution.waitUntil(work),
  };
  return handleForm(request, NO_FIELDS, async () => {
    const { email } = await asIdentityUnavailable(asked.ctx, () =>
      embedded(asked).registration.resendCode(asked),
    );
    return redirectWithToast(request, "/auth/register/code", {
      kind: "success",
      message: `Código enviado para ${email}.`,
    });
  });
}

export default function SendRegistrationCode({
  loaderData: { email },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <>
      <h1 className="text-title">Enviar outro código</h1>
      <p className="mt-1 text-muted wrap-anywhere">
        Para {email}, com 6 dígitos e um link. O anterior deixa de valer.
      </p>
      <Form method="post" className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <div className="flex flex-wrap gap-3">
          <Button disabled={isBusy}>Enviar código</Button>
          <ButtonLink to="/auth/register/code" variant="outline">
            Já tenho um código
          </ButtonLink>
        </div>
      </Form>
    </>
  );
}
