import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import {
  BIRTH_DATE,
  createFormClient,
  signUpMember,
  newMemberInput,
  PASSWORD,
} from "#tests/support/form-client.ts";
import { rankOverlap, startServer, stopServer } from "./harness.ts";
import type { Measurement } from "./harness.ts";
import { sized } from "./size.ts";

/**
 * Members with an account. Each is asked about a few times, because the questions about one account
 * in ten minutes are limited.
 */
const ACCOUNTS = sized(60, 2);

/** Requests about an e-mail address that need no sign-in. `times` is how often for one account. */
const QUESTIONS: {
  name: string;
  path: string;
  times: number;
  fields(email: string): Record<string, string>;
}[] = [
  {
    name: "sign-in",
    path: "/auth/login",
    times: 3,
    fields: (identifier) => ({ identifier, password: "não é esta senha" }),
  },
  {
    name: "code to sign in",
    path: "/auth/code",
    times: 1,
    fields: (identifier) => ({ identifier }),
  },
  {
    name: "reset request",
    path: "/auth/reset",
    times: 1,
    fields: (identifier) => ({ identifier }),
  },
  {
    name: "sign-up",
    path: "/auth/register",
    times: 3,
    fields: (email) => ({
      ...newMemberInput("Quem Pergunta"),
      email,
      password: PASSWORD,
      birthDate: BIRTH_DATE,
      termsVersion: TERMS_VERSION,
    }),
  },
];

/**
 * Measures whether response times reveal that an e-mail address has an account. Requests about
 * known and unknown addresses alternate within one run. 0.5 means no difference: the probability
 * that a response about an account took longer.
 */
export async function benchTimingLeak(): Promise<Measurement[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "coreto-bench-"));
  const port = await freePortPair();
  const env = { PORT: String(port), CORETO_DATA_DIRECTORY: dataDirectory, CORETO_SEED: "false" };
  const coreto = await startServer(
    inRoot("scripts", "serve.ts"),
    env,
    `http://127.0.0.1:${port + 1}`,
  );
  try {
    return await ask(`http://localhost:${port}`);
  } finally {
    await stopServer(coreto);
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

async function ask(origin: string): Promise<Measurement[]> {
  const existingAddresses: string[] = [];
  for (let made = 0; made < ACCOUNTS; made += 1)
    existingAddresses.push((await signUpMember(origin, "Com Conta")).email);
  const measured: Measurement[] = [];
  for (const { name, path, times, fields } of QUESTIONS) {
    const took = { existing: [] as number[], unknown: [] as number[] };
    const { status } = await answerTime(origin, path, fields(newMemberInput("Ninguem").email));
    for (let round = 0; round < times; round += 1) {
      for (const email of existingAddresses) {
        const pair = [
          { kind: "existing", email },
          { kind: "unknown", email: newMemberInput("Ninguem").email },
        ] as const;
        // The first request warms up the second, so the order is random.
        for (const { kind, email: one } of Math.random() < 0.5 ? pair : pair.toReversed())
          took[kind].push((await answerTime(origin, path, fields(one), status)).ms);
      }
    }
    measured.push(...compared(name, took));
  }
  return measured;
}

/**
 * Returns the milliseconds until the whole response. A response other than the usual one measures
 * nothing.
 */
async function answerTime(
  origin: string,
  path: string,
  fields: Record<string, string>,
  expected?: number,
): Promise<{ ms: number; status: number }> {
  const startedAt = performance.now();
  const answer = await createFormClient(origin).post(path, fields);
  await answer.text();
  const ms = performance.now() - startedAt;
  if (expected !== undefined && answer.status !== expected)
    throw new Error(`${path} answered ${answer.status} and not ${expected}`);
  return { ms, status: answer.status };
}

function compared(
  name: string,
  { existing, unknown }: { existing: number[]; unknown: number[] },
): Measurement[] {
  const rows = [0.1, 0.5, 0.9].map((share): Measurement => {
    const [value, baseline] = [percentile(existing, share), percentile(unknown, share)];
    return {
      name: `${name}: ${share * 100}th percentile, an account beside none`,
      value: rounded(value),
      unit: "ms",
      baseline: rounded(baseline),
      ratio: rounded(value / baseline),
    };
  });
  const overlap = rounded(rankOverlap(existing, unknown));
  return [
    ...rows,
    {
      name: `${name}: chance that an account takes longer`,
      value: overlap,
      unit: "",
      baseline: 0.5,
      ratio: rounded(overlap / 0.5),
    },
  ];
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
