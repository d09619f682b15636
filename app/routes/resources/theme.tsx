import { redirect } from "react-router";
import { z } from "zod";
import { limitedBody } from "#app/http/body.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { themeCookie, themePreference } from "#app/lib/theme.ts";
import type { Route } from "./+types/theme.ts";

/** One word and a path. */
const LARGEST_BODY_BYTES = 8 * 1024;

const jsonBody = z.object({ theme: z.enum(["light", "dark"]).nullable() });

/** Nothing to see here: the buttons are on every page. */
export function loader() {
  return redirect("/");
}

/** Remix-themes sends JSON and wants no page back; a form goes back to where it was sent from. */
export async function action({ request }: Route.ActionArgs) {
  if (!request.headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded")) {
    const body = jsonBody.safeParse(
      await limitedBody(request, LARGEST_BODY_BYTES)
        .json()
        .catch(() => null),
    );
    if (!body.success)
      return Response.json({ error: "theme: light, dark or null" }, { status: 400 });
    return Response.json(
      { ok: true },
      { headers: { "Set-Cookie": themeCookie(body.data.theme ?? "system") } },
    );
  }
  const form = await limitedBody(request, LARGEST_BODY_BYTES)
    .formData()
    .catch(() => new FormData());
  return redirect(backTo(String(form.get("to") ?? "/")), {
    headers: { "Set-Cookie": themeCookie(themePreference(form.get("theme"))) },
  });
}

/** The sign-in pages are no place to send someone after signing in, but they have a theme too. */
function backTo(path: string): string {
  return /^\/auth\/(login|register)(\?[\w%=&.~-]*)?$/.test(path) ? path : internalPath(path);
}
