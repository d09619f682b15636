import { Form, Link, redirect, useNavigation } from "react-router";
import { IdentifierField } from "#app/components/account/sign-in/identifier-field.tsx";
import { useTypedIdentifier } from "#app/components/account/external-accounts/link-with-identifier.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { codeRequestSchema } from "#app/domain/identity/account/schema.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { loginPath, internalPath, withReturnPath } from "#app/lib/own-path.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { leadMembersOn } from "#app/http/identity/sign-in-visitors.server.ts";
import type { Route } from "./+types/code.ts";

export const meta: Route.MetaFunction = () => [{ title: "Entrar com um código · Coreto" }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const to = internalPath(url.searchParams.get("to"));
  await leadMembersOn({ request, context }, to);
  return { to };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { env, ctx: execution } = context.get(cloudflareContext);
  const asked = {
    env,
    ctx: context.get(domainContext),
    request,
    waitUntil: (work: Promise<unknown>) => execution.waitUntil(work),
  };
  const to = internalPath(url.searchParams.get("to"));
  return handleForm(request, codeRequestSchema, async (input) => {
    const { cookie } = await asIdentityUnavailable(asked.ctx, () =>
      embedded(asked).signInCode.requestSignInCode(asked, input),
    );
    return redirect(withReturnPath("/auth/code/entry", to), { headers: { "Set-Cookie": cookie } });
  });
}

export default function AskForCode({ loaderData: { to }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  const typed = useTypedIdentifier();
  useFirstError(actionData);
  return (
    <>
      <h1 className="text-title">Entrar com um código</h1>
      <p className="mt-1 text-muted">
        Sem senha: enviamos 6 dígitos para o seu e-mail ou, se você digitar um telefone, por SMS.
      </p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <IdentifierField
          defaultValue={actionData?.values.identifier ?? typed}
          error={actionData?.errors.identifier}
        />
        <Button size="lg" disabled={isBusy}>
          Enviar código
        </Button>
      </Form>
      <p className="mt-6 text-muted">
        <Link
          to={loginPath(to)}
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          Entrar com a senha
        </Link>
      </p>
    </>
  );
}
