import {
  ProviderRefused,
  ProviderUnavailable,
  ProviderUnclear,
} from "#app/domain/payments/errors.ts";

/**
 * Runs a provider request that a moderator waits for. Throws ProviderUnavailable if the provider
 * does not answer or refuses.
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
