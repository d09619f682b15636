import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { SelectField, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { MaskedField } from "#app/components/ui/fields/masked-field.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { saveBillingDetails } from "#app/domain/billing/details/commands.server.ts";
import {
  billingDetailsOfPerson,
  wantsInvoices,
} from "#app/domain/billing/details/queries.server.ts";
import { formatCep, STATES } from "#app/domain/billing/details/rules.ts";
import { billingDetailsSchema } from "#app/domain/billing/details/schema.ts";
import { formatTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/billing-details.ts";

export const meta: Route.MetaFunction = () => [{ title: "Dados de cobrança · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: personId, name } = context.get(memberContext);
  const [details, wantsInvoice] = await Promise.all([
    billingDetailsOfPerson(ctx, { personId }),
    wantsInvoices(ctx, { personId }),
  ]);
  if (!details) return { isNew: true, wantsInvoice, name };
  const { taxKind, taxId, cep, ...rest } = details;
  return {
    isNew: false,
    wantsInvoice,
    ...rest,
    taxId: formatTaxId({ taxKind, taxId }),
    cep: formatCep(cep),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(
    request,
    billingDetailsSchema,
    async ({ taxId, wantsInvoice, ...rest }) => {
      await saveBillingDetails(context.get(domainContext), {
        personId: context.get(memberContext).id,
        details: { ...taxId, ...rest },
        wantsInvoice,
      });
      return await redirectWithToast(request, "/settings/billing/details", {
        kind: "success",
        message: "Pronto: seus recibos saem com estes dados.",
      });
    },
  );
}

export default function BillingDetailsPage({
  loaderData: { isNew, wantsInvoice, ...saved },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(actionData);
  const values: Record<string, string> = { ...saved, ...actionData?.values };
  const errors = actionData?.errors ?? {};
  const field = (name: string) => ({ name, defaultValue: values[name], error: errors[name] });
  return (
    <>
      <PageHeader
        title="Dados de cobrança"
        lead="Vão nos seus recibos. Só você e a moderação os veem, a não ser que você peça nota fiscal."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5" noValidate>
          <FormMessage message={actionData?.message} />
          <MaskedField
            {...field("taxId")}
            mask="cpf-or-cnpj"
            label="CPF ou CNPJ"
            // The letters of a new CNPJ need the whole keyboard.
            inputMode="text"
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={20}
            required
            hint="O CNPJ pode ter letras."
          />
          <TextField
            {...field("name")}
            label="Nome completo ou razão social"
            autoComplete="name"
            limit={120}
            required
          />
          <div className="grid gap-5 sm:grid-cols-[160px_minmax(0,1fr)]">
            <MaskedField
              {...field("cep")}
              mask="cep"
              label="CEP"
              autoComplete="postal-code"
              placeholder="00000-000"
              maxLength={20}
              required
            />
            <TextField
              {...field("street")}
              label="Rua"
              autoComplete="address-line1"
              limit={120}
              required
            />
          </div>
          <div className="grid gap-5 sm:grid-cols-[160px_minmax(0,1fr)]">
            <TextField {...field("number")} label="Número" limit={20} required />
            <TextField
              {...field("complement")}
              label="Complemento"
              autoComplete="address-line2"
              limit={80}
              required={false}
            />
          </div>
          <TextField
            {...field("district")}
            label="Bairro"
            autoComplete="address-level3"
            limit={80}
            required
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              {...field("city")}
              label="Cidade"
              autoComplete="address-level2"
              limit={80}
              required
            />
            <SelectField
              {...field("state")}
              label="Estado"
              autoComplete="address-level1"
              required
              options={[
                { value: "", label: "Escolha" },
                ...STATES.map(([code, name]) => ({ value: code, label: `${name} (${code})` })),
              ]}
            />
          </div>
          <Choices
            legend="Nota fiscal"
            name="wantsInvoice"
            type="checkbox"
            options={[
              {
                value: "yes",
                label: "Quero nota fiscal do que eu pago",
                hint: "Quem vende para você, e quem cuida do dinheiro da página, vê este nome e este CPF ou CNPJ, para emitir a nota do que você pagar a partir de agora. Nunca o endereço. Desmarque quando quiser.",
              },
            ]}
            defaultValue={
              (actionData ? actionData.values.wantsInvoice === "yes" : wantsInvoice)
                ? "yes"
                : undefined
            }
          />
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>{isNew ? "Guardar" : "Guardar mudanças"}</Button>
            <ButtonLink to="/settings/billing" variant="ghost">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
