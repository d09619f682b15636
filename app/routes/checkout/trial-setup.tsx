import { useEffect, useRef } from "react";
import { data, redirect, useSubmit } from "react-router";
import { z } from "zod";
import { SavedCardConfirmation } from "#app/components/checkout/card/confirm-card.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { settleTrialSetup } from "#app/domain/subscriptions/trials/commands/setup.server.ts";
import { declineMessage } from "#app/domain/subscriptions/errors.ts";
import { memberTrialSetup } from "#app/domain/subscriptions/trials/queries.server.ts";
import type { TrialSetupView } from "#app/domain/subscriptions/trials/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { trialWelcomePath } from "#app/http/checkout/next-step.ts";
import { handleForm } from "#app/http/form.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/trial-setup.ts";

const NOT_FOUND = "Não encontramos este cartão.";

export const meta: Route.MetaFunction = () => [{ title: "Confirmar o cartão · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const setup = foundOr404(
    await memberTrialSetup(context.get(domainContext), {
      memberId: context.get(memberContext).id,
      setupId: params.setupId,
    }),
    NOT_FOUND,
  );
  if (setup.status === "ready" && setup.subscriptionId)
    throw redirect(trialWelcomePath({ subscriptionId: setup.subscriptionId }));
  const search = new URLSearchParams({
    plan: setup.planId,
    interval: setup.interval,
    ...(setup.coupon ? { coupon: setup.coupon } : {}),
  });
  return {
    planName: setup.planName,
    creatorName: setup.creatorName,
    status: setup.status,
    nextActionUrl: setup.nextActionUrl,
    over: overText(setup),
    againPath: `/checkout?${search.toString()}`,
  };
}

/** Explains why the trial did not start. Null while the bank can still confirm the card. */
function overText({ status, failureCode }: TrialSetupView): string | null {
  if (status === "expired")
    return "O tempo para confirmar o cartão passou. Nada começou e nada foi cobrado.";
  if (status !== "failed") return null;
  return failureCode === "refused"
    ? "O plano mudou enquanto você confirmava o cartão. Nada começou, nada foi cobrado, e o cartão não ficou guardado."
    : declineMessage(failureCode);
}

/** Handles "Já confirmei": asks the provider now, and starts the trial once the card is confirmed. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const owned = { memberId: context.get(memberContext).id, setupId: params.setupId };
  foundOr404(await memberTrialSetup(ctx, owned), NOT_FOUND);
  return await handleForm(request, z.object({}), async () => {
    try {
      const trial = await settleTrialSetup(ctx, owned);
      if (trial.kind === "began") return redirect(trialWelcomePath(trial), 303);
    } catch (error) {
      if (!(error instanceof ProviderUnclear)) throw error;
    }
    return data<FormProblem>({
      errors: {},
      message: "Perguntamos ao banco: falta confirmar na página dele.",
      values: {},
    });
  });
}

export default function TrialSetup({ loaderData, actionData }: Route.ComponentProps) {
  const { planName, creatorName, status, nextActionUrl, over, againPath } = loaderData;
  const submit = useSubmit();
  const hasAsked = useRef(false);
  // A payer who returns from the bank has answered there, so the page asks the provider at once.
  useEffect(() => {
    if (status !== "requires_action" || hasAsked.current) return;
    hasAsked.current = true;
    void submit(null, { method: "post" });
  }, [status, submit]);
  return (
    <>
      <PageHeader
        title={over === null ? "Confirme o cartão no banco" : "O período grátis não começou"}
        lead={`${planName}, de ${creatorName}.`}
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        {over === null ? (
          <SavedCardConfirmation
            nextActionUrl={nextActionUrl}
            problem={actionData?.message ?? actionData?.errors.payment}
            text="O banco do cartão pede a sua confirmação. Nada é cobrado agora, e o período grátis começa assim que você confirmar."
          />
        ) : (
          <>
            <p>{over}</p>
            <ButtonLink to={againPath} className="self-start">
              Voltar ao plano
            </ButtonLink>
          </>
        )}
      </Card>
    </>
  );
}
