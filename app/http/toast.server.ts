import { createCookie, redirect } from "react-router";
import { z } from "zod";
import { internalPath } from "#app/lib/own-path.ts";

const toastSchema = z.object({
  kind: z.enum(["success", "error", "info"]),
  message: z.string().min(1).max(300),
  undo: z.string().max(200).optional(),
});

/**
 * One message shown once after a redirect; `undo` is the path of a form on this site that undoes
 * the action.
 */
export type Toast = z.infer<typeof toastSchema>;

/** Long enough for a redirect on a slow phone, short enough not to appear later. */
const TOAST_LIFE_SECONDS = 60;

const toastCookie = createCookie("__Host-toast", {
  path: "/",
  httpOnly: true,
  secure: true,
  sameSite: "lax",
  maxAge: TOAST_LIFE_SECONDS,
});

/**
 * Redirects to `path` on this site (any other becomes "/") and shows `toast` there. `headers` may
 * carry more cookies.
 */
export async function redirectWithToast(
  _request: Request,
  path: string,
  toast: Toast,
  headers?: Headers,
): Promise<Response> {
  const answer = new Headers(headers);
  answer.append("Set-Cookie", await toastCookie.serialize(toast));
  return redirect(ownPathOrAuth(path), { headers: answer });
}

/** The toast of the request's cookie, and the headers that clear it; null headers without one. */
export async function takeToast(
  request: Request,
): Promise<{ toast: Toast | null; headers: Headers | null }> {
  const raw: unknown = await toastCookie.parse(request.headers.get("Cookie"));
  if (raw === null || raw === undefined) return { toast: null, headers: null };
  const parsed = toastSchema.safeParse(raw);
  const headers = new Headers({ "Set-Cookie": await toastCookie.serialize("", { maxAge: 0 }) });
  return { toast: parsed.success ? parsed.data : null, headers };
}

/** Signing out and signing up redirect to pages that `internalPath` refuses as return paths. */
function ownPathOrAuth(path: string): string {
  return /^\/auth\/(login|register(\/(code|profile))?)(\?[^\s\\]*)?$/.test(path)
    ? path
    : internalPath(path);
}
