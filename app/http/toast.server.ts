import { createCookie, redirect } from "react-router";
import { z } from "zod";
import { internalPath } from "#app/lib/own-path.ts";

const toastSchema = z.object({
  kind: z.enum(["success", "error", "info"]),
  message: z.string().min(1).max(300),
  undo: z.string().max(200).optional(),
});

/**
 * One sentence shown once after a redirect; `undo` is the own path of a form that takes back what
 * was done.
 */
export type Toast = z.infer<typeof toastSchema>;

/** Long enough for a redirect on a slow phone, short enough never to surprise later. */
const TOAST_LIFE_SECONDS = 60;

const toastCookie = createCookie("__Host-toast", {
  path: "/",
  httpOnly: true,
  secure: true,
  sameSite: "lax",
  maxAge: TOAST_LIFE_SECONDS,
});

/**
 * Goes to `path` (an own one; anything else becomes "/") and says `toast` there. `headers` may
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

/**
 * The toast that waits in the request's cookie, and the headers that take it away; null headers
 * when there is none.
 */
export async function takeToast(
  request: Request,
): Promise<{ toast: Toast | null; headers: Headers | null }> {
  const raw: unknown = await toastCookie.parse(request.headers.get("Cookie"));
  if (raw === null || raw === undefined) return { toast: null, headers: null };
  const parsed = toastSchema.safeParse(raw);
  const headers = new Headers({ "Set-Cookie": await toastCookie.serialize("", { maxAge: 0 }) });
  return { toast: parsed.success ? parsed.data : null, headers };
}

/** Signing out and signing up go to pages which `internalPath` refuses as places to come back to. */
function ownPathOrAuth(path: string): string {
  return /^\/auth\/(login|register(\/(code|profile))?)(\?[^\s\\]*)?$/.test(path)
    ? path
    : internalPath(path);
}
