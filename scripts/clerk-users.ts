import { createOTP } from "@better-auth/utils/otp";
import { symmetricDecrypt } from "better-auth/crypto";
import { z } from "zod";

/**
 * One user of `users.json`, as Clerk's own migration tool reads it
 * (github.com/clerk/migration-tool, `userSchema`). `userId` becomes the `external_id`.
 */
export type ClerkImportUser = {
  userId: string;
  /** Verified emails, the primary first. */
  email: string[];
  phone?: string[];
  username?: string;
  firstName?: string;
  lastName?: string;
  password?: string;
  passwordHasher?: "scrypt_werkzeug";
  totpSecret?: string;
  createdAt: string;
  legalAcceptedAt?: string;
  skipLegalChecks: true;
};

/** How many people are exported, and how many cannot be, or only in part. */
export type ClerkExport = {
  users: ClerkImportUser[];
  /** Clerk accepts nobody without a verified address. */
  unprovenCount: number;
  /** They need `skip_password_requirement`: they sign in by passkey, wallet or external account. */
  withoutPasswordCount: number;
  /** Passkeys are bound to the site that created them, so they must be created again. */
  passkeysLeftCount: number;
  /** Second factors whose secret could not be read, because AUTH_SECRET is missing or different. */
  factorsLeftCount: number;
};

const rowSchema = z.object({
  personId: z.string(),
  createdAt: z.number(),
  acceptedAt: z.number().nullable(),
  name: z.string(),
  username: z.string().nullable(),
  passwordHash: z.string().nullable(),
  factor: z.string().nullable(),
  passkeys: z.number(),
  emails: z.string(),
  phones: z.string(),
});
const listSchema = z.array(z.string());

/**
 * Everybody who signs in by the embedded identity, with their sign-in methods; deleted accounts are
 * excluded.
 */
export const LOCAL_PEOPLE = `
  SELECT p.id AS personId, p.created_at AS createdAt, (SELECT MAX(t.accepted_at) FROM terms_acceptances t WHERE t.person_id = p.id) AS acceptedAt,
    u.name, u.username, a.password AS passwordHash,
    (SELECT f.secret FROM auth_second_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS factor,
    (SELECT COUNT(*) FROM auth_passkeys k WHERE k.user_id = u.id) AS passkeys,
    (SELECT json_group_array(e.email) FROM (SELECT email FROM auth_emails WHERE user_id = u.id AND verified_at IS NOT NULL ORDER BY is_primary DESC, created_at) e) AS emails,
    (SELECT json_group_array(n.phone) FROM (SELECT phone FROM auth_phones WHERE user_id = u.id AND verified_at IS NOT NULL ORDER BY is_primary DESC, created_at) n) AS phones
  FROM people p JOIN auth_users u ON u.id = p.provider_user_id
  LEFT JOIN auth_accounts a ON a.user_id = u.id AND a.provider_id = 'credential'
  WHERE p.provider = 'local' AND p.deleted_at IS NULL
  ORDER BY p.created_at, p.id`;

/**
 * Converts the rows of `LOCAL_PEOPLE` to Clerk's format. `authSecret` is needed to read the secrets
 * of second factors. Backup codes cannot move, because we store only hashes.
 */
export async function clerkUsers(
  rows: readonly unknown[],
  { authSecret }: { authSecret: string | null },
): Promise<ClerkExport> {
  const found: ClerkExport = {
    users: [],
    unprovenCount: 0,
    withoutPasswordCount: 0,
    passkeysLeftCount: 0,
    factorsLeftCount: 0,
  };
  for (const row of z.array(rowSchema).parse(rows)) {
    const [email, phone] = [
      listSchema.parse(JSON.parse(row.emails)),
      listSchema.parse(JSON.parse(row.phones)),
    ];
    if (email.length === 0 && phone.length === 0) {
      found.unprovenCount += 1;
      continue;
    }
    const totpSecret = row.factor === null ? null : await openedSecret(row.factor, authSecret);
    const digest = row.passwordHash === null ? null : werkzeugDigest(row.passwordHash);
    found.passkeysLeftCount += row.passkeys;
    if (row.factor !== null && totpSecret === null) found.factorsLeftCount += 1;
    if (digest === null) found.withoutPasswordCount += 1;
    found.users.push({
      userId: row.personId,
      email,
      ...(phone.length > 0 ? { phone } : {}),
      ...(row.username === null ? {} : { username: row.username }),
      ...namesOf(row.name),
      ...(digest === null ? {} : { password: digest, passwordHasher: "scrypt_werkzeug" as const }),
      ...(totpSecret === null ? {} : { totpSecret }),
      createdAt: new Date(row.createdAt).toISOString(),
      ...(row.acceptedAt === null
        ? {}
        : { legalAcceptedAt: new Date(row.acceptedAt).toISOString() }),
      skipLegalChecks: true,
    });
  }
  return found;
}

/**
 * Converts a better-auth password hash to the Werkzeug format without computing it again.
 * better-auth stores `salt:key` in hexadecimal, from scrypt with N 16384, r 16, p 1 and 64 bytes,
 * over the salt's hex text. Werkzeug states its parameters (`scrypt:N:r:p$salt$key`) and also uses
 * the salt's text and 64 bytes. better-auth first normalises a password to Unicode NFKC. A password
 * typed in another form (full-width letters, say) must be reset at Clerk.
 */
export function werkzeugDigest(hash: string): string | null {
  const [, salt, key] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(hash) ?? [];
  return salt && key ? `scrypt:16384:16:1$${salt}$${key}` : null;
}

/** Decrypts a second-factor secret, in base32 as authenticators use it. */
async function openedSecret(sealed: string, authSecret: string | null): Promise<string | null> {
  if (authSecret === null) return null;
  try {
    const secret = await symmetricDecrypt({ key: authSecret, data: sealed });
    return new URL(createOTP(secret).url("Coreto", "coreto")).searchParams.get("secret");
  } catch {
    return null;
  }
}

function namesOf(name: string): { firstName?: string; lastName?: string } {
  const [firstName = "", ...rest] = name.trim().split(/\s+/);
  return {
    ...(firstName ? { firstName } : {}),
    ...(rest.length > 0 ? { lastName: rest.join(" ") } : {}),
  };
}
