import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { cardLabel } from "#app/domain/billing/rules/cards.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { removeMemberCard } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import type { ReplacementMethod } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import { isCardPayable, savedCards } from "#app/domain/billing/details/queries.server.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { renewsByCode } from "#app/domain/payments/methods/rules.ts";
import {
  savedCardChoice,
  savedMethodChosen,
  PAYMENT_METHODS,
} from "#app/domain/payments/rules/choices.ts";
import { countedFromTwo, nounFor } from "#app/domain/text.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/billing-method-removal.ts";

const removalSchema = z.object({ instead: z.string().max(200).optional().transform(insteadOf) });

export const meta: Route.MetaFunction = () => [{ title: "Remover cartão · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const cards = await savedCards(ctx, { personId: context.get(memberContext).id });
  const card = foundOr404(
    cards.find(({ id }) => id === params.methodId),
    "Não encontramos este cartão.",
  );
  return {
    card,
    others: cards.filter((other) => other.id !== card.id && isCardPayable(ctx, other)),
    codes: PAYMENT_METHODS.filter((method) => renewsByCode(method) && isMethodOffered(method, ctx)),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, removalSchema, async ({ instead }) => {
    await removeMemberCard(context.get(domainContext), {
      personId: context.get(memberContext).id,
      methodId: params.methodId,
      instead,
    });
    return await redirectWithToast(request, "/settings/billing", {
      kind: "success",
      message: "Cartão removido.",
    });
  });
}

function insteadOf(text: string | undefined): ReplacementMethod | null {
  if (text === undefined || text === "cancel") return text ?? null;
  const code = PAYMENT_METHODS.find((method) => method === text && renewsByCode(method));
  return code ? { method: code, savedMethodId: null } : savedMethodChosen(text);
}

export default function BillingMethodRemoval({
  loaderData: { card, others, codes },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(actionData);
  const options = [
    ...others.map((other) => ({
      value: savedCardChoice(other.id),
      label: cardLabel(other),
      hint: "As próximas cobranças vão para este cartão.",
    })),
    ...codes.map((method) => ({
      value: method,
      label: methodTexts[method].payLabel,
      hint: "Mandamos um código antes de cada renovação.",
    })),
    {
      value: "cancel",
      label: "Parar de renovar",
      hint: "Você continua vendo tudo até o fim do que já pagou.",
    },
  ];
  return (
    <>
      <PageHeader title={`Remover ${cardLabel(card)}?`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          {card.renews > 0 ? (
            <Choices
              legend={`${countedFromTwo(card.renews, "Uma assinatura renova", "assinaturas renovam")} por ele. Como ${nounFor(card.renews, "ela continua", "elas continuam")}?`}
              name="instead"
              options={options}
              defaultValue={actionData?.values.instead}
              error={actionData?.errors.instead}
            />
          ) : (
            <p>
              Nenhuma assinatura renova por ele. Depois de removido, ele não paga mais nada no
              Coreto.
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              Remover cartão
            </Button>
            <ButtonLink to="/settings/billing" variant="outline">
              Ficar com ele
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
