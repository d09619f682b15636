import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { USERNAME_MAX } from "#app/domain/identity/rules/username-length.ts";

import { formerUsernamesOf } from "#app/domain/profiles/queries/usernames.server.ts";
import { newUsernameSchema } from "#app/domain/profiles/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import { refuseWithoutReauthentication } from "#app/http/identity/account.server.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/username.ts";

const HERE = "/auth/account/username";

/** `to`: the page that offered the choice. */
const usernameForm = newUsernameSchema.extend({ to: z.string().optional() });

export const meta: Route.MetaFunction = () => [{ title: "Nome de usuário · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { id, username } = context.get(memberContext);
  const former = await formerUsernamesOf(context.get(domainContext), { personId: id });
  return {
    username,
    former: former.map((left) => ({ username: left.username, until: formatDay(left.heldUntil) })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, usernameForm, async ({ username, to }) => {
    await refuseWithoutReauthentication(asked, {
      path: HERE,
      before: "trocar o nome de usuário",
    });
    await embedded(asked).profile.changeOwnUsername({
      member: context.get(memberContext),
      username,
    });
    return redirectWithToast(request, internalPath(to, "/auth/account/profile"), {
      kind: "success",
      message: `Agora você é @${username}.`,
    });
  });
}

export default function ChangeUsername({
  loaderData: { username, former },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <AccountCrumb to="/auth/account/profile">Nome e foto</AccountCrumb>
      <PageHeader
        title="Nome de usuário"
        lead={`Hoje você é @${username}. Depois da troca, por um ano o endereço antigo leva à sua página e não pode ser de outra pessoa.`}
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <Form method="post" noValidate className="flex flex-col gap-4">
          <FormMessage message={actionData?.message} link={actionData?.link} />
          {actionData?.values.to ? (
            <input type="hidden" name="to" value={actionData.values.to} />
          ) : null}
          <TextField
            label="Novo nome de usuário"
            name="username"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={USERNAME_MAX}
            hint="Letras sem acento, números, ponto, hífen e sublinhado. Com ele você também entra na conta."
            defaultValue={actionData?.values.username}
            error={actionData?.errors.username}
          />
          <Button disabled={isBusy} className="self-start">
            Trocar
          </Button>
        </Form>
        {former.length === 0 ? null : (
          <section aria-labelledby="antigos">
            <h2 id="antigos" className="text-heading">
              Já foi seu
            </h2>
            <ul className="mt-1 flex flex-col divide-y divide-line">
              {former.map((left) => (
                <li key={left.username} className="flex flex-wrap justify-between gap-x-4 py-2">
                  <span className="min-w-0 font-semibold wrap-anywhere">@{left.username}</span>
                  <span className="text-muted">guardado até {left.until}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </Card>
    </>
  );
}
