import { eq } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { PrivateKeyAccount } from "viem/accounts";
import { createSiweMessage, parseSiweMessage } from "viem/siwe";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { authAccounts } from "#drizzle/schema/local-identity.ts";
import { authOutsideAttempts } from "#drizzle/schema/local-outside.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";
import { mailsTo, refusalIn, signedUp, usernameOf } from "#tests/support/account-browser.ts";
import type { AccountBrowser } from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { TEST_ORIGIN } from "#tests/support/call-route.ts";
import {
  redirectOf,
  expireRecentAuth,
  userOf,
  enableSecondFactor,
} from "#tests/support/external-accounts.ts";
import { externalSignInBrowser } from "#tests/support/external-browser.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
const WALLETS = "/auth/account/wallets";
const newWallet = () => privateKeyToAccount(generatePrivateKey());

async function challenge(
  browser: AccountBrowser,
  address: string,
  purpose = "sign-in",
): Promise<string> {
  const answer = await browser.post("/auth/wallet/challenge", { address, purpose });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { message: string }).message;
}

/** Asks for a challenge, signs it with the wallet's key and posts the signature. */
async function signs(
  browser: AccountBrowser,
  wallet: PrivateKeyAccount,
  { purpose = "sign-in", path = "/auth/wallet" } = {},
): Promise<Response> {
  const message = await challenge(browser, wallet.address.toLowerCase(), purpose);
  return browser.post(path, {
    message: message.replaceAll("\n", "\r\n"),
    signature: await wallet.signMessage({ message }),
  });
}

async function owner() {
  const { browser: plain, person } = await signedUp();
  const browser = externalSignInBrowser({}, plain.cookies);
  const wallet = newWallet();
  expect(redirectOf(await signs(browser, wallet, { purpose: "connect", path: WALLETS }))).toBe(
    WALLETS,
  );
  return { browser, person, wallet };
}

