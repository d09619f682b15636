import {
  ProviderRefused,
  ProviderUnavailable,
  ProviderUnclear,
} from "#app/domain/payments/errors.ts";

/**
 * What comes of asking a provider because a moderator wants to know now. Refuses ProviderSilent
 * where it does not answer, or refuses to.
 */
export async function asProviderUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof ProviderUnclear || error instanceof ProviderRefused
      ? new ProviderUnavailable()
      : error;
  }
}
