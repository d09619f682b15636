import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { loggableFault } from "#app/db/errors.ts";

test("the error of a failed query omits its values, which are personal data", () => {
  const cause = new Error("D1_ERROR: no such table: people");
  const told = loggableFault(
    new DrizzleQueryError(
      "select * from people where email = ?",
      ["ana@coreto.test", "123.456.789-09"],
      cause,
    ),
  );
  expect(JSON.stringify(told)).not.toMatch(/ana@coreto|123\.456/);
  expect(told.message).toContain("select * from people where email = ?");
  expect(told.cause).toBe("D1_ERROR: no such table: people");
  expect(told.stack).toContain("fault.unit.test.ts");
});

test("any other error is reported unchanged, and a thrown value by its text", () => {
  expect(loggableFault(new TypeError("x is not a function"))).toMatchObject({
    name: "TypeError",
    message: "x is not a function",
    cause: null,
  });
  expect(loggableFault("late")).toMatchObject({ name: "Error", message: "late" });
});
