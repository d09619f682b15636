import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { payoutClaimed } from "#app/domain/ledger/rules/payouts.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let creatorId: string;
let transactionId: string;

beforeEach(async () => {
  world = await testContext();
  const ana = await createSeller(world.ctx);
  creatorId = ana.id;
  const charge = await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  const row = await testEnv.DB.prepare("SELECT id FROM ledger_transactions WHERE charge_id = ?")
    .bind(charge.id)
    .first<{ id: string }>();
  transactionId = row?.id ?? "";
});
afterEach(() => expectInvariantsToHold(world.ctx));

const run = (query: string, ...values: unknown[]) =>
  testEnv.DB.prepare(query)
    .bind(...values)
    .run();

describe("the database refuses", () => {
  test("changing an entry", () =>
    expect(
      run("UPDATE ledger_entries SET amount_cents = 1 WHERE transaction_id = ?", transactionId),
    ).rejects.toThrow("ledger_append_only"));
  test("deleting an entry", () =>
    expect(
      run("DELETE FROM ledger_entries WHERE transaction_id = ?", transactionId),
    ).rejects.toThrow("ledger_append_only"));
  test("replacing an entry", () =>
    expect(
      run(
        "INSERT OR REPLACE INTO ledger_entries (id, transaction_id, account_id, amount_cents) SELECT id, transaction_id, account_id, 1 FROM ledger_entries WHERE transaction_id = ? LIMIT 1",
        transactionId,
      ),
    ).rejects.toThrow("ledger_append_only"));
  test("adding entries to a posted transaction", () =>
    expect(
      run(
        "INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents) VALUES (?, ?, 'platform_fees', 5)",
        world.ctx.newId(),
        transactionId,
      ),
    ).rejects.toThrow("ledger_posted"));
  test("deleting a transaction", () =>
    expect(run("DELETE FROM ledger_transactions WHERE id = ?", transactionId)).rejects.toThrow(
      "ledger_append_only",
    ));
  test("unposting a transaction", () =>
    expect(
      run("UPDATE ledger_transactions SET posted_at = NULL WHERE id = ?", transactionId),
    ).rejects.toThrow("ledger_append_only"));
  test("replacing a transaction", () =>
    expect(
      run(
        "INSERT OR REPLACE INTO ledger_transactions (id, source_key, kind, created_at) SELECT id, source_key, 'charge.refunded', 1 FROM ledger_transactions WHERE id = ?",
        transactionId,
      ),
    ).rejects.toThrow("ledger_append_only"));
  test("a second transaction with the same source key", () =>
    expect(
      run(
        "INSERT INTO ledger_transactions (id, source_key, kind, created_at) SELECT 'other' || id, source_key, kind, 1 FROM ledger_transactions WHERE id = ?",
        transactionId,
      ),
    ).rejects.toThrow("ledger_source_exists"));
  test("inserting a transaction as posted", () =>
    expect(
      run(
        "INSERT INTO ledger_transactions (id, source_key, kind, created_at, posted_at) VALUES (?, ?, 'x', 1, 1)",
        world.ctx.newId(),
        world.ctx.newId(),
      ),
    ).rejects.toThrow("ledger_posted_unbalanced"));
  test("inserting an account with a balance", () =>
    expect(
      run(
        "INSERT INTO ledger_accounts (id, kind, normal_side, has_floor, balance_cents) VALUES (?, 'creator_available', -1, 1, -100)",
        world.ctx.newId(),
      ),
    ).rejects.toThrow("ledger_balance_by_hand"));
  test("removing the floor of an account", () =>
    expect(
      run("UPDATE ledger_accounts SET has_floor = 0 WHERE id = ?", `creator_pending:${creatorId}`),
    ).rejects.toThrow("ledger_append_only"));
  test("deleting an account", () =>
    expect(
      run("DELETE FROM ledger_accounts WHERE id = ?", `creator_pending:${creatorId}`),
    ).rejects.toThrow("ledger_append_only"));

  test("an unbalanced posting, with all of its batch", async () => {
    const id = world.ctx.newId();
    const batch = testEnv.DB.batch([
      testEnv.DB.prepare(
        "INSERT INTO ledger_transactions (id, source_key, kind, created_at) VALUES (?, ?, 'x', 1)",
      ).bind(id, id),
      testEnv.DB.prepare(
        "INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents) VALUES (?, ?, 'platform_fees', 5)",
      ).bind(`${id}-0`, id),
      testEnv.DB.prepare(
        "INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents) VALUES (?, ?, ?, -4)",
      ).bind(`${id}-1`, id, `creator_pending:${creatorId}`),
      testEnv.DB.prepare("UPDATE ledger_transactions SET posted_at = 1 WHERE id = ?").bind(id),
    ]);
    await expect(batch).rejects.toThrow("ledger_unbalanced");
    expect(
      await testEnv.DB.prepare("SELECT 1 FROM ledger_transactions WHERE id = ?").bind(id).first(),
    ).toBeNull();
  });
});

