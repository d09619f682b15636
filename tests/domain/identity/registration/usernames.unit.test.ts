import fc from "fast-check";
import { expect, test } from "vitest";
import { withUniqueSuffix } from "#app/domain/identity/registration/rules/usernames.ts";
import { usernameSchema } from "#app/domain/identity/schema.ts";

test("a username with a unique suffix is valid", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("pessoa", "lia-de-souza", "a".repeat(256)),
      fc.uuid(),
      (username, id) => {
        const ended = withUniqueSuffix(username, id);
        expect(usernameSchema.parse(ended)).toBe(ended);
      },
    ),
  );
});
