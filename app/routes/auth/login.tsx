import { useEffect } from "react";
import { Form, Link, redirect, useNavigation } from "react-router";
import { ClerkScreen } from "#app/components/clerk/clerk-screen.tsx";
import { BlockedSignIn } from "#app/components/clerk/blocked-sign-in.tsx";
import { IdentifierField } from "#app/components/account/sign-in/identifier-field.tsx";
import { LinkWithIdentifier } from "#app/components/account/external-accounts/link-with-identifier.tsx";
import { OtherSignInMethods } from "#app/components/account/sign-in/other-sign-in-methods.tsx";
import { endSignOut } from "#app/components/messages/outbox/forget-outboxes.ts";
import { PasskeySignIn } from "#app/components/account/passkeys/passkey-sign-in.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { TooManyAttempts, TooManyPasswordAttempts } from "#app/domain/identity/errors.ts";
import { signInSchema } from "#app/domain/identity/schema.ts";
import type { SignIn } from "#app/domain/identity/schema.ts";
import { clerkSettings } from "#app/lib/clerk.ts";
import {
  cloudflareContext,
  domainContext,
  blockedSignInContext,
  incompleteMemberContext,
} from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { externalProviderOptions } from "#app/http/identity/external-providers.ts";
import { finishPath, internalPath, registerPath, withReturnPath } from "#app/lib/own-path.ts";
import { productPageMeta } from "#app/http/public-pages/public-meta.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { signInWithSecondFactor } from "#app/http/identity/second-factor.server.ts";
import { signIn } from "#app/http/identity/session.server.ts";
import type { AuthRequest, SignedInMember } from "#app/http/identity/session.server.ts";
import { leadMembersOn } from "#app/http/identity/sign-in-visitors.server.ts";
import type { Route } from "./+types/login.ts";

const HEAD = {
  title: "Entrar",
  description:
    "Entre no Coreto: acompanhe quem você segue, leia e ouça o que assina e publique na sua página.",
  path: "/auth/login",
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? productPageMeta({ ...HEAD, origin: loaderData.origin })
    : [{ title: "Entrar · Coreto" }];

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
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, signInSchema, async (input) => {
    return signInWithSecondFactor(to, async () =>
      redirect(to, { headers: (await withCodeOffer(to, () => enter(asked, input))).headers }),
    );
  });
}

const enter = (asked: AuthRequest, input: SignIn): Promise<SignedInMember> =>
  asIdentityUnavailable(asked.ctx, () => signIn(asked, input));

/** Past the limit of passwords, which strangers can use up, the refusal leads to a code. */
async function withCodeOffer<Answer>(to: string, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    throw new TooManyPasswordAttempts({ way: withReturnPath("/auth/code", to) });
  }
}

export default function Login({
  loaderData: { to, refused, outside, clerk },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  useEffect(endSignOut, []);
  if (clerk && refused) return <BlockedSignIn message={refused} />;
  if (clerk) return <ClerkScreen publishableKey={clerk.publishableKey} name="sign-in" to={to} />;
  return (
    <>
      <h1 className="text-title">Entrar</h1>
      <p className="mt-1 text-muted">Que bom ver você de novo.</p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData ? actionData.message : refused} />
        {actionData?.link ? (
          <LinkWithIdentifier to={actionData.link.to} isButton>
            {actionData.link.text}
          </LinkWithIdentifier>
        ) : null}
        <IdentifierField
          defaultValue={actionData?.values.identifier}
          error={actionData?.errors.identifier}
        />
        <TextField
          label="Senha"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={actionData?.errors.password}
        />
        <p className="-mt-2 flex flex-wrap gap-x-4 text-small">
          {actionData?.link ? null : (
            <LinkWithIdentifier to={withReturnPath("/auth/code", to)}>
              Entrar com um código
            </LinkWithIdentifier>
          )}
          <LinkWithIdentifier to="/auth/reset">Esqueci minha senha</LinkWithIdentifier>
        </p>
        <Button size="lg" disabled={isBusy}>
          Entrar
        </Button>
      </Form>
      <PasskeySignIn to={to} />
      {outside ? <OtherSignInMethods choices={outside} to={to} /> : null}
      <p className="mt-6 text-muted">
        Ainda não tem conta?{" "}
        <Link
          to={registerPath(to)}
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          Criar conta
        </Link>
      </p>
    </>
  );
}
