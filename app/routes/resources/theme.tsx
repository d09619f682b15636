import { redirect } from "react-router";
import { z } from "zod";
import { limitedBody } from "#app/http/body.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { themeCookie, themePreference } from "#app/lib/theme.ts";
import type { Route } from "./+types/theme.ts";

/** The form has one word and a path. */
const LARGEST_BODY_BYTES = 8 * 1024;

const jsonBody = z.object({ theme: z.enum(["light", "dark"]).nullable() });

/** Redirects home: the address has no page of its own, because every page has the buttons. */
export function loader() {
  return redirect("/");
}

/**
 * Saves the theme. `remix-themes` sends JSON and expects no page. A form redirects to the page that
 * sent it.
 */
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

/** Returns an internal path to go back to. Allows sign-in pages too, which have theme buttons. */
function backTo(path: string): string {
  return /^\/auth\/(login|register)(\?[\w%=&.~-]*)?$/.test(path) ? path : internalPath(path);
}
