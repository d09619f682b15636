import { redirect } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { loginPath } from "#app/lib/own-path.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import type { Route } from "./+types/register-taken.ts";

export const meta: Route.MetaFunction = () => [{ title: "Este e-mail já tem uma conta · Coreto" }];

/** Shows that the email already has an account. Only a browser that proved the email sees this. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const pending = await embedded(asked).registration.waitingRegistration();
  const email = await embedded(asked).registration.provenAndTaken(pending);
  if (!pending || email === null) throw redirect("/auth/register");
  return {
    email,
    to: pending.returnTo,
    otherPath: pending.cart === null ? "/auth/register/profile" : pending.returnTo,
  };
}

export default function RegisterTaken({
  loaderData: { email, to, otherPath },
}: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-title">Este e-mail já tem uma conta</h1>
      <p role="alert" className="mt-1 text-muted wrap-anywhere">
        {email} já é de uma conta do Coreto. Entre nela, ou crie uma nova senha se esqueceu a sua.
        Para outra conta, use outro e-mail: o resto do que você digitou continua guardado por meia
        hora.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to={loginPath(to)} size="lg">
          Entrar
        </ButtonLink>
        <ButtonLink to="/auth/reset" variant="outline" size="lg">
          Criar nova senha
        </ButtonLink>
        <ButtonLink to={otherPath} variant="outline" size="lg">
          Usar outro e-mail
        </ButtonLink>
      </div>
    </>
  );
}
