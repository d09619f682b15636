import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { symmetricEncrypt } from "better-auth/crypto";
import { createOTP } from "@better-auth/utils/otp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { passwordHashOf } from "#app/integrations/local-identity/registration/registration.server.ts";
import { clerkUsers, LOCAL_PEOPLE, werkzeugDigest } from "#scripts/clerk-users.ts";
import type { ClerkImportUser } from "#scripts/clerk-users.ts";
import { inRoot } from "#scripts/paths.ts";
import { werkzeugAccepts } from "#tests/support/werkzeug.ts";
import { DEMO_PASSWORD } from "#drizzle/seed/life/people.ts";

const SECRET = "a secret of thirty-two letters, or more";
const directory = mkdtempSync(join(tmpdir(), "coreto-export-"));
const file = join(directory, "product.sqlite");

function people(database: DatabaseSync, passwordHash: string, factor: string): void {
  const user = database.prepare(
    "INSERT INTO auth_users (id, name, email, username, created_at, updated_at) VALUES (?, ?, ?, ?, 1, 1)",
  );
  const person = database.prepare(
    "INSERT INTO people (id, provider, provider_user_id, email, created_at, deleted_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const email = database.prepare(
    "INSERT INTO auth_emails (id, user_id, email, is_primary, verified_at, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  for (const [id, name, verifiedAt, deletedAt] of [
    ["ana", "Ana Maria Lira", 5, null],
    ["bruno", "Bruno", 5, null],
    ["novo", "Novo", null, null],
    ["foi", "Foi", 5, 9],
  ] as const) {
    user.run(id, name, `${id}@coreto.test`, id);
    person.run(`person-${id}`, "local", id, `${id}@coreto.test`, 1_000, deletedAt);
    email.run(`e-${id}`, id, `${id}@coreto.test`, 1, verifiedAt, 1);
  }
  person.run("person-outra", "clerk", "user_1", "outra@coreto.test", 1, null);
  email.run("e-2", "ana", "ana@banda.test", 0, 7, 2);
  email.run("e-3", "ana", "nunca@banda.test", 0, null, 3);
  database
    .prepare(
      "INSERT INTO auth_phones (id, user_id, phone, is_primary, verified_at, created_at) VALUES ('f', 'ana', '+5581999990000', 1, 5, 1)",
    )
    .run();
  database
    .prepare(
      "INSERT INTO auth_accounts (id, account_id, provider_id, user_id, password, created_at, updated_at) VALUES ('a', 'ana', 'credential', 'ana', ?, 1, 1)",
    )
    .run(passwordHash);
  database
    .prepare(
      "INSERT INTO auth_second_factors (user_id, secret, created_at, confirmed_at) VALUES ('ana', ?, 1, 2)",
    )
    .run(factor);
  database
    .prepare(
      "INSERT INTO auth_passkeys (id, user_id, name, public_key, counter, transports, created_at) VALUES ('k', 'bruno', 'Celular', 'p', 0, '[]', 1)",
    )
    .run();
}

beforeAll(async () => {
  const database = new DatabaseSync(file);
  // This database need not survive a crash, and a busy disk takes long over seventy migrations.
  database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  const migrations = inRoot("drizzle", "migrations");
  for (const name of readdirSync(migrations)
    .filter((one) => one.endsWith(".sql"))
    .sort())
    database.exec(readFileSync(join(migrations, name), "utf8"));
  people(
    database,
    await passwordHashOf(DEMO_PASSWORD),
    await symmetricEncrypt({ key: SECRET, data: "twenty letters, more" }),
  );
  database.close();
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function exported(to: string, environment: Record<string, string>) {
  return spawnSync(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      inRoot("scripts", "export-people.ts"),
      "--from",
      file,
      "--to",
      to,
    ],
    { encoding: "utf8", env: { ...process.env, ...environment } },
  );
}

describe("member export for Clerk", () => {
  test("the demo password matches the exported hash under another scrypt implementation, a wrong one does not", async () => {
    const digest = werkzeugDigest(await passwordHashOf(DEMO_PASSWORD)) ?? "";
    expect(werkzeugAccepts(digest, DEMO_PASSWORD)).toBe(true);
    expect(werkzeugAccepts(digest, `${DEMO_PASSWORD} `)).toBe(false);
  });

  test("a hash in another format is not exported", () => {
    for (const other of [
      "",
      "a:b",
      "$2b$10$abcdefghijklmnopqrstuv",
      `${"0".repeat(32)}:${"0".repeat(127)}`,
    ])
      expect(werkzeugDigest(other)).toBeNull();
  });

  test("exports the id, confirmed addresses, names, hash and second factor; no deleted or unconfirmed members", async () => {
    const found = await clerkUsers(
      new DatabaseSync(file, { readOnly: true }).prepare(LOCAL_PEOPLE).all(),
      { authSecret: SECRET },
    );
    const [ana, bruno] = found.users;
    expect(found.users).toHaveLength(2);
    expect(ana).toMatchObject({
      userId: "person-ana",
      email: ["ana@coreto.test", "ana@banda.test"],
      phone: ["+5581999990000"],
      username: "ana",
      firstName: "Ana",
      lastName: "Maria Lira",
      passwordHasher: "scrypt_werkzeug",
      createdAt: "1970-01-01T00:00:01.000Z",
    });
    expect(werkzeugAccepts(ana?.password ?? "", DEMO_PASSWORD)).toBe(true);
    expect(ana?.totpSecret).toBe(
      new URL(createOTP("twenty letters, more").url("x", "y")).searchParams.get("secret"),
    );
    expect(bruno).toEqual({
      userId: "person-bruno",
      email: ["bruno@coreto.test"],
      username: "bruno",
      firstName: "Bruno",
      createdAt: "1970-01-01T00:00:01.000Z",
      skipLegalChecks: true,
    });
    expect(found).toMatchObject({
      unprovenCount: 1,
      withoutPasswordCount: 1,
      passkeysLeftCount: 1,
      factorsLeftCount: 0,
    });
  });

  test("writes a file readable by its owner only, prints no hash, and never overwrites a file", () => {
    const to = join(directory, "users.json");
    const done = exported(to, { AUTH_SECRET: "another one" });
    expect(done.status).toBe(0);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    const users = JSON.parse(readFileSync(to, "utf8")) as ClerkImportUser[];
    expect(users.map(({ userId }) => userId)).toEqual(["person-ana", "person-bruno"]);
    expect(users[0]).not.toHaveProperty("totpSecret");
    expect(done.stdout).toContain("2 people written");
    expect(done.stdout).toContain("1 lose their second factor");
    expect(done.stdout + done.stderr).not.toContain("scrypt:");
    expect(done.stdout + done.stderr).not.toContain("@coreto.test");
    expect(exported(to, {}).status).not.toBe(0);
    expect(exported(join(directory, "none", "users.json"), {}).status).not.toBe(0);
    expect(existsSync(join(directory, "none"))).toBe(false);
  });
});