describe("an account row refuses, in raw SQL", () => {
  test.each([
    [
      "a balance without a posting",
      "UPDATE ledger_accounts SET balance_cents = balance_cents - 999999 WHERE id = ?",
      "ledger_balance_by_hand",
    ],
    [
      "a balance without a posting, as an account that exists",
      "INSERT INTO ledger_accounts (id, kind, normal_side, has_floor) VALUES (?, 'x', 1, 0) ON CONFLICT (id) DO UPDATE SET balance_cents = -5",
      "ledger_account",
    ],
    [
      "a balance without a posting, as the same account",
      "INSERT INTO ledger_accounts SELECT * FROM ledger_accounts WHERE id = ? ON CONFLICT (id) DO UPDATE SET balance_cents = balance_cents - 5",
      "ledger_balance_by_hand",
    ],
    [
      "another owner",
      "UPDATE ledger_accounts SET owner_id = 'mallory' WHERE id = ?",
      "ledger_append_only",
    ],
    ["no owner", "UPDATE ledger_accounts SET owner_id = NULL WHERE id = ?", "ledger_append_only"],
    [
      "a reset to zero",
      "INSERT OR REPLACE INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) SELECT id, kind, owner_id, normal_side, has_floor FROM ledger_accounts WHERE id = ?",
      "ledger_append_only",
    ],
    [
      "a reset to zero without a floor",
      "INSERT OR REPLACE INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) SELECT id, kind, owner_id, normal_side, 0 FROM ledger_accounts WHERE id = ?",
      "ledger_account",
    ],
    [
      "its row replaced by another",
      "INSERT OR REPLACE INTO ledger_accounts (rowid, id, kind, owner_id, normal_side, has_floor) SELECT rowid, 'creator_pending:mallory', kind, 'mallory', normal_side, has_floor FROM ledger_accounts WHERE id = ?",
      "ledger_append_only",
    ],
    [
      "its row taken by another account",
      "UPDATE OR REPLACE ledger_accounts SET rowid = (SELECT rowid FROM ledger_accounts WHERE id = ?) WHERE id = 'platform_fees'",
      "ledger_append_only",
    ],
  ])("%s", async (_, query, rule) => {
    await expect(run(query, `creator_pending:${creatorId}`)).rejects.toThrow(rule);
  });

  const account = (
    ...values: [id: string, kind: string, ownerId: string | null, side: number, hasFloor: number]
  ) =>
    testEnv.DB.prepare(
      "INSERT INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) VALUES (?, ?, ?, ?, ?)",
    ).bind(...values);
  const born = (...values: Parameters<typeof account>) => account(...values).run();

  test.each(Object.entries(ledgerAccountKinds))(
    "%s with another side, floor or owner, and accepts the right ones",
    async (kind, { normalSide, hasFloor }) => {
      const ownerId = world.ctx.newId();
      const id = `${kind}:${ownerId}`;
      await expect(born(id, kind, ownerId, -normalSide, Number(hasFloor))).rejects.toThrow(
        "ledger_account",
      );
      await expect(born(id, kind, ownerId, normalSide, Number(!hasFloor))).rejects.toThrow(
        "ledger_account",
      );
      await expect(born(id, kind, "mallory", normalSide, Number(hasFloor))).rejects.toThrow(
        "ledger_account",
      );
      await expect(born(id, kind, null, normalSide, Number(hasFloor))).rejects.toThrow(
        "ledger_account",
      );
      // The following insert is refused, so that no account without an owner stays.
      await expect(
        testEnv.DB.batch([
          account(id, kind, ownerId, normalSide, Number(hasFloor)),
          testEnv.DB.prepare("SELECT json('stale')"),
        ]),
      ).rejects.toThrow("malformed JSON");
    },
  );

  test("an unknown kind", () =>
    expect(born("creator_savings:x", "creator_savings", "x", -1, 1)).rejects.toThrow(
      "ledger_account",
    ));
});

