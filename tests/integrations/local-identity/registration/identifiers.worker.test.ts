import { describe, expect, test } from "vitest";
import { commit, openDatabase } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import { userByIdentifier } from "#app/integrations/local-identity/registration/identifiers.server.ts";
import { registrationStatements } from "#app/integrations/local-identity/registration/registration.server.ts";
import { authEmails, authPhones } from "#drizzle/schema/local-contacts.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const counted = countedDatabase(testEnv.DB);
const db = openDatabase(counted.database);
let lastPhone = 10_000_000;

type User = { userId: string; username: string; email: string };

async function user({ username }: { username?: string } = {}): Promise<User> {
  const made = { ...signUpFields(), userId: crypto.randomUUID() };
  const named = { ...made, username: username ?? made.username };
  await commit(
    db,
    registrationStatements(db, {
      ...named,
      by: { kind: "password", passwordHash: "x" },
      isEmailVerified: false,
      createdAt: 1,
    }),
  );
  return named;
}

function freshPhone(): string {
  lastPhone += 1;
  return `+55119${lastPhone}`;
}

async function withEmail(
  { userId }: User,
  { isVerified }: { isVerified: boolean },
): Promise<string> {
  const { email } = signUpFields();
  await db.insert(authEmails).values({
    id: crypto.randomUUID(),
    userId,
    address: email,
    verifiedAt: isVerified ? 2 : null,
    createdAt: 1,
  });
  return email;
}

async function withPhone(
  { userId }: User,
  { phone, isVerified }: { phone: string; isVerified: boolean },
): Promise<void> {
  await commit(db, [
    db.insert(authPhones).values({
      id: crypto.randomUUID(),
      userId,
      address: phone,
      verifiedAt: isVerified ? 2 : null,
      createdAt: 1,
    }),
  ]);
}

const idOf = async (identifier: string) => (await userByIdentifier(db, identifier))?.id ?? null;

describe("an account is found by", () => {
  test("its username and its first e-mail address, in any letter case", async () => {
    const lia = await user();
    for (const identifier of [
      lia.username,
      lia.username.toUpperCase(),
      lia.email,
      ` ${lia.email.toUpperCase()} `,
    ])
      expect(await idOf(identifier)).toBe(lia.userId);
  });

  test("every confirmed e-mail address, and no unconfirmed one", async () => {
    const lia = await user();
    expect(await idOf(await withEmail(lia, { isVerified: true }))).toBe(lia.userId);
    expect(await idOf(await withEmail(lia, { isVerified: false }))).toBeNull();
  });

  test("every confirmed phone in any format, and no unconfirmed one", async () => {
    const lia = await user();
    const [phone, typed] = [freshPhone(), freshPhone()];
    await withPhone(lia, { phone, isVerified: true });
    await withPhone(lia, { phone: typed, isVerified: false });
    const national = phone.slice(3);
    for (const identifier of [
      phone,
      national,
      `(${national.slice(0, 2)}) ${national.slice(2, 7)}-${national.slice(7)}`,
    ])
      expect(await idOf(identifier)).toBe(lia.userId);
    expect(await idOf(typed)).toBeNull();
  });

  test("the confirmed phone rather than another account's old username of the same digits", async () => {
    const phone = freshPhone();
    const [digits, lia] = [await user({ username: phone.slice(3) }), await user()];
    expect(await idOf(phone.slice(3))).toBe(digits.userId);
    await withPhone(lia, { phone, isVerified: true });
    expect(await idOf(phone.slice(3))).toBe(lia.userId);
  });
});

test("an identifier lookup takes one database round trip, whether the account exists or not", async () => {
  const lia = await user();
  for (const identifier of [
    lia.email,
    lia.username,
    signUpFields().email,
    signUpFields().username,
    freshPhone(),
    "",
  ]) {
    counted.reset();
    await userByIdentifier(db, identifier);
    expect(counted.count()).toBe(1);
  }
});

describe("the database refuses", () => {
  test("one confirmed address or number for two accounts, and allows any unconfirmed one", async () => {
    const [lia, rui] = [await user(), await user()];
    const email = await withEmail(lia, { isVerified: true });
    const again = (verifiedAt: number | null) =>
      commit(db, [
        db.insert(authEmails).values({
          id: crypto.randomUUID(),
          userId: rui.userId,
          address: email,
          verifiedAt,
          createdAt: 1,
        }),
      ]);
    await expect(again(2)).rejects.toBeInstanceOf(UniqueViolation);
    await again(null);
    const phone = freshPhone();
    await withPhone(lia, { phone, isVerified: true });
    await expect(withPhone(rui, { phone, isVerified: true })).rejects.toBeInstanceOf(
      UniqueViolation,
    );
    await withPhone(rui, { phone, isVerified: false });
  });

  test("a second primary address, and another account's first address", async () => {
    const [lia, rui] = [await user(), await user()];
    const second = db.insert(authEmails).values({
      id: crypto.randomUUID(),
      userId: lia.userId,
      address: signUpFields().email,
      isPrimary: true,
      createdAt: 1,
    });
    await expect(commit(db, [second])).rejects.toBeInstanceOf(UniqueViolation);
    const hers = db.insert(authEmails).values({
      id: crypto.randomUUID(),
      userId: rui.userId,
      address: lia.email,
      verifiedAt: 2,
      createdAt: 1,
    });
    await expect(commit(db, [hers])).rejects.toBeInstanceOf(UniqueViolation);
  });
});
