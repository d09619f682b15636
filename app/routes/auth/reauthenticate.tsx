import { data } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import { internalPath } from "#app/lib/own-path.ts";
import type { Route } from "./+types/reauthenticate.ts";

export const meta: Route.MetaFunction = () => [{ title: "Entre de novo · Coreto" }];

/**
 * Serves the page that asks for a new sign-in, where Clerk manages the credentials. With the
 * embedded identity it is a 404: that one asks for the password instead.
 */
export function loader({ context, url }: Route.LoaderArgs) {
  if (!isClerkConfigured(context.get(cloudflareContext).env))
    throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  return { to: internalPath(url.searchParams.get("to"), "/auth/account") };
}

export default function Again({ loaderData: { to } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-title">Entre de novo para continuar</h1>
      <p className="mt-1 text-muted">
        Antes de mudar a conta ou o dinheiro, queremos ter certeza de que é você. Vale por 10
        minutos.
      </p>
      <form
        method="post"
        action={`/auth/logout?to=${encodeURIComponent(to)}`}
        className="mt-6 flex flex-wrap gap-3"
      >
        <Button size="lg">Entrar de novo</Button>
        <ButtonLink to="/auth/account" variant="outline" size="lg">
          Voltar
        </ButtonLink>
      </form>
    </>
  );
}
