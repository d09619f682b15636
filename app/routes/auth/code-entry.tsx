import { Form, Link, redirect, useNavigation } from "react-router";
import { CodeField } from "#app/components/account/sign-in/code-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { verifyCodeSchema } from "#app/domain/identity/account/schema.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { loginPath, internalPath, withReturnPath } from "#app/lib/own-path.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { signInWithSecondFactor } from "#app/http/identity/second-factor.server.ts";
import { signInByCode } from "#app/http/identity/sign-in-code.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { leadMembersOn } from "#app/http/identity/sign-in-visitors.server.ts";
import type { Route } from "./+types/code-entry.ts";

export const meta: Route.MetaFunction = () => [{ title: "Digitar o código · Coreto" }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const to = internalPath(url.searchParams.get("to"));
  await leadMembersOn({ request, context }, to);
  const identifier = await embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).signInCode.signInCodeWaiting();
  if (identifier === null) throw redirect(withReturnPath("/auth/code", to));
  return { to, identifier };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const to = internalPath(url.searchParams.get("to"));
  return handleForm(request, verifyCodeSchema, async (input) => {
    return signInWithSecondFactor(to, async () =>
      redirect(to, {
        headers: (await asIdentityUnavailable(asked.ctx, () => signInByCode(asked, input))).headers,
      }),
    );
  });
}

export default function EnterByCode({
  loaderData: { to, identifier },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <h1 className="text-title">Digite o código</h1>
      <p className="mt-1 text-muted wrap-anywhere">
        Se {identifier} tem uma conta, o código já está a caminho. Ele vale por 10 minutos, neste
        navegador.
      </p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <CodeField defaultValue={actionData?.values.code} error={actionData?.errors.code} />
        <Button size="lg" disabled={isBusy}>
          Entrar
        </Button>
      </Form>
      <Form method="post" action={withReturnPath("/auth/code", to)} className="mt-4">
        <input type="hidden" name="identifier" value={identifier} />
        <Button variant="outline" disabled={isBusy}>
          Enviar outro código
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
