import { data, Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { useUpdateFocus } from "#app/components/ui/use-update-focus.ts";
import { taxIdSchema } from "#app/domain/identity/tax-ids/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { giveRefundKey } from "#app/domain/payments/refund-transfers/commands/refund-transfers.server.ts";
import { sendRefundTransferNow } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import { refundKeyPage } from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { RefundKeyPage } from "#app/domain/payments/refund-transfers/queries.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { NOINDEX_FORM_HEADERS } from "#app/http/headers/noindex.ts";
import type { Route } from "./+types/refund-key.ts";

export const meta: Route.MetaFunction = () => [{ title: "Sua devolução · Coreto" }];

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

const addressSchema = z.object({
  refundId: z.string().regex(/^[0-9a-zA-Z:-]{1,80}$/),
  signature: z.string().max(128),
});
const keySchema = z.object({ key: taxIdSchema });
const GONE = "Este endereço não é de nenhuma devolução. Confira se ele veio inteiro do e-mail.";

/** Shows the form only. Mail scanners open every link, so opening it changes nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const address = foundOr404(addressSchema.safeParse(params).data ?? null, GONE);
  const {
    payerId: _,
    refundId: __,
    ...page
  } = foundOr404(await refundKeyPage(context.get(domainContext), address), GONE);
  return data(page, { headers: { ...NOINDEX_FORM_HEADERS, "Cache-Control": "private, no-store" } });
}

export async function action({ request, params, context, url }: Route.ActionArgs) {
  const address = foundOr404(addressSchema.safeParse(params).data ?? null, GONE);
  return await handleForm(request, keySchema, async ({ key }) => {
    const ctx = context.get(domainContext);
    await sendRefundTransferNow(ctx, await giveRefundKey(ctx, { ...address, key }));
    return redirect(url.pathname, { status: 303, headers: NOINDEX_FORM_HEADERS });
  });
}

type Page = Omit<RefundKeyPage, "payerId" | "refundId">;

const isAsked = ({ status, isHeld }: Page): boolean =>
  (status === "awaiting_key" || status === "ready") && !isHeld;

export default function RefundKey({ loaderData: page, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const statusRef = useUpdateFocus<HTMLParagraphElement>(`${page.status} ${page.keyShown ?? ""}`);
  const isBusy = useNavigation().state !== "idle";
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-col items-start gap-2">
        <h1 className="text-title">{formatMoney(page.amountCents)} de volta para você</h1>
        <p className="text-muted wrap-anywhere">{page.description}</p>
      </header>
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <p ref={statusRef} role="status" tabIndex={-1} className="outline-none">
          {textOf(page)}
        </p>
        <FormMessage message={actionData?.message} />
        {isAsked(page) ? (
          <Form method="post" className="flex flex-col gap-5" noValidate>
            <TextField
              label="Sua chave Pix (CPF ou CNPJ)"
              name="key"
              autoComplete="off"
              autoCapitalize="characters"
              maxLength={20}
              required
              defaultValue={actionData?.values.key}
              error={actionData?.errors.key}
              hint={hintOf(page)}
            />
            <Button size="lg" className="self-start" disabled={isBusy}>
              {page.status === "ready" ? "Trocar a chave" : "Receber por Pix"}
            </Button>
          </Form>
        ) : null}
        <p className="text-small text-muted">
          Este endereço serve só para esta devolução e não abre a sua conta. O Coreto nunca pede
          senha nem pagamento para devolver.
        </p>
      </Card>
    </div>
  );
}

function hintOf({ ownerShown, isOwnerKnown }: Page): string {
  if (ownerShown) return `A chave precisa ser o número dos seus dados de cobrança: ${ownerShown}.`;
  if (isOwnerKnown)
    return "A chave precisa ser o CPF ou CNPJ que estava nos dados de cobrança da sua conta.";
  return "O número de quem pagou. Ele precisa estar cadastrado como chave Pix em algum banco.";
}

function textOf(page: Page): string {
  const { status, hasFailed, isHeld, keyShown } = page;
  if (isHeld && isAsked({ ...page, isHeld: false }))
    return "O banco analisa uma contestação deste pagamento, e a devolução espera a decisão. Você recebe uma vez, de um jeito ou de outro.";
  if (status === "paid")
    return "Pronto: o Pix foi feito. Confira na conta em que a chave está cadastrada.";
  if (status === "canceled") return "Este dinheiro já voltou para você pelo banco. Não falta nada.";
  if (status === "ready")
    return `Guardamos a sua chave, ${keyShown ?? "que você informou"}. O Pix sai em breve.`;
  if (status !== "awaiting_key")
    return `O Pix está a caminho da sua chave${keyShown ? `, ${keyShown}` : ""}. Avisamos quando chegar.`;
  if (hasFailed)
    return "O Pix não chegou à chave que você informou. Confira se ela está cadastrada como chave Pix no seu banco e informe de novo: o dinheiro está guardado.";
  return "O Pix foi feito há mais de 90 dias, e o banco não deixa devolver pelo mesmo caminho. Diga a sua chave e mandamos um Pix novo. O dinheiro fica guardado até lá.";
}
