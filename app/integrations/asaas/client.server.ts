import type { z } from "zod";
import {
  NotAtProvider,
  ProviderRefused,
  ProviderUnauthorized,
  ProviderUnclear,
} from "#app/domain/payments/errors.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  DEFAULT_TIMEOUT_MS,
  exchangeText,
  jsonOf,
  retryAfterMs,
} from "#app/integrations/provider-http.server.ts";
import { errorAnswer, listOf, ofOurAccount } from "./answers.ts";

export type AsaasOptions = {
  apiKey: string;
  /** The token that its webhooks carry; several with spaces between while they are rotated. */
  webhookToken: string;
  /** `https://api.asaas.com/v3`, or `https://api-sandbox.asaas.com/v3` for its test environment. */
  apiUrl: string;
  now: () => Instant;
  /** Whether the caller alone may do this now: Asaas would do it twice for two that ask at once. */
  takeTurn(subject: string, forMs?: number): Promise<boolean>;
  timeoutMs?: number;
};

export type AsaasCall = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
};

export type AsaasApi = {
  now: () => Instant;
  /**
   * What `look` finds, or else what `make` makes: by one caller at once, since Asaas takes no key.
   * Whoever comes meanwhile is told ProviderUnclear, and finds it later.
   */
  once<Made>(
    subject: string,
    look: () => Promise<Made | null>,
    make: () => Promise<Made>,
  ): Promise<Made>;
  /** Whether the caller alone may do this now, for `forMs`. */
  takeTurn(subject: string, forMs: number): Promise<boolean>;
  /** Makes one call and reads its answer. Throws ProviderRefused or ProviderUnclear. */
  ask<Schema extends z.ZodType>(schema: Schema, call: AsaasCall): Promise<z.infer<Schema>>;
};

const PAGE_SIZE = 100;

/** Where whose a key is is asked. */
export const EXTERNAL_KEYS_PATH = "/pix/addressKeys/external";

export function asaasApi(options: AsaasOptions): AsaasApi {
  return {
    now: options.now,
    takeTurn: (subject, forMs) => options.takeTurn(`asaas:${subject}`, forMs),
    once: (subject, look, make) => once(options, subject, { look, make }),
    ask: (schema, call) => exchange(options, schema, call),
  };
}

/**
 * Looked for first, so that only who found nothing needs a turn. Whoever had the turn before made
 * theirs at its beginning, and holds it for longer than a look may take: what they made is in a
 * list that begins afterwards.
 */
async function once<Made>(
  { takeTurn }: AsaasOptions,
  subject: string,
  { look, make }: { look: () => Promise<Made | null>; make: () => Promise<Made> },
): Promise<Made> {
  const found = await look();
  if (found !== null) return found;
  if (!(await takeTurn(`asaas:${subject}`)))
    throw new ProviderUnclear(`${subject} is being asked for by somebody else`);
  return await make();
}

/**
 * A 400 or 404 is no, for good. A 401 or 403 is our key's, and did nothing (ProviderShut).
 * Everything else says nothing of what happened: the network, 429 (which says in RateLimit-Reset
 * when to ask again), 5xx, what cannot be read. Source: Asaas, "HTTP response codes" and "API
 * limits".
 */
async function exchange<Schema extends z.ZodType>(
  options: AsaasOptions,
  schema: Schema,
  call: AsaasCall,
): Promise<z.infer<Schema>> {
  const what = `${call.method} ${call.path}`;
  const { status, headers, text } = await exchangeText(() => fetch(requestOf(options, call)), {
    what,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });
  const json = jsonOf(text);
  if (status === 200) {
    const answer = schema.safeParse(json);
    if (answer.success) return answer.data;
    throw new ProviderUnclear(`${what}: an answer of another shape`);
  }
  const errors = errorAnswer.safeParse(json);
  if (status === 400 && errors.success)
    throw new ProviderRefused(refusalOf(errors.data.errors[0], call));
  if (status === 404) throw new NotAtProvider(errors.data?.errors[0]?.code ?? "not_found");
  if (status === 401 || status === 403) throw new ProviderUnauthorized(`${what}: ${status}`);
  throw new ProviderUnclear(`${what}: ${status}`, {
    retryAfterMs: retryAfterMs(headers.get("retry-after") ?? headers.get("ratelimit-reset")),
  });
}

function refusalOf(
  error: { code: string; description?: string | undefined } | undefined,
  { path }: AsaasCall,
): string {
  const said = ofOurAccount(error?.description ?? "");
  // Of a refund or a charge a limit may be the payer's, or a day that is over.
  const isOurs =
    path === "/transfers" || path === EXTERNAL_KEYS_PATH || said === "insufficient_balance";
  return (isOurs ? said : null) ?? error?.code ?? "invalid";
}

function requestOf(options: AsaasOptions, call: AsaasCall): Request {
  const query = call.query ? `?${new URLSearchParams(call.query).toString()}` : "";
  return new Request(`${options.apiUrl}${call.path}${query}`, {
    method: call.method,
    headers: {
      access_token: options.apiKey,
      "user-agent": "Coreto",
      accept: "application/json",
      ...(call.body ? { "content-type": "application/json" } : {}),
    },
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    redirect: "manual",
  });
}

export const get = (path: string, query?: Record<string, string>): AsaasCall => ({
  method: "GET",
  path,
  ...(query ? { query } : {}),
});

/** One page of a list by offset, and the offset of the next. */
export async function fetchAsaasPage<Schema extends z.ZodType>(
  api: AsaasApi,
  item: Schema,
  {
    path,
    query = {},
    cursor,
    limit = PAGE_SIZE,
  }: { path: string; query?: Record<string, string>; cursor: string | null; limit?: number },
): Promise<{ data: z.infer<Schema>[]; next: string | null }> {
  const offset = Number(cursor ?? "0");
  const list = await api.ask(
    listOf(item),
    get(path, { ...query, limit: String(limit), offset: String(offset) }),
  );
  return {
    data: list.data,
    next: list.hasMore && list.data.length > 0 ? String(offset + list.data.length) : null,
  };
}

/**
 * The first item of a list that `matches`, or null when the whole list was read and none did. A
 * list that does not end within `pages` says nothing: ProviderUnclear.
 */
export async function findIn<Schema extends z.ZodType>(
  api: AsaasApi,
  item: Schema,
  { path, query, pages }: { path: string; query: Record<string, string>; pages: number },
  matches: (item: z.infer<Schema>) => boolean,
): Promise<z.infer<Schema> | null> {
  let cursor: string | null = null;
  for (let page = 0; page < pages; page += 1) {
    const { data, next }: { data: z.infer<Schema>[]; next: string | null } = await fetchAsaasPage(
      api,
      item,
      { path, query, cursor },
    );
    const found = data.find(matches);
    if (found !== undefined) return found;
    if (next === null) return null;
    cursor = next;
  }
  throw new ProviderUnclear(`GET ${path}: a list too long to say that it is not there`);
}

/** Reais as Asaas writes them; exact for every whole number of centavos below 2^53. */
export const reaisOf = (cents: number): number => cents / 100;
export const centsOf = (reais: number): number => Math.round(reais * 100);
