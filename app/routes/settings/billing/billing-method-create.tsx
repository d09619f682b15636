import { Form, redirect } from "react-router";
import { z } from "zod";
import { CardFieldFrame } from "#app/components/checkout/card/card-field.tsx";
import { useCardForm } from "#app/components/checkout/card/use-card-form.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { CheckboxField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { saveCard } from "#app/domain/billing/saved-methods/commands/save-card.server.ts";
import {
  acquirerCardFieldUrl,
  acceptsSavedCards,
} from "#app/domain/payments/providers/rules/providers.ts";
import { nextStepUrl } from "#app/http/checkout/next-step.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/billing-method-create.ts";

const cardSchema = z.object({
  cardToken: z.string({ error: "Digite o cartão" }).min(1, "Digite o cartão").max(200),
  consent: z.literal("on", { error: "Para guardar o cartão, é preciso autorizar" }),
});

const CONFIRMATION = "/settings/billing/methods/confirmation";

export const meta: Route.MetaFunction = () => [{ title: "Adicionar cartão · Coreto" }];

/** Returns the path of the page that asked for a card, or of the list of cards. */
const backPath = (url: string): string =>
  internalPath(new URL(url).searchParams.get("to"), "/settings/billing");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { payments } = context.get(domainContext);
  return {
    cardFieldUrl: foundOr404(acceptsSavedCards(payments) ? acquirerCardFieldUrl(payments) : null),
    backPath: backPath(request.url),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { id: personId } = context.get(memberContext);
  return await handleForm(request, cardSchema, async ({ cardToken }) => {
    const savedCard = await saveCard(context.get(domainContext), {
      personId,
      cardToken,
      returnPath: CONFIRMATION,
    });
    if (savedCard.kind === "confirm")
      return redirect(
        nextStepUrl(request, {
          path: `${CONFIRMATION}/${savedCard.attemptId}`,
          elsewhere: savedCard.nextActionUrl,
        }),
        303,
      );
    const message =
      savedCard.kind === "kept"
        ? "Pronto: o cartão está guardado."
        : "O banco ainda não respondeu. Se ele aceitar, o cartão aparece aqui.";
    return await redirectWithToast(
      request,
      savedCard.kind === "kept" ? backPath(request.url) : "/settings/billing",
      { kind: savedCard.kind === "kept" ? "success" : "info", message },
    );
  });
}

export default function BillingMethodCreate({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  return (
    <>
      <PageHeader
        title="Adicionar cartão"
        lead="Nada é cobrado agora. O seu banco pode pedir que você confirme."
      />
      <Card className="p-5 sm:p-6">
        <noscript>
          <p>
            Sem JavaScript, um cartão é guardado ao pagar com ele: marque “Guardar este cartão” na
            hora da compra.
          </p>
          <ButtonLink to={loaderData.backPath} variant="outline" className="mt-4">
            Voltar
          </ButtonLink>
        </noscript>
        <CardForm {...loaderData} problem={actionData} />
      </Card>
    </>
  );
}

function CardForm({
  cardFieldUrl,
  backPath: back,
  problem,
}: Route.ComponentProps["loaderData"] & { problem: Route.ComponentProps["actionData"] }) {
  const { form, token, field, isBusy } = useCardForm({
    cardFieldUrl,
    isCard: true,
    needsToken: true,
    terms: () => ({ amountCents: null, keeps: true }),
  });
  return (
    <Form method="post" {...form} noValidate className="flex flex-col gap-5 noscript:hidden">
      <input type="hidden" name="cardToken" ref={token} defaultValue="" />
      <FormMessage message={problem?.message ?? problem?.errors.cardToken} />
      {field.state === "unavailable" ? (
        <p className="text-refusal">
          O campo do cartão não abriu. Recarregue a página, ou tente mais tarde.
        </p>
      ) : (
        <CardFieldFrame {...field} />
      )}
      <CheckboxField
        label="Autorizo guardar este cartão"
        name="consent"
        required
        defaultChecked={problem?.values.consent === "on"}
        error={problem?.errors.consent}
        hint="Fica com quem processa o pagamento, para as compras que você fizer e as renovações que escolher pagar com ele. Você o tira quando quiser."
      />
      <div className="flex flex-wrap gap-2">
        <Button disabled={isBusy} aria-busy={isBusy}>
          Guardar cartão
        </Button>
        <ButtonLink to={back} variant="ghost">
          Voltar
        </ButtonLink>
      </div>
    </Form>
  );
}
