import { Form, Link, redirect, useNavigation } from "react-router";
import { PasskeySignIn } from "#app/components/account/passkey-sign-in.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { EMAIL_MAX, signInSchema } from "#app/domain/identity/schema.ts";
import { cloudflareContext, domainContext, refusedContext, viewerContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { ownPath } from "#app/http/own-path.ts";
import { orSecondFactor } from "#app/http/second-factor.server.ts";
import { signIn } from "#app/http/session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/login.ts";

export const meta: Route.MetaFunction = () => [{ title: "Entrar · Coreto" }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const to = ownPath(url.searchParams.get("to"));
  if (context.get(viewerContext)) throw await redirectWithToast(request, to, { kind: "info", message: "Você já está conectado." });
  return { to, refused: context.get(refusedContext) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const to = ownPath(url.searchParams.get("to"));
  const asked = { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request };
  return submitted(request, signInSchema, async (input) => {
    return orSecondFactor(to, async () => redirect(to, { headers: (await signIn(asked, input)).headers }));
  });
}

export default function Login({ loaderData: { to, refused }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <h1 className="text-title">Entrar</h1>
      <p className="mt-1 text-muted">Que bom ver você de novo.</p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData ? actionData.message : refused} />
        <TextField
          label="E-mail ou nome de usuário"
          name="identifier"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={EMAIL_MAX}
          defaultValue={actionData?.values.identifier}
          error={actionData?.errors.identifier}
        />
        <TextField label="Senha" name="password" type="password" autoComplete="current-password" required error={actionData?.errors.password} />
        <p className="-mt-2 text-small">
          <Link to="/auth/reset" className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2">
            Esqueci minha senha
          </Link>
        </p>
        <Button size="lg" disabled={isBusy}>
          Entrar
        </Button>
      </Form>
      <PasskeySignIn to={to} />
      <p className="mt-6 text-muted">
        Ainda não tem conta?{" "}
        <Link to={withTo("/auth/register", to)} className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2">
          Criar conta
        </Link>
      </p>
    </>
  );
}

const withTo = (path: string, to: string) => (to === "/" ? path : `${path}?to=${encodeURIComponent(to)}`);
