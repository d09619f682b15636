import {
  LinkClientMismatch,
  LinkInvalid,
  VerificationExpired,
  VerificationUsed,
} from "#app/domain/identity/errors.ts";
import type { LinkOutcome } from "#app/domain/identity/account/schema.ts";

/** Spec section 4: verified, expired, failed, client mismatch. */
export async function outcomeOf(act: () => Promise<LinkOutcome>): Promise<LinkOutcome> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof LinkInvalid) return "failed";
    if (error instanceof LinkClientMismatch) return "client-mismatch";
    if (error instanceof VerificationExpired) return "expired";
    if (error instanceof VerificationUsed) return "verified";
    throw error;
  }
}
