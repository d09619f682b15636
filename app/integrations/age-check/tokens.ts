import { z } from "zod";
import { keyedHash, sameHash } from "#app/lib/secrets.ts";

/** Enough time to read a page and press a button. */
const REQUEST_LASTS_MS = 60 * 60 * 1_000;
/** Enough time for a redirect. */
const ANSWER_LASTS_MS = 10 * 60 * 1_000;

const requestSchema = z.object({
  kind: z.literal("request"),
  checkId: z.string(),
  returnTo: z.url(),
  until: z.number(),
});
const answerSchema = z.object({
  kind: z.literal("answer"),
  checkId: z.string(),
  isAdult: z.boolean(),
  until: z.number(),
});

export type AgeCheckRequest = z.infer<typeof requestSchema>;

/** Signs a request to the local age check, for an address. */
export function signAgeCheckRequest(
  secret: string,
  asked: { checkId: string; returnTo: string; now: number },
): Promise<string> {
  const { checkId, returnTo, now } = asked;
  return signed(secret, {
    kind: "request",
    checkId,
    returnTo,
    until: now + REQUEST_LASTS_MS,
  } satisfies AgeCheckRequest);
}

/** Verifies a request; null if it is forged or expired. */
export async function readAgeCheckRequest(
  secret: string,
  token: string,
  now: number,
): Promise<AgeCheckRequest | null> {
  const request = requestSchema.safeParse(await opened(secret, token));
  return request.success && request.data.until > now ? request.data : null;
}

/** Signs the reference with which a person returns. */
export function signAgeCheckAnswer(
  secret: string,
  { checkId, isAdult, now }: { checkId: string; isAdult: boolean; now: number },
): Promise<string> {
  return signed(secret, {
    kind: "answer",
    checkId,
    isAdult,
    until: now + ANSWER_LASTS_MS,
  } satisfies z.infer<typeof answerSchema>);
}

/** Reads the answer of a reference; null if it is forged, expired, or of another check. */
export async function readAgeCheckAnswer(
  secret: string,
  reference: string,
  { checkId, now }: { checkId: string; now: number },
): Promise<{ isAdult: boolean } | null> {
  const answer = answerSchema.safeParse(await opened(secret, reference));
  return answer.success && answer.data.checkId === checkId && answer.data.until > now
    ? { isAdult: answer.data.isAdult }
    : null;
}

async function signed(secret: string, content: object): Promise<string> {
  const text = encodeURIComponent(JSON.stringify(content));
  return `${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}.${await keyedHash(secret, "age check", text)}`;
}

async function opened(secret: string, token: string): Promise<unknown> {
  const [body = "", hash = ""] = token.split(".");
  try {
    const text = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
    return sameHash(hash, await keyedHash(secret, "age check", text))
      ? JSON.parse(decodeURIComponent(text))
      : null;
  } catch {
    return null;
  }
}
