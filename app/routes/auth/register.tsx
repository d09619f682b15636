import { Form, Link, redirect, useNavigation } from "react-router";
import { NewPasswordField } from "#app/components/account/sign-in/new-password-field.tsx";
import { OtherSignInMethods } from "#app/components/account/sign-in/other-sign-in-methods.tsx";
import {
  BirthDateField,
  EmailField,
  NameFields,
  TermsField,
} from "#app/components/account/sign-in/registration-fields.tsx";
import { ClerkScreen } from "#app/components/clerk/clerk-screen.tsx";
import { BlockedSignIn } from "#app/components/clerk/blocked-sign-in.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { signUpSchema } from "#app/domain/identity/registration/schema/registration.ts";
import { clerkSettings } from "#app/lib/clerk.ts";
import {
  cloudflareContext,
  domainContext,
  blockedSignInContext,
  incompleteMemberContext,
} from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { finishPath, loginPath, internalPath } from "#app/lib/own-path.ts";
import { externalProviderOptions } from "#app/http/identity/external-providers.ts";
import { productPageMeta } from "#app/http/public-pages/public-meta.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { leadMembersOn } from "#app/http/identity/sign-in-visitors.server.ts";
import type { Route } from "./+types/register.ts";

const HEAD = {
  title: "Criar conta",
  description:
    "Crie a sua conta no Coreto para seguir e apoiar quem cria no Brasil, ou abra a sua página e receba por Pix.",
  path: "/auth/register",
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? productPageMeta({ ...HEAD, origin: loaderData.origin })
    : [{ title: "Criar conta · Coreto" }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const to = internalPath(url.searchParams.get("to"));
  await leadMembersOn({ request, context }, to);
  if (context.get(incompleteMemberContext)) throw redirect(finishPath(to));
  const { env } = context.get(cloudflareContext);
  return {
    to,
    refused: context.get(blockedSignInContext),
    outside: externalProviderOptions(env),
    clerk: clerkSettings(env),
    origin: context.get(domainContext).settings.appOrigin,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const to = internalPath(url.searchParams.get("to"));
  const { env, ctx: execution } = context.get(cloudflareContext);
  const asked = {
    env,
    ctx: context.get(domainContext),
    request,
    waitUntil: (work: Promise<unknown>) => execution.waitUntil(work),
  };
  return handleForm(request, signUpSchema, async (input) => {
    const headers = await asIdentityUnavailable(asked.ctx, () =>
      embedded(asked).registration.signUp(asked, input, { to }),
    );
    return redirect("/auth/register/code", { headers });
  });
}

export default function Register({
  loaderData: { to, refused, outside, clerk },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  if (clerk && refused) return <BlockedSignIn message={refused} />;
  if (clerk) return <ClerkScreen publishableKey={clerk.publishableKey} name="sign-up" to={to} />;
  const typed = { values: actionData?.values ?? {}, errors: actionData?.errors ?? {} };
  return (
    <>
      <h1 className="text-title">Criar conta</h1>
      <p className="mt-1 text-muted">Para seguir quem você gosta, apoiar e publicar.</p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <NameFields {...typed} />
        <EmailField {...typed} />
        <NewPasswordField label="Senha" error={typed.errors.password} />
        <BirthDateField {...typed} />
        <TermsField {...typed} />
        <Button size="lg" disabled={isBusy}>
          Criar conta
        </Button>
      </Form>
      {outside ? <OtherSignInMethods choices={outside} to={to} /> : null}
      <p className="mt-6 text-muted">
        Já tem conta?{" "}
        <Link
          to={loginPath(to)}
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          Entrar
        </Link>
      </p>
    </>
  );
}
