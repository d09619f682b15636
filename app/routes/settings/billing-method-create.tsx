import { useRef, useState } from "react";
import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { CardFieldFrame, useCardField } from "#app/components/checkout/card-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { CheckboxField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { keepCard } from "#app/domain/billing/commands/keep-card.server.ts";
import { cardFieldUrlOf, takesKeptCards } from "#app/domain/payments/rules/providers.ts";
import { onwardFrom } from "#app/http/checkout/onward.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/billing-method-create.ts";

const cardSchema = z.object({
  cardToken: z.string({ error: "Digite o cartão" }).min(1, "Digite o cartão").max(200),
  consent: z.literal("on", { error: "Para guardar o cartão, é preciso autorizar" }),
});

const CONFIRMATION = "/settings/billing/methods/confirmation";

export const meta: Route.MetaFunction = () => [{ title: "Adicionar cartão · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { payments } = context.get(domainContext);
  return { cardFieldUrl: found(takesKeptCards(payments) ? cardFieldUrlOf(payments) : null) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { id: personId } = context.get(memberContext);
  return await submitted(request, cardSchema, async ({ cardToken }) => {
    const kept = await keepCard(context.get(domainContext), { personId, cardToken, returnPath: CONFIRMATION });
    if (kept.kind === "confirm") return redirect(onwardFrom(request, { path: `${CONFIRMATION}/${kept.attemptId}`, elsewhere: kept.nextActionUrl }), 303);
    const message = kept.kind === "kept" ? "Pronto: o cartão está guardado." : "O banco ainda não respondeu. Se ele aceitar, o cartão aparece aqui.";
    return await redirectWithToast(request, "/settings/billing", { kind: kept.kind === "kept" ? "success" : "info", message });
  });
}

export default function BillingMethodCreate({ loaderData: { cardFieldUrl }, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  return (
    <>
      <PageHeader title="Adicionar cartão" lead="Nada é cobrado agora. O seu banco pode pedir que você confirme." />
      <Card className="p-5 sm:p-6">
        <noscript>
          <p>Sem JavaScript, um cartão é guardado ao pagar com ele: marque “Guardar este cartão” na hora da compra.</p>
          <ButtonLink to="/settings/billing" variant="outline" className="mt-4">
            Voltar
          </ButtonLink>
        </noscript>
        <CardForm cardFieldUrl={cardFieldUrl} problem={actionData} />
      </Card>
    </>
  );
}

function CardForm({ cardFieldUrl, problem }: { cardFieldUrl: string; problem: Route.ComponentProps["actionData"] }) {
  const form = useRef<HTMLFormElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  // A token serves once: the ref is emptied by every sending.
  const token = useRef<HTMLInputElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const isSending = useNavigation().state !== "idle";
  const { tokenize, ...field } = useCardField({
    frame,
    cardFieldUrl,
    isShown: true,
    terms: () => ({ amountCents: null, keeps: true }),
    onToken(cardToken) {
      setIsAsking(false);
      if (!token.current || !form.current) return;
      token.current.value = cardToken;
      form.current.requestSubmit();
      token.current.value = "";
    },
    onFailure: () => setIsAsking(false),
    onSubmit: () => form.current?.requestSubmit(),
  });
  const isBusy = isAsking || isSending || field.state !== "ready";
  return (
    <Form
      method="post"
      ref={form}
      noValidate
      className="flex flex-col gap-5 noscript:hidden"
      onSubmit={(event) => {
        if (isSending) return event.preventDefault();
        if (token.current?.value) return;
        event.preventDefault();
        if (isBusy) return;
        setIsAsking(true);
        tokenize();
      }}
    >
      <input type="hidden" name="cardToken" ref={token} defaultValue="" />
      <FormMessage message={problem?.message ?? problem?.errors.cardToken} />
      {field.state === "unavailable" ? <p className="text-refusal">O campo do cartão não abriu. Recarregue a página, ou tente mais tarde.</p> : <CardFieldFrame frame={frame} {...field} />}
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
        <ButtonLink to="/settings/billing" variant="ghost">
          Voltar
        </ButtonLink>
      </div>
    </Form>
  );
}
