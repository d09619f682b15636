import { z } from "zod";
import { acts } from "./acts.ts";
import type { Act } from "./acts.ts";
import { consolePage } from "./console-page.ts";
import { jsonText } from "./idempotency.ts";
import type { Psp } from "./psp.ts";
import { PspRefusal } from "./refusal.ts";
import { clockAnswer } from "./time-travel.ts";

const BODY_LIMIT = 8_192;

/** `/sandbox` and everything below it. A form is answered by the page, a JSON call by JSON. */
export async function answerConsole(psp: Psp, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const wantsPage = request.headers.get("accept")?.includes("text/html") ?? false;
  if (request.method === "GET") {
    if (url.pathname === "/sandbox/clock") return Response.json(clockAnswer(psp.now(), psp.realNow(), 0));
    if (url.pathname === "/sandbox/chaos") return Response.json(psp.chaos);
    if (url.pathname === "/sandbox" || url.pathname === "/sandbox/") return consolePage(psp, url.searchParams);
    throw new PspRefusal(404, "route_not_found", "No such page.");
  }
  refuseForeign(psp, request);
  const found = actAt(url.pathname);
  if (request.method !== "POST" || !found) throw new PspRefusal(404, "route_not_found", "No such act.");
  if (!wantsPage) return jsonText(JSON.stringify(await run(psp, request, found)));
  return backToPage(() => run(psp, request, found), url);
}

async function run(psp: Psp, request: Request, found: { act: Act; id: string }): Promise<unknown> {
  const input = await inputOf(request);
  const isQuiet = input["webhook"] === "off";
  try {
    return await found.act.run({ ...psp, announces: psp.announces && !isQuiet }, found.id, input);
  } catch (error) {
    if (error instanceof z.ZodError) throw new PspRefusal(400, "parameter_invalid", error.issues[0]?.message ?? "invalid");
    throw error;
  }
}

/** The console changes money: another site's form must not press its buttons. */
function refuseForeign(psp: Psp, request: Request): void {
  const origin = request.headers.get("origin");
  const own = [psp.env.APP_ORIGIN, new URL(psp.env.SANDBOX_PUBLIC_URL).origin, new URL(request.url).origin];
  const isForeign = origin !== null && !own.includes(origin);
  if (isForeign || request.headers.get("sec-fetch-site") === "cross-site") throw new PspRefusal(403, "foreign_origin", "Only this console's own pages may act.");
}

function actAt(path: string): { act: Act; id: string } | null {
  const parts = path.split("/");
  for (const act of acts) {
    const pattern = act.path.split("/");
    if (pattern.length !== parts.length) continue;
    if (pattern.every((part, index) => part === ":id" || part === parts[index])) return { act, id: decodeURIComponent(parts[3] ?? "") };
  }
  return null;
}

async function inputOf(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text();
  if (text.length > BODY_LIMIT) throw new PspRefusal(413, "body_too_large", "The body is too large.");
  if (text === "") return {};
  if (request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    throw new PspRefusal(400, "body_invalid", "The body is not a JSON object.");
  }
}

/** Post, redirect, get: a reload repeats nothing. */
async function backToPage(act: () => Promise<unknown>, url: URL): Promise<Response> {
  const outcome = await act().then(
    () => "Feito.",
    (error: unknown) => {
      if (error instanceof PspRefusal) return `Não deu: ${error.message}`;
      throw error;
    },
  );
  const section = url.pathname.split("/")[2] ?? "";
  return new Response(null, { status: 303, headers: { location: `/sandbox?said=${encodeURIComponent(outcome)}#${section}` } });
}
