import { Form, useNavigation } from "react-router";
import {
  BirthDateField,
  EmailField,
  NameFields,
  TermsField,
} from "#app/components/account/sign-in/registration-fields.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import {
  detailsWithEmailSchema,
  registrationDetailsSchema,
} from "#app/domain/identity/registration/schema/registration.ts";
import { finishRegistration } from "#app/http/identity/after-registration.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { completeProfile } from "#app/http/identity/finish-profile.server.ts";
import { handleForm } from "#app/http/form.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { loadProfileCompletion } from "#app/http/identity/profile-completion.server.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { refuseIdentityUnknown } from "#app/http/require-member.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/register-profile.ts";

export const meta: Route.MetaFunction = () => [{ title: "Complete o seu perfil · Coreto" }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  await refuseIdentityUnknown(request, url, context);
  return loadProfileCompletion(context, request, internalPath(url.searchParams.get("to")));
}

export async function action({ request, context, url }: Route.ActionArgs) {
  await refuseIdentityUnknown(request, url, context);
  const to = internalPath(url.searchParams.get("to"));
  const { personId, asksEmail } = await loadProfileCompletion(context, request, to);
  const { env, ctx: execution } = context.get(cloudflareContext);
  const asked = {
    env,
    ctx: context.get(domainContext),
    request,
    waitUntil: (work: Promise<unknown>) => execution.waitUntil(work),
  };
  if (personId === null) {
    const schema = asksEmail ? detailsWithEmailSchema : registrationDetailsSchema;
    return handleForm(request, schema, async (details) => {
      return finishRegistration(
        asked,
        await asIdentityUnavailable(asked.ctx, () =>
          embedded(asked).registration.completeRegistration(asked, details),
        ),
      );
    });
  }
  return handleForm(request, registrationDetailsSchema, async (details) => {
    await asIdentityUnavailable(asked.ctx, () => completeProfile(asked, { personId, details }));
    return redirectWithToast(request, to, {
      kind: "success",
      message: `Boas-vindas ao Coreto, ${details.name}.`,
    });
  });
}

export default function RegisterProfile({
  loaderData: { personId, asksEmail, email, ...existing },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData ?? (Object.keys(existing.errors).length > 0 ? existing : undefined));
  const typed = actionData ?? existing;
  return (
    <>
      <h1 className="text-title">Complete o seu perfil</h1>
      <p className="mt-1 text-muted wrap-anywhere">
        {asksEmail ? "Falta pouco." : `Falta pouco. O seu e-mail é ${email}.`}
      </p>
      <Form method="post" noValidate className="mt-6 flex flex-col gap-4">
        <FormMessage message={actionData?.message} />
        <NameFields {...typed} />
        {asksEmail ? <EmailField {...typed} /> : null}
        <BirthDateField {...typed} />
        <TermsField {...typed} />
        <Button size="lg" disabled={isBusy}>
          Continuar
        </Button>
      </Form>
      {personId === null ? null : (
        <form method="post" action="/auth/logout" className="mt-4">
          <Button variant="ghost">Sair e entrar com outra conta</Button>
        </form>
      )}
    </>
  );
}
