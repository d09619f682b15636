/** A conditional update matched nothing: someone else was there first. Nothing of the batch was kept. */
export class StaleWrite extends Error {
  override readonly name = "StaleWrite";
}

/** A unique index refused the batch. `columns` is what SQLite names: `subscriptions.fan_id, subscriptions.creator_id`. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
  readonly columns: string;

  constructor(columns: string) {
    super(`unique: ${columns}`);
    this.columns = columns;
  }
}

/** A trigger or CHECK refused the batch. `rule` is the word the trigger raised: `ledger_unbalanced`. */
export class RuleViolation extends Error {
  override readonly name = "RuleViolation";
  readonly rule: string;

  constructor(rule: string) {
    super(`rule: ${rule}`);
    this.rule = rule;
  }
}
