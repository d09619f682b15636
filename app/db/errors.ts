import { DrizzleQueryError } from "drizzle-orm";

/** A conditional update matched nothing: another write came first. Nothing of the batch was saved. */
export class StaleWrite extends Error {
  override readonly name = "StaleWrite";
}

/**
 * A unique index refused the batch. `columns` is what SQLite names: `subscriptions.fan_id,
 * subscriptions.creator_id`.
 */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
  readonly columns: string;

  constructor(columns: string) {
    super(`unique: ${columns}`);
    this.columns = columns;
  }
}

/**
 * A trigger or CHECK refused the batch. `rule` is the text that the trigger raised:
 * `ledger_unbalanced`.
 */
export class RuleViolation extends Error {
  override readonly name = "RuleViolation";
  readonly rule: string;

  constructor(rule: string) {
    super(`rule: ${rule}`);
    this.rule = rule;
  }
}

export type LoggedFault = {
  name: string;
  message: string;
  cause: string | null;
  stack: string | null;
};

/** Returns the loggable part of a fault. A failed query loses its values, which are personal data. */
export function loggableFault(error: unknown): LoggedFault {
  const fault = error instanceof Error ? error : new Error(String(error));
  const { cause } = fault;
  const values = fault instanceof DrizzleQueryError ? `\nparams: ${fault.params}` : "";
  const withoutValues = (text: string) => (values === "" ? text : text.replaceAll(values, ""));
  return {
    name: fault.name,
    message: withoutValues(fault.message),
    cause: cause instanceof Error ? cause.message : null,
    stack: fault.stack === undefined ? null : withoutValues(fault.stack),
  };
}

/** Formats a fault as one line of the log. */
export function faultText(error: unknown): string {
  const { name, message, cause } = loggableFault(error);
  return `${name}: ${message}${cause === null ? "" : ` (${cause})`}`;
}
