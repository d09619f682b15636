import { Form, redirect } from "react-router";
import { waitingEntries } from "#app/components/events/door/forget-doors.ts";
import { beginSignOut, waitingCount } from "#app/components/messages/outbox/forget-outboxes.ts";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { removeDevicesOfSessions } from "#app/domain/notifications/commands/devices.server.ts";
import { counted, nounFor } from "#app/domain/text.ts";
import { loginPath } from "#app/lib/own-path.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import { currentSessionId, signOut } from "#app/http/identity/session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/logout.ts";

export const meta: Route.MetaFunction = () => [{ title: "Sair · Coreto" }];

/** Shows a question only, so that a picture on another site cannot sign anybody out. */
export function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirect("/auth/login");
  return { id: viewer.id, username: viewer.username };
}

/** Signs out. `to` is the path to return to after the next sign-in. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const asked = { env: context.get(cloudflareContext).env, request };
  const viewer = context.get(viewerContext);
  const sessionId = viewer ? await currentSessionId(asked) : null;
  const headers = await throwRefusals(() => signOut(asked));
  // The next person at this device must not get the pushes of this one.
  if (viewer && sessionId !== null)
    await removeDevicesOfSessions(context.get(domainContext), { personId: viewer.id, sessionId });
  return redirectWithToast(
    request,
    loginPath(url.searchParams.get("to") ?? "/"),
    { kind: "success", message: "Você saiu da sua conta." },
    headers,
  );
}

export default function Logout({ loaderData: { id, username } }: Route.ComponentProps) {
  const isHydrated = useHydrated();
  const waiting = isHydrated ? waitingCount(id) : 0;
  const entries = isHydrated ? waitingEntries() : 0;
  const isWaiting = waiting + entries > 0;
  return (
    <>
      <h1 className="text-title">Sair da conta?</h1>
      <p className="mt-1 text-muted">Neste navegador, você está como @{username}.</p>
      {waiting > 0 ? (
        <p id="esperando" className="mt-4 font-medium">
          {counted(
            waiting,
            "mensagem sua ainda não foi enviada",
            "mensagens suas ainda não foram enviadas",
          )}
          . Se você sair, {nounFor(waiting, "ela é apagada", "elas são apagadas")} deste navegador.
        </p>
      ) : null}
      {entries > 0 ? (
        <p id="portaria" className="mt-4 font-medium">
          {counted(
            entries,
            "entrada da portaria ainda não foi enviada",
            "entradas da portaria ainda não foram enviadas",
          )}
          . Se você sair, {nounFor(entries, "ela é apagada", "elas são apagadas")} deste navegador.
        </p>
      ) : null}
      <Form method="post" className="mt-6 flex flex-wrap gap-3" onSubmit={() => beginSignOut(id)}>
        <Button size="lg" aria-describedby={isWaiting ? "esperando portaria" : undefined}>
          {isWaiting ? "Sair e apagar" : "Sair"}
        </Button>
        <ButtonLink to={waiting > 0 ? "/messages" : "/"} variant="outline" size="lg">
          {waiting > 0 ? "Ver as mensagens" : "Continuar"}
        </ButtonLink>
      </Form>
    </>
  );
}