describe("wallet challenge", () => {
  test("follows EIP-4361: our domain and URI, Ethereum mainnet, ten minutes and a nonce", async () => {
    const { address } = newWallet();
    const before = testClock.now();
    const message = parseSiweMessage(
      await challenge(externalSignInBrowser({}), address.toLowerCase()),
    );
    expect(message).toMatchObject({
      address,
      domain: new URL(TEST_ORIGIN).host,
      uri: `${TEST_ORIGIN}/auth/wallet`,
      version: "1",
      chainId: 1,
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const [issuedAt = new Date(0), expirationTime = new Date(0)] = [
      message.issuedAt,
      message.expirationTime,
    ];
    expect(issuedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(expirationTime.getTime() - issuedAt.getTime()).toBe(10 * 60_000);
  });

  test.each(["", "0x12", "not an address", `0x${"z".repeat(40)}`])(
    "refuses the invalid address %j",
    async (address) => {
      expect(
        (await externalSignInBrowser({}).post("/auth/wallet/challenge", { address })).status,
      ).toBe(400);
    },
  );
});

describe("connected wallet", () => {
  test("signs in and returns to the page its owner came from", async () => {
    const { person, wallet } = await owner();
    const elsewhere = externalSignInBrowser({});
    expect(redirectOf(await signs(elsewhere, wallet, { path: "/auth/wallet?to=%2Fevents" }))).toBe(
      "/events",
    );
    expect(await usernameOf(elsewhere)).toBe(person.username);
  });

  test("with a second factor asks for its code first", async () => {
    const { person, wallet } = await owner();
    await enableSecondFactor(person.email);
    const elsewhere = externalSignInBrowser({});
    expect(redirectOf(await signs(elsewhere, wallet))).toBe("/auth/second-factor");
    expect(await usernameOf(elsewhere)).toBeNull();
  });

  test("is listed with its whole address, and was notified to the primary e-mail", async () => {
    const { browser, person, wallet } = await owner();
    expect(await (await browser.get(WALLETS)).json()).toMatchObject({
      wallets: [{ name: "Carteira Ethereum", label: wallet.address }],
    });
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain(
      "Carteira Ethereum: nova forma de entrar na sua conta",
    );
  });

  test("cannot be connected twice, here or elsewhere", async () => {
    const { browser, wallet } = await owner();
    expect(
      await refusalIn(await signs(browser, wallet, { purpose: "connect", path: WALLETS })),
    ).toBe(`409 ${IDENTITY_MESSAGES.LINKED_ACCOUNT_ALREADY_EXISTS}`);
    const other = externalSignInBrowser({}, (await signedUp()).browser.cookies);
    expect(await refusalIn(await signs(other, wallet, { purpose: "connect", path: WALLETS }))).toBe(
      `409 ${IDENTITY_MESSAGES.SOCIAL_ACCOUNT_ALREADY_LINKED}`,
    );
  });

  test("is connected and removed only after recent authentication, and then does not sign in", async () => {
    const { browser, person, wallet } = await owner();
    const { id } = (await db
      .select()
      .from(authAccounts)
      .where(eq(authAccounts.accountId, wallet.address))
      .get()) ?? { id: "" };
    await expireRecentAuth(person.email);
    expect(
      redirectOf(
        await browser.post("/auth/wallet/challenge", {
          address: wallet.address,
          purpose: "connect",
        }),
      ),
    ).toBe(`/auth/confirm?to=${WALLETS}`);
    const removal = `/auth/account/connections/${id}/removal`;
    expect(redirectOf(await browser.post(removal))).toBe(`/auth/confirm?to=${removal}`);
    expect(await (await browser.get(`/auth/confirm?to=${removal}`)).json()).toMatchObject({
      hasPassword: true,
      hasWallet: true,
    });
    expect(
      redirectOf(
        await signs(browser, wallet, {
          purpose: "confirm",
          path: `/auth/wallet?to=${encodeURIComponent(removal)}`,
        }),
      ),
    ).toBe(removal);
    expect(redirectOf(await browser.post(removal))).toBe(WALLETS);
    expect(await (await browser.get(WALLETS)).json()).toEqual({ wallets: [] });
    expect(redirectOf(await signs(externalSignInBrowser({}), wallet))).toMatch(
      /^\/auth\/register\/profile/,
    );
  });
});

test("an unknown wallet starts a registration whose e-mail is not verified", async () => {
  const wallet = newWallet();
  const answer = await signs(externalSignInBrowser({}), wallet, {
    path: "/auth/wallet?to=%2Fevents",
  });
  expect(redirectOf(answer)).toMatch(/^\/auth\/register\/profile/);
  const pending = await db
    .select()
    .from(authPendingRegistrations)
    .where(eq(authPendingRegistrations.accountId, wallet.address))
    .get();
  expect(pending).toMatchObject({
    providerId: "wallet",
    email: null,
    isEmailProven: false,
    name: null,
    returnTo: "/events",
  });
});

const MINUTE = 60_000;
const CHANGED: [string, (message: string) => string, string][] = [
  [
    "another domain",
    (text) => text.replace(new URL(TEST_ORIGIN).host, "evil.test"),
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "another address of ours",
    (text) => text.replace(/URI: .*/, "URI: https://evil.test/auth/wallet"),
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "another version",
    (text) => text.replace("Version: 1", "Version: 2"),
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "another network",
    (text) => text.replace("Chain ID: 1", "Chain ID: 137"),
    IDENTITY_MESSAGES.web3_wrong_network,
  ],
  [
    "another nonce",
    (text) => text.replace(/Nonce: .*/, `Nonce: ${"a".repeat(64)}`),
    IDENTITY_MESSAGES.web3_message_expired,
  ],
  [
    "a later end",
    (text) =>
      text.replace(
        /Expiration Time: .*/,
        `Expiration Time: ${new Date(testClock.now() + 60 * MINUTE).toISOString()}`,
      ),
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "no end",
    (text) => text.replace(/\nExpiration Time: .*/, ""),
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "another statement",
    (text) => text.replace("Entrar no Coreto", "Dar tudo"),
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "no statement",
    (text) => text.replace(/Entrar no Coreto.*\n\n/, ""),
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "something more at its end",
    (text) => `${text}\nResources:\n- https://evil.test`,
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "something more at its start",
    (text) => `Hello\n${text}`,
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "an address without its checksum",
    (text) => text.replace(/0x[0-9a-fA-F]{40}/, (address) => address.toLowerCase()),
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  [
    "an invalid time",
    (text) => text.replace(/Issued At: .*/, "Issued At: yesterday"),
    IDENTITY_MESSAGES.web3_message_invalid,
  ],
  ["none of our fields", () => "I agree", IDENTITY_MESSAGES.web3_message_invalid],
];

describe("signed wallet message", () => {
  test.each(CHANGED)(
    "with %s is refused, even with a valid signature",
    async (_, change, message) => {
      const { wallet } = await owner();
      const browser = externalSignInBrowser({});
      const changed = change(await challenge(browser, wallet.address));
      const answer = await browser.post("/auth/wallet", {
        message: changed,
        signature: await wallet.signMessage({ message: changed }),
      });
      expect((await refusalIn(answer)).slice(4)).toBe(message);
      expect(await usernameOf(browser)).toBeNull();
    },
  );

  test.each([
    ["issued in the future", MINUTE],
    ["older than ten minutes", -11 * MINUTE],
  ])("%s is refused", async (_, offset) => {
    const { wallet } = await owner();
    const browser = externalSignInBrowser({});
    const asked = parseSiweMessage(await challenge(browser, wallet.address));
    const { address, chainId = 1, domain = "", nonce = "", scheme, statement, uri = "" } = asked;
    const issuedAt = new Date(testClock.now() + offset);
    const message = createSiweMessage({
      address: address ?? "0x",
      chainId,
      domain,
      nonce,
      ...(scheme ? { scheme } : {}),
      ...(statement ? { statement } : {}),
      uri,
      version: "1",
      issuedAt,
      expirationTime: new Date(issuedAt.getTime() + 10 * MINUTE),
    });
    expect(
      await refusalIn(
        await browser.post("/auth/wallet", {
          message,
          signature: await wallet.signMessage({ message }),
        }),
      ),
    ).toBe(`409 ${IDENTITY_MESSAGES.web3_message_expired}`);
  });

  test("is accepted once, also for parallel requests", async () => {
    const { wallet } = await owner();
    const browser = externalSignInBrowser({});
    const message = await challenge(browser, wallet.address);
    const fields = { message, signature: await wallet.signMessage({ message }) };
    const answers = await Promise.all([
      browser.post("/auth/wallet", fields),
      browser.post("/auth/wallet", fields),
    ]);
    expect(answers.filter((answer) => redirectOf(answer) === "/")).toHaveLength(1);
    expect(await refusalIn(await browser.post("/auth/wallet", fields))).toBe(
      `409 ${IDENTITY_MESSAGES.web3_message_expired}`,
    );
  });

  test("is refused after ten minutes, whatever it says", async () => {
    const { wallet } = await owner();
    const browser = externalSignInBrowser({});
    const message = await challenge(browser, wallet.address);
    await db
      .update(authOutsideAttempts)
      .set({ expiresAt: testClock.now() })
      .where(eq(authOutsideAttempts.providerId, "wallet"));
    expect(
      await refusalIn(
        await browser.post("/auth/wallet", {
          message,
          signature: await wallet.signMessage({ message }),
        }),
      ),
    ).toBe(`409 ${IDENTITY_MESSAGES.web3_message_expired}`);
  });

  test("is refused in another browser", async () => {
    const { wallet } = await owner();
    const message = await challenge(externalSignInBrowser({}), wallet.address);
    const thief = externalSignInBrowser({});
    await challenge(thief, wallet.address);
    expect(
      await refusalIn(
        await thief.post("/auth/wallet", {
          message,
          signature: await wallet.signMessage({ message }),
        }),
      ),
    ).toBe(`403 ${IDENTITY_MESSAGES.oauth_client_mismatch}`);
  });

  test("of a sign-in challenge does not connect the wallet", async () => {
    const { browser: plain, person } = await signedUp();
    const browser = externalSignInBrowser({}, plain.cookies);
    expect(
      redirectOf(await signs(browser, newWallet(), { purpose: "sign-in", path: WALLETS })),
    ).toMatch(/^\/auth\/register\/profile/);
    expect(
      await db
        .select()
        .from(authAccounts)
        .where(eq(authAccounts.userId, (await userOf(person.email)).id)),
    ).toHaveLength(1);
  });
});

describe("wallet signature", () => {
  const answered = async (
    signature: (message: string, wallet: PrivateKeyAccount) => Promise<string> | string,
  ) => {
    const { wallet } = await owner();
    const browser = externalSignInBrowser({});
    const message = await challenge(browser, wallet.address);
    return refusalIn(
      await browser.post("/auth/wallet", { message, signature: await signature(message, wallet) }),
    );
  };

  test("of another key is refused", async () => {
    expect(await answered((message) => newWallet().signMessage({ message }))).toBe(
      `401 ${IDENTITY_MESSAGES.web3_signature_invalid}`,
    );
  });

  test("of another text is refused", async () => {
    expect(
      await answered((message, wallet) => wallet.signMessage({ message: `${message} ` })),
    ).toBe(`401 ${IDENTITY_MESSAGES.web3_signature_invalid}`);
  });

  test.each(["0x", `0x${"00".repeat(64)}`, `0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`])(
    "%.12s… is refused",
    async (signature) => {
      expect(await answered(() => signature)).toBe(
        `401 ${IDENTITY_MESSAGES.web3_signature_invalid}`,
      );
    },
  );

  test("of a contract wallet is refused with a hint", async () => {
    expect(await answered(() => `0x${"00".repeat(96)}${"6492".repeat(16)}`)).toBe(
      `400 ${IDENTITY_MESSAGES.web3_contract_wallet}`,
    );
  });

  test("that is not hexadecimal is refused", async () => {
    expect(await answered(() => "not a signature")).toMatch(/^400 /);
  });
});
