import { data, Form, useNavigation } from "react-router";
import { LinkOutcomeText } from "#app/components/account/external-accounts/link-outcome.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { finishRegistration } from "#app/http/identity/after-registration.server.ts";
import { registrationSubmitLabel } from "#app/http/checkout/texts.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { refusalOf, httpStatusOf } from "#app/http/refusal.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import type { Route } from "./+types/register-link.ts";

export const meta: Route.MetaFunction = () => [{ title: "Confirmar e-mail · Coreto" }];

/** Shows a question only. Mail programs open links too, so opening the link changes nothing. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const [{ outcome }, pending] = await Promise.all([
    embedded(asked).registration.proveByLink({ token: params.token, accept: false }),
    embedded(asked).registration.waitingRegistration(),
  ]);
  return {
    outcome,
    pays: (pending?.cart ?? null) !== null,
    button: registrationSubmitLabel(pending?.cart ?? null),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  try {
    const { outcome, end } = await asIdentityUnavailable(asked.ctx, () =>
      embedded(asked).registration.proveByLink({ token: params.token, accept: true }),
    );
    return end ? await finishRegistration(asked, end) : { outcome, message: null };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return data(
      { outcome: "ready" as const, message: refusal.message },
      { status: httpStatusOf(refusal.kind) },
    );
  }
}

export default function RegisterByLink({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  const outcome = actionData?.outcome ?? loaderData.outcome;
  if (outcome === "ready") {
    return (
      <>
        <h1 className="text-title">Confirmar este e-mail?</h1>
        <p className="mt-1 text-muted">
          {loaderData.pays
            ? "É o último passo da sua compra: a sua conta fica pronta junto."
            : "É o último passo para criar a sua conta."}
        </p>
        <Form method="post" className="mt-6 flex flex-col gap-4">
          <FormMessage message={actionData?.message} />
          <Button size="lg" disabled={isBusy}>
            {loaderData.button}
          </Button>
        </Form>
      </>
    );
  }
  return (
    <>
      <LinkOutcomeText outcome={outcome} />
      <div className="mt-6 flex flex-wrap gap-3">
        {outcome === "verified" ? (
          <ButtonLink to="/" size="lg">
            Ir para o início
          </ButtonLink>
        ) : (
          <ButtonLink to="/auth/register" size="lg">
            Criar conta
          </ButtonLink>
        )}
        <ButtonLink to="/auth/login" variant="outline" size="lg">
          Entrar
        </ButtonLink>
      </div>
    </>
  );
}
