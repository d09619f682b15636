import { data } from "react-router";
import type { RouterContextProvider } from "react-router";
import { ErrorMessage } from "#app/components/shell/errors/error-page.tsx";
import { MemberFrame } from "#app/components/shell/member-frame.tsx";
import { PublicFrame } from "#app/components/shell/public-frame.tsx";
import { viewerShell } from "#app/http/member-shell.server.ts";
import type { Route } from "./+types/not-found.ts";

export const meta: Route.MetaFunction = () => [
  { title: "Página não encontrada · Coreto" },
  { name: "robots", content: "noindex" },
];

/** Keeps the navigation of who is signed in. */
export async function loader({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}) {
  const found = await viewerShell({ request, context });
  const answer = { status: 404, ...(found?.headers ? { headers: found.headers } : {}) };
  return data({ shell: found?.shell ?? null }, answer);
}

export default function NotFound({ loaderData: { shell } }: Route.ComponentProps) {
  const message = (
    <ErrorMessage
      title="Não encontramos esta página"
      text="O endereço pode ter mudado. Procure por quem você quer ver, ou volte ao início."
      status={404}
    />
  );
  if (shell) return <MemberFrame shell={shell}>{message}</MemberFrame>;
  return (
    <PublicFrame>
      <div className="px-4">{message}</div>
    </PublicFrame>
  );
}
