import { RuleViolation, StaleWrite, UniqueViolation } from "./errors.ts";

/** How often a command re-reads and decides again after a conflicting write. */
const ATTEMPTS = 4;

/**
 * Runs `attempt` again, with fresh reads, when its batch was refused because rows had changed. The
 * batch is all or nothing, so that a second run repeats no effect. A refusal of the last attempt is
 * thrown. `ledger_key_reused` means that the posting's key exists with other content.
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
 * Runs `retryOnConflict` for a decision by a snapshot. The first attempt uses the snapshot that the
 * caller just read, if any. Every other attempt loads a fresh one.
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
