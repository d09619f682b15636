import { Form, Link, redirect, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { secondFactorSchema } from "#app/domain/identity/sign-in/schema/second-factor.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { loginPath, internalPath } from "#app/lib/own-path.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { isSecondFactorPending, signInWithCode } from "#app/http/identity/second-factor.server.ts";
import { leadMembersOn } from "#app/http/identity/sign-in-visitors.server.ts";
import type { Route } from "./+types/second-factor.ts";

export const meta: Route.MetaFunction = () => [{ title: "Verificação em duas etapas · Coreto" }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const to = internalPath(url.searchParams.get("to"));
  await leadMembersOn({ request, context }, to);
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  if (!(await isSecondFactorPending(asked))) throw redirect(loginPath(to));
  return { to };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const to = internalPath(url.searchParams.get("to"));
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, secondFactorSchema, async (input) => {
    const { headers } = await asIdentityUnavailable(asked.ctx, () => signInWithCode(asked, input));
    return redirect(to, { headers });
  });
}

export default function SecondFactor({ loaderData: { to }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <h1 className="text-title">Falta o código</h1>
      <p className="mt-1 text-muted">
        Abra o seu aplicativo de autenticação e digite os 6 dígitos do Coreto.
      </p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <TextField
          label="Código"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={32}
          hint="Sem o aplicativo? Use um dos seus códigos de reserva."
          error={actionData?.errors.code}
        />
        <Button size="lg" disabled={isBusy} className="mt-2">
          Entrar
        </Button>
      </Form>
      <p className="mt-6 text-muted">
        <Link
          to={loginPath(to)}
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          Voltar para a senha
        </Link>
      </p>
    </>
  );
}
