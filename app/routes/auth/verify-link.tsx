import { data, Form, useNavigation } from "react-router";
import { LinkOutcomeText } from "#app/components/account/external-accounts/link-outcome.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { refusalOf, httpStatusOf } from "#app/http/refusal.ts";
import type { Route } from "./+types/verify-link.ts";

export const meta: Route.MetaFunction = () => [{ title: "Confirmar e-mail · Coreto" }];

/** Shows a question only. Mail programs open links too, so opening the link changes nothing. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return {
    outcome: await embedded(asked).contacts.verifyByLink({ token: params.token, accept: false }),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  try {
    return {
      outcome: await embedded(asked).contacts.verifyByLink({ token: params.token, accept: true }),
      message: null,
    };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return data(
      { outcome: "failed" as const, message: refusal.message },
      { status: httpStatusOf(refusal.kind) },
    );
  }
}

export default function VerifyByLink({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  const outcome = actionData?.outcome ?? loaderData.outcome;
  if (outcome !== "ready") {
    return (
      <>
        {actionData?.message ? (
          <>
            <h1 className="text-title">Não deu para confirmar</h1>
            <p role="alert" className="mt-1 text-muted">
              {actionData.message}
            </p>
          </>
        ) : actionData?.outcome === "verified" ? (
          <>
            <h1 className="text-title">E-mail confirmado</h1>
            <p role="status" className="mt-1 text-muted">
              Obrigado. Agora ele também abre a sua conta.
            </p>
          </>
        ) : (
          <LinkOutcomeText outcome={outcome} />
        )}
        <ButtonLink to="/auth/account" size="lg" className="mt-6 self-start">
          Ir para a conta
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <h1 className="text-title">Confirmar este e-mail?</h1>
      <p className="mt-1 text-muted">É o último passo.</p>
      <Form method="post" className="mt-6">
        <Button size="lg" disabled={isBusy}>
          Confirmar e-mail
        </Button>
      </Form>
    </>
  );
}
