import { requestCookie } from "#app/lib/cookies.ts";
import { keyedHash, randomToken, sameHash } from "#app/lib/secrets.ts";

const NAME = "__Host-coreto-device";
const LIFE_SECONDS = 365 * 24 * 60 * 60;

/**
 * The cookie of a browser in which `userId` signed in. It authenticates nobody; it only separates
 * the owner's attempts from those of strangers. The next person to sign in here replaces it.
 */
export async function deviceCookie(secret: string, userId: string): Promise<string> {
  const device = randomToken();
  return `${NAME}=${device}.${await hashOf(secret, device, userId)}; Path=/; Max-Age=${LIFE_SECONDS}; HttpOnly; Secure; SameSite=Lax`;
}

/** The known device of a request, if `userId` signed in on it; null otherwise. */
export async function deviceOf(
  secret: string,
  request: Request,
  userId: string,
): Promise<string | null> {
  const [device = "", hash = ""] = (requestCookie(request, NAME) ?? "").split(".");
  return sameHash(hash, await hashOf(secret, device, userId)) ? device : null;
}

const hashOf = (secret: string, device: string, userId: string): Promise<string> =>
  keyedHash(secret, "device", device, userId);