describe("the database refuses to reuse the rowid", () => {
  test("of an entry", async () => {
    const id = world.ctx.newId();
    const batch = testEnv.DB.batch([
      testEnv.DB.prepare(
        "INSERT INTO ledger_transactions (id, source_key, kind, created_at) VALUES (?, ?, 'x', 1)",
      ).bind(id, id),
      testEnv.DB.prepare(
        "INSERT OR REPLACE INTO ledger_entries (rowid, id, transaction_id, account_id, amount_cents) SELECT rowid, ?, ?, account_id, amount_cents FROM ledger_entries WHERE transaction_id = ? LIMIT 1",
      ).bind(id, id, transactionId),
    ]);
    await expect(batch).rejects.toThrow("ledger_append_only");
  });
  test("of a transaction", () =>
    expect(
      run(
        "INSERT OR REPLACE INTO ledger_transactions (rowid, id, source_key, kind, created_at) SELECT rowid, 'x' || id, 'x' || id, kind, 1 FROM ledger_transactions WHERE id = ?",
        transactionId,
      ),
    ).rejects.toThrow("ledger_append_only"));
  test("of a transaction, for one that moves to it", async () => {
    const id = world.ctx.newId();
    const batch = testEnv.DB.batch([
      testEnv.DB.prepare(
        "INSERT INTO ledger_transactions (id, source_key, kind, created_at) VALUES (?, ?, 'x', 1)",
      ).bind(id, id),
      testEnv.DB.prepare(
        "INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents, posted_at) SELECT ? || id, ?, account_id, amount_cents, 1800000000000 FROM ledger_entries WHERE transaction_id = ?",
      ).bind(id, id, transactionId),
      testEnv.DB.prepare(
        "UPDATE OR REPLACE ledger_transactions SET posted_at = 1800000000000, rowid = (SELECT rowid FROM ledger_transactions WHERE id = ?) WHERE id = ?",
      ).bind(transactionId, id),
    ]);
    await expect(batch).rejects.toThrow("ledger_append_only");
  });
});

test("the database refuses the temporary posting time that unlocks balances when set by hand, and no posting keeps it", async () => {
  const id = world.ctx.newId();
  await expect(
    testEnv.DB.batch([
      testEnv.DB.prepare(
        "INSERT INTO ledger_transactions (id, source_key, kind, created_at) VALUES (?, ?, 'x', 1)",
      ).bind(id, id),
      testEnv.DB.prepare(
        "INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents, posted_at) VALUES (?, ?, 'platform_fees', 5, -1)",
      ).bind(`${id}-0`, id),
      testEnv.DB.prepare(
        "INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents, posted_at) VALUES (?, ?, ?, -5, -1)",
      ).bind(`${id}-1`, id, `creator_pending:${creatorId}`),
      testEnv.DB.prepare("UPDATE ledger_transactions SET posted_at = -1 WHERE id = ?").bind(id),
    ]),
  ).rejects.toThrow("ledger_append_only");
  expect(
    await testEnv.DB.prepare("SELECT 1 FROM ledger_transactions WHERE posted_at < 0").first(),
  ).toBeNull();
});

test("a balance cannot go below its floor", async () => {
  const posting = payoutClaimed({
    payoutId: world.ctx.newId(),
    creatorId,
    provider: "sandbox",
    amountCents: 1,
  });
  await expect(commit(world.ctx.db, postingStatements(world.ctx, posting))).rejects.toThrow(
    new RuleViolation("ledger_floor"),
  );
});

test.each([
  [
    "a charge whose parts do not add up",
    "UPDATE charges SET net_cents = net_cents + 1 WHERE creator_id = ?",
    "immutable_split",
  ],
  [
    "a charge refunded above itself",
    "UPDATE charges SET refunded_cents = amount_cents + 1 WHERE creator_id = ?",
    "immutable_over_refund",
  ],
  [
    "an unknown state of a charge",
    "UPDATE charges SET status = 'paid' WHERE creator_id = ?",
    "unknown_state",
  ],
  [
    "an unknown state of a subscription",
    "UPDATE subscriptions SET status = 'live' WHERE creator_id = ?",
    "unknown_state",
  ],
  [
    "a second live subscription",
    `INSERT INTO subscriptions (id, fan_id, creator_id, plan_id, plan_price_id, interval, amount_cents, method, status, created_at, updated_at)
     SELECT 'x' || id, fan_id, creator_id, plan_id, plan_price_id, interval, amount_cents, method, 'active', 1, 1 FROM subscriptions WHERE creator_id = ?`,
    "UNIQUE",
  ],
])("the database refuses %s", async (_, query, rule) => {
  await expect(run(query, creatorId)).rejects.toThrow(rule);
});
