import fc from "fast-check";
import { expect, test } from "vitest";
import {
  QUARANTINE_STATE_LABELS,
  QUARANTINE_REASON_LABELS,
  EVENT_TYPE_LABELS,
} from "#app/components/reconciliation/quarantine-labels.ts";
import {
  notFoundRetryDelayMs,
  parseQuarantineReason,
  quarantineReasons,
  quarantineStateOf,
} from "#app/domain/payments/webhook-events/rules.ts";
import { eventTypes } from "#app/domain/payments/schema.ts";
import { MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";

test.each([
  ["second_payment", "second_payment", null],
  ["not_there:charge_not_found", "not_there", "charge_not_found"],
  ["provider_refused:card: expired", "provider_refused", "card: expired"],
  ["fault:TypeError", "fault", "TypeError"],
  ["RangeError", "fault", "RangeError"],
  ["", "fault", ""],
])("an event quarantined because of %j is attributed to %s, with %j", (stored, reason, detail) => {
  expect(parseQuarantineReason(stored)).toEqual({ reason, detail });
});

test("every reason, state and kind of object has its own label", () => {
  const said = quarantineReasons.map((reason) => QUARANTINE_REASON_LABELS[reason]);
  expect(Object.keys(QUARANTINE_REASON_LABELS).toSorted()).toEqual(
    [...quarantineReasons].toSorted(),
  );
  expect(new Set(said.map(({ label }) => label)).size).toBe(quarantineReasons.length);
  for (const { label, hint } of said)
    expect([label, hint]).toEqual([
      expect.stringMatching(/^[A-ZÀ-Ú].{5,50}[^.]$/),
      expect.stringMatching(/^[A-ZÀ-Ú].{20,200}\.$/),
    ]);
  for (const stored of ["anything", ...quarantineReasons.map((reason) => `${reason}:more`)])
    expect(QUARANTINE_REASON_LABELS[parseQuarantineReason(stored).reason].label).not.toBe("");
  expect(Object.keys(EVENT_TYPE_LABELS).toSorted()).toEqual([...eventTypes].toSorted());
  expect(Object.values(QUARANTINE_STATE_LABELS).map(({ label }) => label)).toEqual([
    "Espera alguém",
    "Na fila de novo",
    "Aplicado",
    "Encerrado",
  ]);
});

test.each([
  ["waiting", { quarantinedAt: 1, handledAt: null, answer: null }],
  ["waiting", { quarantinedAt: 2, handledAt: null, answer: "retried" }],
  ["queued", { quarantinedAt: null, handledAt: null, answer: "retried" }],
  ["applied", { quarantinedAt: null, handledAt: 3, answer: "retried" }],
  ["applied", { quarantinedAt: 1, handledAt: 3, answer: null }],
  ["closed", { quarantinedAt: 1, handledAt: null, answer: "closed" }],
] as const)("a quarantined event is %s when it is %j", (state, row) => {
  expect(quarantineStateOf(row)).toBe(state);
});

test("an object unknown to the provider is looked up six times within ten minutes, with growing pauses, then no more", () => {
  const asked = [0];
  for (
    let wait = notFoundRetryDelayMs(0);
    wait !== null;
    wait = notFoundRetryDelayMs(asked.at(-1) ?? 0)
  )
    asked.push((asked.at(-1) ?? 0) + wait);
  expect(asked).toEqual([
    0,
    15 * SECOND_MS,
    MINUTE_MS,
    2 * MINUTE_MS,
    5 * MINUTE_MS,
    10 * MINUTE_MS,
  ]);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 * MINUTE_MS }),
      (ageMs) => (notFoundRetryDelayMs(ageMs) === null) === ageMs >= 10 * MINUTE_MS,
    ),
  );
});
