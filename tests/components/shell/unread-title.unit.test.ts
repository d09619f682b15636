import { expect, test } from "vitest";
import { unreadTitle } from "#app/components/shell/navigation/use-unread-marks.ts";

test.each([
  [0, "Notificações · Coreto"],
  [3, "(3) Notificações · Coreto"],
  [99, "(99) Notificações · Coreto"],
  [100, "(99+) Notificações · Coreto"],
])("with %i unread notifications the title is %s", (unread, title) => {
  expect(unreadTitle("Notificações · Coreto", unread)).toBe(title);
});
