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
  /** The token that its webhooks carry; several separated by spaces during a rotation. */
  webhookToken: string;
  /** `https://api.asaas.com/v3`, or `https://api-sandbox.asaas.com/v3` for its test environment. */
  apiUrl: string;
  now: () => Instant;
  /** Acquires a lease for the caller. Of two parallel requests Asaas would execute both. */
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
   * Returns what `look` finds, or else what `make` creates. Only one caller at a time, since Asaas
   * accepts no key. Concurrent callers get ProviderUnclear, and find the object later.
   */
  once<Made>(
    subject: string,
    look: () => Promise<Made | null>,
    make: () => Promise<Made>,
  ): Promise<Made>;
  /** Acquires the lease for the caller, for `forMs`. */
  takeTurn(subject: string, forMs: number): Promise<boolean>;
  /** Makes one call and reads its answer. Throws ProviderRefused or ProviderUnclear. */
  ask<Schema extends z.ZodType>(schema: Schema, call: AsaasCall): Promise<z.infer<Schema>>;
};

const PAGE_SIZE = 100;

/** The path of a Pix key's owner lookup. */
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
 * Looks before it acquires a lease, so that only callers without a result need one. The previous
 * holder created its object at the start of a lease that outlasts a list request. So a list that
 * starts after the lease contains the object.
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
 * Classifies an answer. A 400 or 404 is a final refusal. A 401 or 403 means that our key was
 * rejected and nothing happened (ProviderUnauthorized). Everything else leaves the result unknown:
 * network errors, 429 (RateLimit-Reset says when to retry), 5xx, unreadable answers. Source: Asaas,
 * "HTTP response codes" and "API limits".
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
  const description = ofOurAccount(error?.description ?? "");
  // For a refund or a charge, a limit can be the payer's, or a passed date.
  const isOurs =
    path === "/transfers" || path === EXTERNAL_KEYS_PATH || description === "insufficient_balance";
  return (isOurs ? description : null) ?? error?.code ?? "invalid";
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

/** Reads one page of a list by offset. Returns it with the next offset. */
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
 * Finds the first item of a list that `matches`. Null if the whole list was read without a match. A
 * list that does not end within `pages` is inconclusive: ProviderUnclear.
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

/**
 * Converts centavos to reais as Asaas writes them; exact for every whole number of centavos below
 * 2^53.
 */
export const reaisOf = (cents: number): number => cents / 100;
export const centsOf = (reais: number): number => Math.round(reais * 100);
