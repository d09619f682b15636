import { ZodError } from "zod";
import { answerApi } from "./api.ts";
import { answerCardField } from "#workers/sandbox-psp/cards/card-field.ts";
import { answerConsole } from "#workers/sandbox-psp/console/console.ts";
import { docsPage } from "#workers/sandbox-psp/pages/docs-page.ts";
import { settleDue, tick } from "./due.ts";
import type { SandboxEnv, WaitUntilContext } from "./env.ts";
import { jsonText } from "./idempotency.ts";
import { answerConfirmationPage, answerPayPage } from "#workers/sandbox-psp/pages/payer-pages.ts";
import { openPsp } from "./psp.ts";
import { answerSavePage } from "#workers/sandbox-psp/cards/save-page.ts";
import type { Psp } from "./psp.ts";
import { invalid, PspRefusal } from "./refusal.ts";

/**
 * Handles every request of the provider: its API, its pages and its console. After the response it
 * applies what is due and sends webhooks through `env.FRONT`. `?webhook=off` or the header
 * `x-sandbox-webhook: off` suppresses the webhooks of a request.
 */
export async function handleSandbox(
  request: Request,
  env: SandboxEnv,
  ctx: WaitUntilContext,
): Promise<Response> {
  const url = new URL(request.url);
  const announces =
    url.searchParams.get("webhook") !== "off" && request.headers.get("x-sandbox-webhook") !== "off";
  const psp = await openPsp(env, ctx, announces);
  const response = await answer(psp, request, url);
  psp.later(openPsp(env, ctx).then(tick));
  return response;
}

async function answer(psp: Psp, request: Request, url: URL): Promise<Response> {
  try {
    if (url.pathname.startsWith("/v1/")) return await answerApi(psp, request);
    const [, first = "", second = ""] = url.pathname.split("/");
    if (first === "sandbox") return await answerConsole(psp, request);
    if (first === "card-field") return await answerCardField(psp, request);
    if (first === "docs") return docsPage(psp.env.SANDBOX_PUBLIC_URL);
    if (first === "save") return await answerSavePage(psp, request, second);
    if (first === "pay" || first === "3ds") {
      await settleDue(psp);
      return first === "pay"
        ? await answerPayPage(psp, request, second)
        : await answerConfirmationPage(psp, request, second);
    }
    throw new PspRefusal(404, "route_not_found", "No such route.");
  } catch (error) {
    if (error instanceof PspRefusal) return refused(error);
    if (error instanceof ZodError) return refused(invalid(error));
    throw error;
  }
}

function refused(refusal: PspRefusal): Response {
  const headers: Record<string, string> =
    refusal.retryAfterSeconds === null ? {} : { "retry-after": String(refusal.retryAfterSeconds) };
  return jsonText(
    JSON.stringify({ error: { code: refusal.code, message: refusal.message } }),
    refusal.status,
    headers,
  );
}
