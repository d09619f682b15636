import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { loggableFault } from "#app/db/errors.ts";

test("a query that failed is told without the values it carried, which are people's", () => {
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

test("any other fault is told as it is, and what is no error by its text", () => {
  expect(loggableFault(new TypeError("x is not a function"))).toMatchObject({
    name: "TypeError",
    message: "x is not a function",
    cause: null,
  });
  expect(loggableFault("late")).toMatchObject({ name: "Error", message: "late" });
});
