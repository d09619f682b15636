import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { PasskeyForm } from "#app/components/account/passkeys/passkey-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import {
  newPasskeySchema,
  PASSKEY_NAME_MAX,
} from "#app/domain/identity/sign-in/schema/passkeys.ts";
import { formatAgo, formatMinute } from "#app/domain/time.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { asksPassword } from "#app/http/identity/account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { sendSecurityEmail } from "#app/http/identity/security-emails.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/passkeys.ts";

export const meta: Route.MetaFunction = () => [{ title: "Chaves de acesso · Coreto" }];

const HERE = "/auth/account/passkeys";

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const asked = { env: context.get(cloudflareContext).env, ctx, request };
  const doesAskPassword = await asksPassword(asked, HERE);
  const own = await embedded(asked).passkeys.ownPasskeys();
  const shown = own.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    created: formatMinute(createdAt),
    lastUsed:
      lastUsedAt === null ? "nunca usada" : `último uso ${formatAgo(lastUsedAt, ctx.realNow())}`,
  }));
  return { passkeys: shown, asksPassword: doesAskPassword };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { keepPasskey } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).passkeys;
  return handleForm(request, newPasskeySchema, async (input) => {
    await keepPasskey(input);
    await sendSecurityEmail(context.get(domainContext), context.get(memberContext), {
      kind: "passkey_added",
      name: input.name,
    });
    return redirectWithToast(request, HERE, {
      kind: "success",
      message: "Chave de acesso criada.",
    });
  });
}

export default function Passkeys({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title="Chaves de acesso"
        lead="Entre com digital, rosto ou PIN do aparelho, sem senha."
      />
      <div className="flex flex-col gap-4">
        {loaderData.passkeys.length > 0 ? (
          <Card className="overflow-hidden">
            <ul className="divide-y divide-line">
              {loaderData.passkeys.map((passkey) => (
                <li
                  key={passkey.id}
                  className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
                >
                  <span className="flex min-w-0 flex-col">
                    <span className="font-semibold wrap-anywhere">{passkey.name}</span>
                    <span className="text-small text-muted">
                      Criada em {passkey.created} · {passkey.lastUsed}
                    </span>
                  </span>
                  <ButtonLink
                    to={`/auth/account/passkeys/${passkey.id}/removal`}
                    variant="outline"
                    size="sm"
                    aria-label={`Remover ${passkey.name}`}
                  >
                    Remover
                  </ButtonLink>
                </li>
              ))}
            </ul>
          </Card>
        ) : null}
        <Card className="p-5 sm:p-6">
          <h2 className="mb-4 text-heading">Nova chave de acesso</h2>
          <PasskeyForm
            key={loaderData.passkeys.length}
            problem={actionData}
            nameMax={PASSKEY_NAME_MAX}
            asksPassword={loaderData.asksPassword}
          />
          <p className="hidden text-muted noscript:block">
            Para criar uma chave de acesso, o navegador precisa de JavaScript.
          </p>
        </Card>
      </div>
    </>
  );
}
