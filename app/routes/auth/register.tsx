import { Form, Link, useNavigation } from "react-router";
import { NewPasswordField } from "#app/components/account/new-password-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { EMAIL_MAX, NAME_MAX, signUpSchema, USERNAME_MAX } from "#app/domain/identity/schema.ts";
import { signUpAndVerify } from "#app/http/account.server.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { loginPath, ownPath } from "#app/http/own-path.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/register.ts";

export const meta: Route.MetaFunction = () => [{ title: "Criar conta · Coreto" }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const to = ownPath(url.searchParams.get("to"));
  if (context.get(viewerContext)) throw await redirectWithToast(request, to, { kind: "info", message: "Você já entrou na sua conta." });
  return { to };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const to = ownPath(url.searchParams.get("to"));
  const { env, ctx: execution } = context.get(cloudflareContext);
  const asked = { env, ctx: context.get(domainContext), request, waitUntil: (work: Promise<unknown>) => execution.waitUntil(work) };
  return submitted(request, signUpSchema, async (input) => {
    const { member, headers } = await signUpAndVerify(asked, input, { by: "page" });
    return redirectWithToast(request, to, { kind: "success", message: `Boas-vindas ao Coreto, ${member.name}.` }, headers);
  });
}

export default function Register({ loaderData: { to }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  const errors = actionData?.errors ?? {};
  const values = actionData?.values ?? {};
  return (
    <>
      <h1 className="text-title">Criar conta</h1>
      <p className="mt-1 text-muted">Para seguir quem você gosta, apoiar e publicar.</p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <TextField label="Nome" name="name" autoComplete="name" required maxLength={NAME_MAX} defaultValue={values.name} error={errors.name} />
        <TextField
          label="Nome de usuário"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={USERNAME_MAX}
          hint="O endereço da sua página: letras sem acento, números, ponto, hífen e sublinhado."
          defaultValue={values.username}
          error={errors.username}
        />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          maxLength={EMAIL_MAX}
          defaultValue={values.email}
          error={errors.email}
        />
        <NewPasswordField label="Senha" error={errors.password} />
        <Agreement />
        <Button size="lg" disabled={isBusy}>
          Criar conta
        </Button>
      </Form>
      <p className="mt-6 text-muted">
        Já tem conta?{" "}
        <Link to={loginPath(to)} className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2">
          Entrar
        </Link>
      </p>
    </>
  );
}

/** Opens beside the form, so that nothing typed is lost. */
function Agreement() {
  return (
    <p className="text-small text-muted">
      Ao criar a conta, você concorda com os{" "}
      <a href="/terms" target="_blank" rel="noreferrer" className="underline underline-offset-2">
        termos de uso
      </a>{" "}
      e com a{" "}
      <a href="/terms/privacy" target="_blank" rel="noreferrer" className="underline underline-offset-2">
        política de privacidade
      </a>
      .
    </p>
  );
}
