import type { AgeCheck } from "#app/domain/age/schema.ts";
import { readAgeCheckAnswer, signAgeCheckRequest } from "./tokens.ts";

/** The path that the local front door handles (workers/local). */
export const LOCAL_AGE_CHECK_PATH = "/sandbox-age";

type Local = { secret: string; origin: string; realNow: () => number };

/**
 * AgeCheck for development and tests. A page of the local front door accepts any answer, and
 * returns a signed reference.
 */
export function localAgeCheck({ secret, origin, realNow }: Local): AgeCheck {
  return {
    name: "local",
    async begin({ checkId, returnTo }) {
      return `${origin}${LOCAL_AGE_CHECK_PATH}/${await signAgeCheckRequest(secret, { checkId, returnTo, now: realNow() })}`;
    },
    async answer({ checkId, reference }) {
      const answer = await readAgeCheckAnswer(secret, reference, { checkId, now: realNow() });
      return answer === null ? "unknown" : answer.isAdult ? "yes" : "no";
    },
  };
}
