import { redirect } from "react-router";
import { z } from "zod";
import { ownPath } from "#app/http/own-path.ts";
import { themeCookie, themePreference } from "#app/http/theme.ts";
import { PublicFrame } from "#app/components/shell/public-frame.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import type { Route } from "./+types/theme.ts";

export const handle = { static: true };
export const meta: Route.MetaFunction = () => [{ title: "Aparência · Coreto" }];

const jsonBody = z.object({ theme: z.enum(["light", "dark"]).nullable() });

/** remix-themes sends JSON and wants no page back; a form goes back to where it was sent from. */
export async function action({ request }: Route.ActionArgs) {
  if (!request.headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded")) {
    const body = jsonBody.safeParse(await request.json().catch(() => null));
    if (!body.success) return Response.json({ error: "theme: light, dark or null" }, { status: 400 });
    return Response.json({ ok: true }, { headers: { "Set-Cookie": themeCookie(body.data.theme ?? "system") } });
  }
  const form = await request.formData();
  return redirect(backTo(String(form.get("to") ?? "/")), { headers: { "Set-Cookie": themeCookie(themePreference(form.get("theme"))) } });
}

/** The sign-in pages are no place to send someone after signing in, but they have a theme too. */
function backTo(path: string): string {
  return /^\/auth\/(login|register)(\?[\w%=&.~-]*)?$/.test(path) ? path : ownPath(path);
}

export default function ThemePage() {
  return (
    <PublicFrame>
      <div className="mx-auto max-w-2xl px-4 py-12">
        <PageHeader title="Aparência" lead="Escolha no rodapé: claro, escuro ou como no seu aparelho." />
      </div>
    </PublicFrame>
  );
}
