import { quoted } from "#app/domain/text.ts";
import { Form, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { SecretText } from "#app/components/account/api-keys/secret-text.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { SelectField, TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { createApiKey } from "#app/domain/identity/api-keys/commands.server.ts";
import {
  apiKeySchema,
  KEY_DESCRIPTION_MAX,
  KEY_LIFETIMES,
  KEY_NAME_MAX,
  LIFETIME_LABELS,
  offeredScopes,
  SCOPE_LABELS,
} from "#app/domain/identity/api-keys/schema.ts";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import { mintApiKey } from "#app/http/api/api-key.server.ts";
import {
  refuseWithoutReauthentication,
  requireReauthentication,
} from "#app/http/identity/account.server.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { sendSecurityEmail } from "#app/http/identity/security-emails.server.ts";
import type { Route } from "./+types/key-create.ts";

export const meta: Route.MetaFunction = () => [{ title: "Criar chave de API · Coreto" }];

type Made = { made: { name: string; secret: string } };

/**
 * The path of this page. Only the answer to the form shows the new key. A repeated form is refused
 * by the name of the key, so that no key is created unseen.
 */
const HERE = "/auth/account/keys/create";

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireReauthentication(
    { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request },
    HERE,
  );
  const { settings } = context.get(domainContext);
  const hasEvents = !isHiddenPath("/events", settings);
  return { scopes: offeredScopes({ hasEvents }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  return handleForm(request, apiKeySchema, async (input): Promise<Made> => {
    await refuseWithoutReauthentication(
      { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request },
      { path: HERE, before: "criar a chave" },
    );
    const { key, tokenHash, hint } = await mintApiKey();
    await createApiKey(context.get(domainContext), {
      ...input,
      personId: context.get(memberContext).id,
      tokenHash,
      hint,
    });
    await sendSecurityEmail(context.get(domainContext), context.get(memberContext), {
      kind: "key_created",
      name: input.name,
    });
    return { made: { name: input.name, secret: key } };
  });
}

export default function CreateApiKey({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && "made" in actionData) return <MadeKey {...actionData.made} />;
  return (
    <>
      <AccountCrumb to="/auth/account/keys">Chaves de API</AccountCrumb>
      <PageHeader
        title="Criar chave"
        lead="Dê só o que o programa precisa, pelo tempo que precisa."
      />
      <Card className="p-5 sm:p-6">
        <KeyForm problem={actionData} scopes={loaderData.scopes} />
      </Card>
    </>
  );
}

function KeyForm({ problem, scopes }: { problem: FormProblem | undefined; scopes: ApiScope[] }) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  const errors = problem?.errors ?? {};
  const values = problem?.values ?? {};
  return (
    <Form method="post" noValidate className="flex flex-col gap-5">
      <FormMessage message={problem?.message} link={problem?.link} />
      <TextField
        label="Nome"
        name="name"
        autoComplete="off"
        required
        limit={KEY_NAME_MAX}
        hint="Para você reconhecer depois: onde ela vai ser usada."
        defaultValue={values.name}
        error={errors.name}
      />
      <TextArea
        label="Descrição"
        name="description"
        rows={2}
        required={false}
        limit={KEY_DESCRIPTION_MAX}
        defaultValue={values.description}
        error={errors.description}
      />
      <SelectField
        label="Expira em"
        name="lifetime"
        options={KEY_LIFETIMES.map((lifetime) => ({
          value: lifetime,
          label: LIFETIME_LABELS[lifetime],
        }))}
        defaultValue={values.lifetime ?? "30d"}
        error={errors.lifetime}
      />
      <Choices
        legend="Permissões"
        name="scopes"
        type="checkbox"
        options={scopes.map((scope) => ({ value: scope, ...SCOPE_LABELS[scope] }))}
        defaultValue={values.scopes?.split("\n")}
        error={errors.scopes}
      />
      <Button size="lg" disabled={isBusy} className="self-start">
        Criar chave
      </Button>
    </Form>
  );
}

function MadeKey({ name, secret }: Made["made"]) {
  return (
    <>
      <PageHeader
        title="Copie a sua chave agora"
        lead={`É a única vez que ${quoted(name)} aparece: não guardamos a chave.`}
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <SecretText label="Chave de API" copyLabel="Copiar chave" text={secret} />
        <p className="text-small text-muted">
          Quem tiver a chave faz o que ela permite. Envie em{" "}
          <code className="font-mono">Authorization: Bearer</code> e nunca a deixe num programa que
          outros possam abrir.
        </p>
        <ButtonLink to="/auth/account/keys" className="self-start">
          Já guardei
        </ButtonLink>
      </Card>
    </>
  );
}
