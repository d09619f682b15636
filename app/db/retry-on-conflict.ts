import { RuleViolation, StaleWrite, UniqueViolation } from "./errors.ts";

/** How often a command re-reads and decides again when somebody else was faster. */
const ATTEMPTS = 4;

/**
 * Runs `attempt` again, with fresh reads, when its batch was refused because the rows had moved
 * meanwhile. The batch is all or nothing, so that a second run repeats no effect. What is refused
 * each time is thrown: `ledger_key_reused` says that a posting's key is there with other content.
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      const moved =
        error instanceof StaleWrite ||
        error instanceof UniqueViolation ||
        (error instanceof RuleViolation &&
          (error.rule.startsWith("ledger_") ||
            error.rule === "checkout_open" ||
            error.rule === "immutable_vacation"));
      if (!moved || left <= 1) throw error;
    }
  }
}

/**
 * `retryOnConflict` for a decision by a snapshot: the first attempt takes the one that the caller
 * has just read, if any; every other attempt loads a fresh one.
 */
export async function retryWithFreshSnapshot<Snapshot, Result>(
  { given, load }: { given: Snapshot | null; load: () => Promise<Snapshot | null> },
  attempt: (snapshot: Snapshot | null) => Promise<Result>,
): Promise<Result> {
  let unused = given;
  return await retryOnConflict(async () => {
    const snapshot = unused ?? (await load());
    unused = null;
    return await attempt(snapshot);
  });
}
