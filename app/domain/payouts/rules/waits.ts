import { MINUTE_MS } from "#app/domain/time.ts";

/** How long what waits for money at the provider waits for another look. */
export const BALANCE_AGAIN_MS = 10 * MINUTE_MS;
