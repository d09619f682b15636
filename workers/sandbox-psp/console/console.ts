import { eq } from "drizzle-orm";
import { z } from "zod";
import { consoleActions } from "./console-actions.ts";
import type { ConsoleAction } from "./console-actions.ts";
import { boundedJson, boundedText } from "#workers/sandbox-psp/body.ts";
import { consoleData, shownOf } from "./console-data.ts";
import { consolePage } from "./console-page.ts";
import { galleryPage } from "#workers/sandbox-psp/gallery/gallery.ts";
import { jsonText } from "#workers/sandbox-psp/idempotency.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import { invalid, PspRefusal } from "#workers/sandbox-psp/refusal.ts";
import { settings } from "#workers/sandbox-psp/tables.ts";
import { clockAnswer } from "#workers/sandbox-psp/time-travel.ts";

const BODY_LIMIT_BYTES = 8_192;

/**
 * Handles `/sandbox` and everything below it. A form is answered with the page, a JSON call with
 * JSON.
 */
export async function answerConsole(psp: Psp, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const wantsPage = request.headers.get("accept")?.includes("text/html") ?? false;
  if (request.method === "GET") return answerLook(psp, url);
  refuseForeign(psp, request);
  const found = actAt(url.pathname);
  if (request.method !== "POST" || !found)
    throw new PspRefusal(404, "route_not_found", "No such act.");
  if (!wantsPage) return jsonText(JSON.stringify(await run(psp, request, found)));
  return backToPage(() => run(psp, request, found), url);
}

/** Answers the page, or one of its lists as JSON. */
async function answerLook(psp: Psp, url: URL): Promise<Response> {
  const [, , part = "", ...more] = url.pathname.split("/");
  if (part === "") return consolePage(psp, url.searchParams);
  if (part === "gallery") return answerGallery(psp, url);
  if (part === "clock") return Response.json(clockAnswer(psp.now(), psp.realNow(), 0));
  if (part === "chaos") return Response.json(psp.chaos);
  if (part === "card-field") return Response.json(await cardFieldSeen(psp));
  const list = Object.entries(await consoleData(psp, shownOf(url.searchParams))).find(
    ([name]) => name === part,
  );
  if (!list || more.length > 0) throw new PspRefusal(404, "route_not_found", "No such page.");
  return Response.json({ object: "list", data: list[1] });
}

/**
 * Answers the list of the gallery, or one of its pages. The components are loaded by the first
 * request for one.
 */
async function answerGallery(psp: Psp, { pathname, searchParams }: URL): Promise<Response> {
  const [, , , slug = "", ...more] = pathname.split("/");
  if (slug === "") return galleryPage();
  const { galleryScreenPage } = await import("#workers/sandbox-psp/gallery/screens/page.tsx");
  const page = galleryScreenPage(slug, {
    theme: searchParams.get("theme") === "dark" ? "dark" : "light",
    head: await productHead(psp),
  });
  if (page === null || more.length > 0)
    throw new PspRefusal(404, "route_not_found", "No such page.");
  return page;
}

/**
 * Returns the links to the product's own style sheet and fonts, as one of its public pages has
 * them. Without a product there are none.
 */
async function productHead({ env }: Psp): Promise<string> {
  const answer = await env.FRONT?.fetch(new Request(`${env.APP_ORIGIN}/offline`));
  if (!answer?.ok) return "";
  const links = (await answer.text()).match(/<link [^>]*>/g) ?? [];
  return links.filter((link) => / rel="(?:stylesheet|preload)"/.test(link)).join("\n");
}

/**
 * Whether the last request for the card field carried a cookie. It must not, because its hostname
 * differs.
 */
async function cardFieldSeen(psp: Psp): Promise<{ last_request_had_cookie: boolean | null }> {
  const [row] = await psp.db
    .select()
    .from(settings)
    .where(eq(settings.name, "last_request_had_cookie"));
  return { last_request_had_cookie: row ? row.value === "yes" : null };
}

async function run(
  psp: Psp,
  request: Request,
  found: { act: ConsoleAction; id: string },
): Promise<unknown> {
  const input = await inputOf(request);
  const isQuiet = input["webhook"] === "off";
  return found.act.run({ ...psp, announces: psp.announces && !isQuiet }, found.id, input);
}

/** Refuses requests from other sites: the console moves money. */
function refuseForeign(psp: Psp, request: Request): void {
  const origin = request.headers.get("origin");
  const own = [
    psp.env.APP_ORIGIN,
    new URL(psp.env.SANDBOX_PUBLIC_URL).origin,
    new URL(request.url).origin,
  ];
  const isForeign = origin !== null && !own.includes(origin);
  if (isForeign || request.headers.get("sec-fetch-site") === "cross-site")
    throw new PspRefusal(403, "foreign_origin", "Only this console's own pages may act.");
}

function actAt(path: string): { act: ConsoleAction; id: string } | null {
  const parts = path.split("/");
  for (const act of consoleActions) {
    const pattern = act.path.split("/");
    if (pattern.length !== parts.length) continue;
    if (pattern.every((part, index) => part === ":id" || part === parts[index]))
      return { act, id: decodeURIComponent(parts[3] ?? "") };
  }
  return null;
}

async function inputOf(request: Request): Promise<Record<string, unknown>> {
  const isForm = request.headers
    .get("content-type")
    ?.startsWith("application/x-www-form-urlencoded");
  if (isForm)
    return Object.fromEntries(new URLSearchParams(await boundedText(request, BODY_LIMIT_BYTES)));
  return z.record(z.string(), z.unknown()).parse(await boundedJson(request, BODY_LIMIT_BYTES));
}

/** Redirects after a POST, so that a reload repeats nothing. */
async function backToPage(act: () => Promise<unknown>, url: URL): Promise<Response> {
  const outcome = await act().then(
    () => "Feito.",
    (error: unknown) => {
      if (error instanceof PspRefusal) return `Não deu: ${error.message}`;
      if (error instanceof z.ZodError) return `Não deu: ${invalid(error).message}`;
      throw error;
    },
  );
  const section = url.pathname.split("/")[2] ?? "";
  return new Response(null, {
    status: 303,
    headers: { location: `/sandbox?said=${encodeURIComponent(outcome)}#${section}` },
  });
}
